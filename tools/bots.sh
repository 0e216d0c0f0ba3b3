#!/bin/sh
# Makes the bots of other languages ready below build/, where their tests look for them: npm's
# packages for the one of JavaScript, the program of the one of C++. What this machine has no
# tools for is left out, and its test skipped.
set -e
cd "$(dirname "$0")/.."

if command -v npm >/dev/null; then
  mkdir -p build/javascript
  cp arena/cli/templates/javascript/package.json build/javascript/
  npm install --prefix build/javascript --no-audit --no-fund --silent || echo "npm: failed" >&2
fi

if command -v grpc_cpp_plugin >/dev/null && command -v cmake >/dev/null; then
  "${PYTHON:-python}" -m arena bot new cpp build/new/bot >/dev/null
  # Files that have not changed keep their time, so that nothing is built again.
  mkdir -p build/cpp
  for file in $(cd build/new && find bot -type f); do
    mkdir -p "build/cpp/$(dirname "$file")"
    cmp -s "build/new/$file" "build/cpp/$file" || cp "build/new/$file" "build/cpp/$file"
  done
  rm -r build/new
  launcher=$(command -v ccache || true)
  # Not optimized: the tests want it soon, not fast.
  cmake -S build/cpp/bot -B build/cpp/bot/build -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS=-g0 \
    ${launcher:+-DCMAKE_CXX_COMPILER_LAUNCHER="$launcher"} >/dev/null
  cmake --build build/cpp/bot/build --parallel "$(nproc)" >/dev/null
fi

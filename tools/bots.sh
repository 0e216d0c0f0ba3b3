#!/bin/sh
# Makes the bots of other languages ready below build/, where their tests look for them: npm's
# packages for the one of JavaScript, the programs of those of C++ and Go. What this machine has no
# tools for is left out, and its test skipped. The one of Rust takes a processor more than a minute:
# `tools/bots.sh rust` makes it, and from then on it is kept current.
set -e
cd "$(dirname "$0")/.."
. tools/ccache.sh

# A new bot named "bot" in a folder; files that have not changed keep their time, so that nothing is
# built again.
new() { # LANGUAGE FOLDER
  "${PYTHON:-python}" -m arena bot new "$1" build/new/bot >/dev/null
  for file in $(cd build/new/bot && find . -type f); do
    mkdir -p "$2/$(dirname "$file")"
    cmp -s "build/new/bot/$file" "$2/$file" || cp "build/new/bot/$file" "$2/$file"
  done
  rm -r build/new
}

if command -v npm >/dev/null; then
  mkdir -p build/javascript
  cp arena/cli/templates/javascript/package.json build/javascript/
  npm install --prefix build/javascript --no-audit --no-fund --silent || echo "npm: failed" >&2
fi

if command -v grpc_cpp_plugin >/dev/null && command -v cmake >/dev/null; then
  new cpp build/cpp/bot
  # Not optimized: the tests want it soon, not fast.
  cmake -S build/cpp/bot -B build/cpp/bot/build -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS=-g0 >/dev/null
  cmake --build build/cpp/bot/build --parallel "$(nproc)" >/dev/null
fi

# Debian's packages of Go's modules: no proxy is asked.
gocode=/usr/share/gocode
if command -v go >/dev/null && command -v protoc-gen-go-grpc >/dev/null &&
  [ -d $gocode/src/google.golang.org/grpc ] && [ -d $gocode/src/google.golang.org/protobuf ]; then
  new go build/go/src/bot
  (
    export GO111MODULE=off GOPATH="$PWD/build/go:$gocode"
    cd build/go/src/bot
    go generate
    go build -gcflags='google.golang.org/...=-N -l'
  )
fi

if [ "${1:-}" = rust ] || [ -d build/rust ]; then
  new rust build/rust/bot
  (
    export CARGO_PROFILE_DEV_DEBUG=0
    cd build/rust/bot
    # Debian's packages of the crates: no registry is asked.
    cargo build --quiet --offline --config 'source.crates-io.replace-with="debian"' \
      --config 'source.debian.directory="/usr/share/cargo/registry"'
  )
fi

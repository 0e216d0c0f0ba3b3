#!/usr/bin/env bash
# Builds the core with address and undefined-behaviour sanitizers and plays random games
# under every rulebook: tools/sanitize.sh [GAMES per rulebook, default 20]
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
cmake -S . -B build-sanitize -DARENA_SANITIZE=ON -DARENA_CORE_TESTS=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo "${launcher[@]}" >/dev/null
cmake --build build-sanitize -j2
PYTHONPATH=. "$python" tests/core/rules.py > build-sanitize/rules.txt
UBSAN_OPTIONS=print_stacktrace=1 build-sanitize/core_soak build-sanitize/rules.txt "${1:-20}"

#!/usr/bin/env bash
# Builds the core with address and undefined-behaviour sanitizers and plays random games under
# every rulebook, and under random variants of them:
#   tools/sanitize.sh [GAMES of each set of rules, default 20 [VARIANTS of each game, default 0]]
# or many random games of one family, under VARIANTS of it alone, with fewer questions in between:
#   tools/sanitize.sh GAMES VARIANTS FAMILY
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
. tools/ccache.sh
cmake -S . -B build-sanitize -DARENA_SANITIZE=ON -DARENA_CORE_TESTS=ON -DCMAKE_BUILD_TYPE=Sanitize -DCMAKE_CXX_FLAGS="-O1 -g1" >/dev/null
cmake --build build-sanitize -j2
PYTHONPATH=. "$python" tests/core/rules.py "${2:-0}" ${3:+"$3"} > build-sanitize/rules.txt
UBSAN_OPTIONS=print_stacktrace=1 build-sanitize/core_soak build-sanitize/rules.txt "${1:-20}" ${3:+300}

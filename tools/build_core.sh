#!/usr/bin/env bash
# Builds the core for this checkout, in place: arena/_core.*.so and arena/_core.pyi.
# Used while editing core/; `pip install -e .` does the same once.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
. tools/ccache.sh
cmake -S . -B build -DPython_EXECUTABLE="$("$python" -c 'import sys; print(sys.executable)')" "$@" >/dev/null
cmake --build build -j2

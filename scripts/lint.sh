#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/lint.sh BUILD: formatting and clang-tidy of the C++ sources. The RTL is linted by the tests (test_emit, and
# tests/numeric/lint_reduce.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
jobs=$(nproc)

echo "lint: clang-format"
git ls-files '*.cpp' '*.hpp' | xargs clang-format --dry-run --Werror

echo "lint: SPDX headers"
without=$(git ls-files '*.cpp' '*.hpp' '*.c' '*.h' '*.sv' '*.sh' '*.py' '*.tcl' '*.cmake' 'CMakeLists.txt' | grep -v '^tests/golden/' |
  xargs grep -L 'SPDX-License-Identifier: Apache-2.0' || test $? -eq 1)
[ -z "$without" ] || { printf 'no SPDX header: %s\n' $without >&2; exit 1; }

echo "lint: RTL modules of at most 250 lines"
long=$(wc -l rtl/*.sv | awk '$2 != "total" && $1 > 250 {print $2 " has " $1 " lines"}')
[ -z "$long" ] || { echo "$long" >&2; exit 1; }

echo "lint: clang-tidy"
git ls-files 'gen/*.cpp' 'tb/*.cpp' 'sim/*.cpp' 'synth/*.cpp' | grep -v verilated_ |
  xargs -P "$jobs" -n 4 clang-tidy -p "$build" --quiet --extra-arg=-Wno-unknown-warning-option 2>/dev/null

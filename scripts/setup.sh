#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/setup.sh [test]: installs what building and running the fred command need, with `test` also what the tests need,
# where it is missing: with apt-get on Debian and Ubuntu; elsewhere it prints the list and stops with exit code 4. Does
# nothing, and needs no network, where everything is there.
set -euo pipefail

# package:what shows that it is there (a command, or a file below /usr)
needs=(
  "make:make" "cmake:cmake" "ninja-build:ninja" "g++:g++" "clang:clang++" "ccache:ccache" "verilator:verilator"
  "libcli11-dev:/usr/include/CLI/CLI.hpp" "libfmt-dev:/usr/include/fmt/format.h"
  "nlohmann-json3-dev:/usr/include/nlohmann/json.hpp" "libssl-dev:/usr/include/openssl/evp.h"
  "libcadical-dev:/usr/include/cadical.hpp" "libgmp-dev:/usr/include/gmpxx.h"
)
if [ "${1:-}" = test ]; then
  needs+=(
    "doctest-dev:/usr/include/doctest/doctest.h" "libmpfr-dev:/usr/include/mpfr.h" "python3:python3"
    "python3-yaml:/usr/lib/python3/dist-packages/yaml" "tcl:tclsh" "opensta:sta"
    "nextpnr-ice40:nextpnr-ice40" "fpga-icestorm:icetime"
    "fpga-icestorm-chipdb:/usr/share/fpga-icestorm/chipdb/chipdb-8k.txt"
    "qflow-tech-osu018:/usr/share/qflow/tech/osu018/osu018_stdcells.lib"
    "qflow-tech-osu035:/usr/share/qflow/tech/osu035/osu035_stdcells.lib"
    "yosys:yosys" "z3:z3" "iverilog:iverilog" "clang-format:clang-format" "clang-tidy:clang-tidy"
  )
fi

missing=()
for need in "${needs[@]}"; do
  package=${need%%:*}
  sign=${need#*:}
  case $sign in
    /*) [ -e "$sign" ] || missing+=("$package") ;;
    *) command -v "$sign" >/dev/null 2>&1 || missing+=("$package") ;;
  esac
done

# Versions: apt-get brings what the distribution has, which may be too old.
check_versions() {
  local found
  found=$(verilator --version | awk '{print $2}')
  if [ "$(printf '%s\n5.006\n' "$found" | sort -V | head -n 1)" != 5.006 ]; then
    echo "setup: Verilator $found is too old: 5.006 or later is needed (Debian 12, Ubuntu 24.04)" >&2
    exit 4
  fi
}
if [ ${#missing[@]} -eq 0 ]; then
  check_versions
  exit 0
fi

if ! command -v apt-get >/dev/null 2>&1; then
  echo "setup: this system has no apt-get. Install these (Debian's names) and run the command again:" >&2
  printf '  %s\n' "${missing[@]}" >&2
  exit 4
fi
sudo=""
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null 2>&1 || { echo "setup: need root to install: ${missing[*]}" >&2; exit 4; }
  sudo=sudo
fi
echo "setup: installing ${missing[*]}"
log=$(mktemp)
if ! { $sudo apt-get update && $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  echo "setup: apt-get failed; the whole log is in $log" >&2
  exit 4
fi
rm -f "$log"
check_versions

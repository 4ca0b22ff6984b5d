#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# lint_design.sh DIR TOP: runs Verilator, Yosys and Icarus on an emitted design (the one *.f of DIR) and fails on any
# warning. Icarus' "sorry: ... not supported" remarks do not count.
set -u
if [ $# -ne 2 ]; then
  echo "usage: lint_design.sh DIR TOP" >&2
  exit 2
fi
cd "$1" || exit 2
top=$2
list=$(ls ./*.f)
status=0

check() {  # NAME EXIT_CODE OUTPUT
  if [ "$2" -ne 0 ] || [ -n "$3" ]; then
    printf '%s on %s (exit code %s):\n%s\n' "$1" "$top" "$2" "$3"
    status=1
  fi
}

output=$(verilator --lint-only -Wall --top-module "$top" -f "$list" 2>&1)
check verilator $? "$output"

output=$(yosys -q -p "read_verilog -sv $(tr '\n' ' ' < "$list"); hierarchy -check -top $top; proc; check -assert" 2>&1)
check yosys $? "$output"

output=$(iverilog -g2012 -Wall -t null -s "$top" -c "$list" 2>&1)
code=$?
check icarus $code "$(printf '%s' "$output" | grep -v 'sorry: .* not .*supported')"

exit $status

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/parity/run.sh: every bit of the tables turned over, in Icarus Verilog (bits.sv). Then the parity is made to leave
# something out, and the bench must fail.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
rtl=$here/../../rtl
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# bench ROW PORT: with these files in the place of the row's and the port's.
bench() {
  iverilog -g2012 -s bits -o "$work/bits" "$here/bits.sv" "$1" "$2" "$rtl"/fred_{onehot,select,ram_sync,rom_sync}.sv
  vvp -n "$work/bits"
}

row=$rtl/fred_descriptor_row.sv port=$rtl/fred_alltoall_port.sv
bench "$row" "$port" | tee "$work/log" | head -20
grep -q '^PASS' "$work/log"

# must_fail WHAT FILE OLD NEW
must_fail() {
  local file=$2
  sed "s/$3/$4/" "$file" > "$work/changed.sv"
  if cmp -s "$file" "$work/changed.sv"; then
    echo "FAIL: $1: '$3' is not in $(basename "$file")"
    exit 1
  fi
  if [ "$file" = "$row" ]; then bench "$work/changed.sv" "$port"; else bench "$row" "$work/changed.sv"; fi > "$work/log"
  if grep -q '^PASS' "$work/log"; then
    echo "FAIL: $1 goes unseen"
    exit 1
  fi
  echo "seen: $1"
}
must_fail "masks left out of the parity" "$row" 'route_o, in_mask_o, ' 'route_o, '
must_fail "number of the last member left out" "$row" 'sum         = rest ^ (^final_step_o)' 'sum = rest'
must_fail "the epoch turns without the parity" "$row" 'parity_q ^ epoch_turns ^' 'parity_q ^'
must_fail "a wrong bit enables a row" "$row" 'parity_q <= ~sum' 'parity_q <= sum'
must_fail "routes of entries left out of the parity" "$port" 'wrong = ^{entry, parity}' 'wrong = ^{entry[PortW-1:0], parity}'

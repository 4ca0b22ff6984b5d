#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/sv/run.sh BUILD_DIR: the testbench that `fred gen --testbench` writes. It passes in Icarus on switches of many
# shapes and in Verilator, in as many cycles; it fails where the RTL or one expected byte is wrong.
set -euo pipefail
[[ $# -eq 1 ]] || { echo "usage: $0 BUILD_DIR" >&2; exit 2; }
fred=$(cd "$1" && pwd)/fred
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

die() { echo "FAIL: $*" >&2; exit 1; }

# generate NAME OPTIONS
generate() { "$fred" gen "${@:2}" --testbench -o "$work/$1" >/dev/null; }
compile() { (cd "$work/$1" && iverilog -g2012 -s fred_switch_tb -o ../"$1.vvp" -f tb/fred_switch_tb.f) 2>&1 | sed '/sorry: /d'; }
# simulate NAME OPTIONS: prints what vvp says; its exit code
simulate() { (cd "$work/$1" && timeout 60 vvp -n ../"$1.vvp" "${@:2}"); }
# lint NAME: no warning and no waiver
lint() {
  (cd "$work/$1" && verilator --lint-only -Wall --timing --top-module fred_switch_tb -f tb/fred_switch_tb.f) ||
    die "$1: lint"
}

passes() {
  generate "$@"
  lint "$1"
  compile "$1"
  simulate "$1" | tee "$work/log"
  [[ $(grep -c . "$work/log") == 1 ]] && grep -q '^PASS: ' "$work/log" || die "$1 does not pass"
}

# ---- Shapes.
passes one --radix 2 --middle 2 --dtype int32 --lanes 1 --descriptors 1 --vcs 1
passes mixed --radix 5 --middle 3 --dtype fp8e4m3,bf16 --acc fp32 --width 16 --ops sum,min,sum-sat --descriptors 4 --vcs 3
passes eight --radix 8 --middle 2 --dtype uint8 --lanes 2 --ops max,xor --vcs 4
passes whole --radix 4 --middle 2 --dtype int16 --lanes 1 --descriptors 4 --vcs 2 --egress packet
passes untabled --radix 4 --middle 2 --dtype int16 --lanes 1 --descriptors 2 --vcs 2 --alltoall-tables 0

# ---- The same seed gives the same bytes, another seed others; the stalls are of the run.
again=(--radix 2 --middle 2 --dtype int32 --lanes 1 --descriptors 1 --vcs 1)
generate again "${again[@]}"
diff -r "$work/one" "$work/again" || die "the same command gives other bytes"
generate again "${again[@]}" --testbench-seed 2
cmp -s "$work/one/tb/vectors/send.hex" "$work/again/tb/vectors/send.hex" && die "another seed gives the same bytes"
compile again
simulate again +seed=3 +stall=45 | grep -q '^PASS: .* seed 3, stalls 45 %' || die "another seed does not pass"
simulate again +stall=0 | grep -q '^PASS: ' || die "full rate does not pass"
simulate again +trace="$work/a.vcd" >/dev/null && grep -q s_axis_tready "$work/a.vcd" || die "no waveforms"

# ---- Options and files that are wrong.
for option in +stall=48 +stall=-1 +timeout=99 +vectors=nowhere; do
  simulate again "$option" >"$work/log" 2>&1 && die "$option: exit code 0"
  grep -q '^FAIL: ' "$work/log" || die "$option: no FAIL"
done

# ---- Verilator: as many cycles as Icarus. Not optimised, which compiles fastest.
generate one-v --radix 2 --middle 2 --dtype int8 --lanes 1 --ops sum --descriptors 2 --vcs 2
compile one-v
flags="OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"
if command -v ccache >/dev/null; then flags="$flags OBJCACHE=ccache"; fi
(cd "$work/one-v" && verilator --binary --timing -j 2 -MAKEFLAGS "$flags" --Mdir ../verilated \
  --top-module fred_switch_tb -f tb/fred_switch_tb.f >"$work/log" 2>&1) || { cat "$work/log"; die "Verilator"; }
for run in "+seed=1" "+seed=5 +stall=40"; do
  # shellcheck disable=SC2086
  (cd "$work/one-v" && ../verilated/Vfred_switch_tb $run) | grep '^PASS: ' >"$work/verilated.log" || die "Verilator: $run"
  # shellcheck disable=SC2086
  simulate one-v $run | diff - "$work/verilated.log" || die "Verilator and Icarus differ: $run"
done

# ---- What is wrong is found.
# fails NAME WHAT OPTIONS: the switch NAME must fail, exit code included, and say WHAT.
fails() {
  compile "$1"
  simulate "$1" "${@:3}" >"$work/log" 2>&1 && die "exit code 0: $what"
  grep -q '^FAIL: ' "$work/log" && grep -q -- "$2" "$work/log" || { cat "$work/log"; die "not found: $what"; }
}
# breaks FILE SED_COMMAND WHAT: the change must apply
breaks() {
  what="$1: $2"
  rm -rf "$work/broken" && cp -r "$work/untabled" "$work/broken"
  sed -i "$2" "$work/broken/$1"
  cmp -s "$work/untabled/$1" "$work/broken/$1" && die "does not apply: $what"
  fails broken "$3" +timeout=300
}
breaks rtl/fred_int_add.sv 's/take_a = pass | (top ^ max)/take_a = pass | (top ^ ~max)/' 'byte .*: expected'
breaks rtl/fred_uswitch_r.sv 's/second_sel\[k\] ? second : first;/second_sel[k] ? first : second;/' 'byte .*: expected'
breaks rtl/fred_uswitch_r.sv 's/\.data_i(wants0 | wants1)/.data_i(wants0)/' 'port .*: waits for .* beats of descriptor'
breaks rtl/fred_keep_count.sv 's/(n >> b)/((n + 1) >> b)/' 'FAIL'
breaks rtl/fred_axil.sv 's/s_axil_bresp <= {error_i, 1.b0}/s_axil_bresp <= 2'"'"'b00/' 'write of .* to register .*: answer 00, expected 10'
breaks rtl/fred_net_p4_m2.sv 's/{mid0_to_out1_data, mid0_to_out0_data}/{mid0_to_out0_data, mid0_to_out1_data}/' 'byte .*: expected'

# A switch that says that it sends whole packets, and does not.
what="beats of two circuits within a packet"
rm -rf "$work/broken" && cp -r "$work/whole" "$work/broken"
sed -i 's/\(\.Packets *\)(1)/\1(0)/' "$work/broken/rtl/fred_switch.sv"
cmp -s "$work/whole/rtl/fred_switch.sv" "$work/broken/rtl/fred_switch.sv" && die "does not apply: $what"
fails broken 'a beat within a packet of VC [01]'
what="packets that begin before all of them is stored"
rm -rf "$work/broken" && cp -r "$work/whole" "$work/broken"
sed -i "s/(ends_d != '0) |/1'b1 |/" "$work/broken/rtl/fred_egress_vc.sv"
cmp -s "$work/whole/rtl/fred_egress_vc.sv" "$work/broken/rtl/fred_egress_vc.sv" && die "does not apply: $what"
fails broken 'a packet of [0-9]* beats pauses'

# One expected byte, and one beat that is not sent.
what="a changed byte"
rm -rf "$work/broken" && cp -r "$work/untabled" "$work/broken"
line=$(grep -n '_3_....$' "$work/broken/tb/vectors/expect.hex" | sed -n '20s/:.*//p')
sed -i "${line}s/0\$/1/;t;${line}s/.\$/0/" "$work/broken/tb/vectors/expect.hex"
[[ $(diff "$work/untabled/tb/vectors/expect.hex" "$work/broken/tb/vectors/expect.hex" | grep -c '^>') == 1 ]] || die "$what"
fails broken '^cycle [0-9]*, phase [0-9]*, port [0-9] VC [0-9]: descriptor [0-9], packet [0-9]*, byte [0-9]*: expected'
grep -q '^FAIL: 1 differences' "$work/log" || die "more than one difference: $(cat "$work/log")"
what="a port that is no member"
rm -rf "$work/broken" && cp -r "$work/untabled" "$work/broken"
sed -i '0,/IN_MASK/s/f  \/\/ IN_MASK/7  \/\/ IN_MASK/' "$work/broken/tb/vectors/program.hex"
fails broken 'VC 0: [0-9]* beats not offered, the next of descriptor 0' +timeout=300
echo PASS

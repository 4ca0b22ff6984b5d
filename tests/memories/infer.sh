#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/memories/infer.sh BUILD: what the memories become on four FPGA families, in Yosys. First each fred_ram_* by
# itself in several sizes, then in whole switches. Memories must be found as memories; nothing may need a latch or a
# tri-state; there must be no combinational loop, no net with two drivers and no warning. Prints the tables of
# docs/memories.md.
set -euo pipefail
fred=$1/fred
rtl=$(cd "$(dirname "$0")/../../rtl" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

targets="ice40 ecp5 xilinx gowin"
block="SB_RAM40_4K DP16KD RAMB18E1 RAMB36E1 SDPB SDPX9 DPB DPX9"
distributed="TRELLIS_DPR16X4 RAM32M RAM64M RAM16SDP4"
registers='$mem_v2'  # what is left when memories have been mapped

fail() {
  echo "FAIL: $*" >&2
  failed=1
}

# map TARGET TOP FILE...: to the cells of a target, as far as its memories are mapped. Leaves a line "TYPE CELL" for
# every memory in $work/TARGET.cells. Any word of Yosys is a failure: with -q they are warnings and errors.
map() {
  local target=$1 top=$2 flatten="" type
  shift 2
  [ "$target" != xilinx ] || flatten=-flatten  # the others do so by themselves
  {
    printf 'read_verilog -sv %s\n' "$@"
    echo "synth_$target $flatten -top $top -run begin:map_ffram; opt -fast -undriven; check -assert; scc -expect 0"
    echo 'select -assert-none t:$dlatch t:$adlatch t:$dlatchsr t:$_DLATCH_* t:$tribuf t:$_TBUF_'
    for type in $block $distributed "$registers"; do echo "tee -q -o $work/$type select -list t:$type"; done
  } >"$work/script.ys"
  yosys -q "$work/script.ys" >"$work/log" 2>&1 && ! [ -s "$work/log" ] ||
    fail "$top on $target: $(head -n 3 "$work/log" | cut -c1-300)"
  for type in $block $distributed "$registers"; do
    [ ! -e "$work/$type" ] || sed "s/^/$type /" "$work/$type"
    rm -f "$work/$type"
  done >"$work/$target.cells"
}

# became TARGET PATH: what the memories below this instance are made of, "2 RAM16SDP4" or "registers".
became() {
  awk -v path="$2" -v left="$registers" '
    index($2 ".", path) { count[$1]++ }
    END {
      for (type in count) printf "%s%s", between++ ? ", " : "", type == left ? "registers" : count[type] " " type
    }' "$work/$1.cells"
}

# expect TARGET PATH TYPE...: the memories below this instance are made of cells of one of these types.
expect() {
  local target=$1 path=$2 found
  shift 2
  found=$(became "$target" "$path")
  [[ " $* " == *" ${found##* } "* && $found != *,* ]] || fail "$path on $target: '$found' is none of: $*"
}

# ---- By themselves: one module of them all. ----
sizes="2x1 4x16 7x32 13x512 256x64 512x32"  # words x bits
{
  echo '`default_nettype none'
  echo 'module memories (input wire clk_i, we_i, re_i, input wire [8:0] waddr_i, raddr_i, input wire [511:0] wdata_i,'
  echo '  output wire [511:0] mix_o);'
  mix="512'd0"
  for size in $sizes; do
    depth=${size%x*} width=${size#*x}
    for kind in sync async; do
      enable=".re_i(re_i), "
      [ $kind = sync ] || enable=""
      echo "  wire [$((width - 1)):0] ${kind}_$size;"
      echo "  fred_ram_$kind #(.Depth($depth), .Width($width)) u_${kind}_$size (.clk_i(clk_i), .we_i(we_i), $enable"
      echo "    .waddr_i(waddr_i[\$clog2($depth)-1:0]), .raddr_i(raddr_i[\$clog2($depth)-1:0]),"
      echo "    .wdata_i(wdata_i[$((width - 1)):0]), .rdata_o(${kind}_$size));"
      mix+=" ^ ${kind}_$size"
    done
  done
  echo "  assign mix_o = $mix;"
  echo 'endmodule'
} >"$work/memories.v"
for target in $targets; do map "$target" memories "$work/memories.v" "$rtl"/fred_ram_*.sv; done

echo "| memory | words x bits | ${targets// / | } |"
echo "|---|---|---|---|---|---|"
for kind in sync async; do
  for size in $sizes; do
    row="| \`fred_ram_$kind\` | $size |"
    for target in $targets; do row+=" $(became "$target" "/u_${kind}_$size.") |"; done
    echo "$row"
  done
done
for size in 256x64 512x32; do for target in $targets; do expect "$target" "/u_sync_$size." $block; done; done
for size in $sizes; do
  [ "$size" != 2x1 ] || continue  # smaller than what a memory costs
  for target in ecp5 xilinx gowin; do
    expect "$target" "/u_async_$size." $distributed
    expect "$target" "/u_sync_$size." $block $distributed
  done
done
for size in 7x32 13x512; do expect ice40 "/u_sync_$size." $block; done

# ---- In whole switches. ----
# switch TARGET OPTION...: prints a row, the cells of each sort of memory.
switch() {
  local target=$1 row
  shift
  "$fred" gen "$@" -o "$work/$target" >"$work/log"
  (cd "$work/$target" && map "$target" fred_switch $(cat fred_switch.f))
  row="| $target: \`$*\` |"
  for memory in u_data u_sideband u_fifo u_table; do row+=" $(became "$target" ".$memory.") |"; done
  echo "$row"
}
echo
echo "| switch | ingress data | ingress sideband | egress | all-to-all |"
echo "|---|---|---|---|---|"
switch ice40 --radix 4 --vcs 1 --dtype int16 --lanes 1 --ops sum --descriptors 2
switch ecp5 --radix 2 --vcs 1 --dtype int16 --lanes 32 --ops max --descriptors 1 --ingress-depth 300 --egress-depth 20
switch xilinx --radix 3 --vcs 2 --dtype int16 --lanes 2 --ops max --descriptors 2 --ingress-depth 7 --egress-depth 13
switch gowin --radix 2 --vcs 1 --dtype int16 --lanes 1 --ops max --descriptors 1 --ingress-depth 2 --egress-depth 2 --allow-slow
expect ice40 .u_fifo. $block
expect ecp5 .u_data. $block
for target in xilinx gowin; do expect "$target" .u_sideband. $distributed; done
for target in ecp5 xilinx gowin; do expect "$target" .u_fifo. $distributed; done
exit $failed

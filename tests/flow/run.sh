#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/flow/run.sh BUILD: project files of several designs, checked by check_flows.py after the folder has been moved;
# then each file is spoiled in turn, and the checks must see it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
FRED=$(cd "$1" && pwd)/fred
export FRED
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python=
for candidate in python3 /usr/bin/python3; do  # the first that has python3-yaml
  if "$candidate" -c 'import yaml' 2>/dev/null; then python=$candidate && break; fi
done
[ -n "$python" ] || { echo "FAIL python3-yaml is missing" >&2; exit 4; }
checked() { "$python" "$here/check_flows.py" "$@"; }
fail() { echo "FAIL $*" >&2; exit 1; }

# Odd radices, with and without all-to-all; one operation; a route without colours; masks of two words; parts alone.
number=0
while read -r options; do
  number=$((number + 1))
  # shellcheck disable=SC2086  # options are words
  "$FRED" gen $options --flow all -o "$work/new" >/dev/null
  mv "$work/new" "$work/moved$number"
  checked "$work/moved$number" || fail "fred gen $options"
done <<'DESIGNS'
--radix 5 --clock-period 3.3
--radix 5 --alltoall-tables 0 --descriptors 1 --dtype fp16 --lanes 4
--radix 2 --middle 2 --ops sum --dtype int32 --clock-period 0.8 --vcs 1
--radix 7 --alltoall-tables 3 --descriptors 40 --clock-period 1000
--radix 34 --middle 2 --descriptors 33 --vcs 2
--radix 5 --vcs 3 --descriptors 3 --counters
--radix 5 --leaf host --clock-period 2
--radix 5 --leaf reduce --registered
DESIGNS

# The same command gives the same bytes, and each file's own command gives that file.
folder=$work/moved1
"$FRED" gen --radix 5 --flow all --clock-period 3.3 -o "$work/again" >/dev/null
diff -r "$folder" "$work/again" >/dev/null || fail "two runs differ"
for file in fred_switch.sdc fred_switch.xdc fred_switch_vivado.tcl fred_switch_quartus.tcl config.mk fred_switch.core Bender.yml; do
  command=$(sed -n 's/^#   fred gen /gen /p' "$folder/$file" | head -n 1)
  # shellcheck disable=SC2086
  "$FRED" $command -o "$work/again" >/dev/null
  cmp -s "$folder/$file" "$work/again/$file" || fail "$file: its own command does not give it"
done

# The file lists are in an order that tools accept: the lint target of the core file, run by hand.
lint() { "$python" -c 'import sys, yaml; print(*yaml.safe_load(open(sys.argv[1]).read().split("\n", 1)[1])["filesets"]["rtl"]["files"])' "$1"; }
# shellcheck disable=SC2046
(cd "$folder" && verilator --lint-only -Wall --top-module fred_switch $(lint fred_switch.core)) || fail "lint target"

# Spoiled files: FLOW FILE SED. Each must be seen by the check of its flow.
spoiled=0
while read -r flow file edit; do
  rm -rf "$work/spoiled"
  cp -r "$folder" "$work/spoiled"
  sed -i -E "$edit" "$work/spoiled/$file"
  cmp -s "$folder/$file" "$work/spoiled/$file" && fail "$file: nothing to spoil with $edit"
  if checked "$work/spoiled" "$flow" >/dev/null 2>&1; then fail "$file spoiled with $edit is accepted"; fi
  spoiled=$((spoiled + 1))
done <<'EDITS'
sdc fred_switch.sdc s/^  s_axis_tlast.*$//
sdc fred_switch.sdc s/^  rst_ni$//
sdc fred_switch.sdc s/clk_period 3.3/clk_period 3.4/
sdc fred_switch.sdc s/0\.2 \*/0.3 */
sdc fred_switch.sdc s/m_axis_tkeep/m_axis_tkeeq/
sdc fred_switch.sdc s/create_clock/creates_clock/
xdc fred_switch.xdc s/^  s_axis_tlast.*$//
xdc fred_switch.xdc s/create_clock -name/create_clock -title/
xdc fred_switch.xdc s/^set io_delay/foreach x {} {}\nset io_delay/
vivado fred_switch_vivado.tcl /fred_axil.sv/d
vivado fred_switch_vivado.tcl s/^(.*)fred_axil.sv/&\n\1other.sv/
vivado fred_switch_vivado.tcl s/read_verilog -sv/read_verilog -systemverilog/
vivado fred_switch_vivado.tcl s/synth_design/synthesize/
vivado fred_switch_vivado.tcl s/fred_switch.xdc/other.xdc/
quartus fred_switch_quartus.tcl /fred_axil.sv/d
quartus fred_switch_quartus.tcl s/^(.*)fred_axil.sv/&\n\1other.sv/
quartus fred_switch_quartus.tcl s/SYSTEMVERILOG_FILE/SYSTEM_VERILOG/
quartus fred_switch_quartus.tcl /^  m_axis_tready/d
openroad config.mk /fred_axil.sv/d
openroad config.mk s/^(.*)fred_axil.sv/&\n\1other.sv/
openroad config.mk s/^(.*)fred_axil.sv/&\n\1other.sv \\/
openroad config.mk s/SDC_FILE/SDC/
librelane config.json /fred_axil.sv/d
librelane config.json s/^(.*)fred_axil.sv.*$/&\n\1other.sv",/
librelane config.json s/CLOCK_PORT/CLOCK_PIN/
librelane config.json s/dir:://
fusesoc fred_switch.core /fred_axil.sv/d
fusesoc fred_switch.core s/^(.*)fred_axil.sv/&\n\1other.sv/
fusesoc fred_switch.core s/toplevel/top/
fusesoc fred_switch.core s/CAPI=2:/CAPI=2/
fusesoc fred_generator.core s/command/run/
fusesoc fred_generator.py s/gapi\["vlnv"\]/gapi["name"]/
bender Bender.yml /fred_axil.sv/d
bender Bender.yml s/^(.*)fred_axil.sv/&\n\1other.sv/
bender Bender.yml s/^sources/files/
ipxact fred_switch.xml s/fred_axil.sv/other.sv/
ipxact fred_switch.xml s/<ipxact:left>31</<ipxact:left>30</
ipxact fred_switch.xml s/'h400</'h404</
ipxact fred_switch.xml s/>m_axis_tdata</>s_axis_tdata</
ipxact fred_switch.xml s/<ipxact:bitOffset>16</<ipxact:bitOffset>17</
ipxact fred_switch.xml s/ipxact:vendor>/ipxact:seller>/g
ipxact fred_switch.xml s/<ipxact:size>32.*$//
ipxact fred_switch.xml s/clockPeriod units="ns">3.3/clockPeriod units="ns">3/
EDITS
echo "PASS $number designs, $spoiled spoiled files seen"

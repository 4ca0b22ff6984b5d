#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/fabrics.py BUILD [--seeds N] [--bytes N]: the long checks of fabrics, written to docs/results/fabrics.md.

Runs BUILD/tests/test_fabric: four groups over two leaves and a root under random skew, stalls and link errors, links that
are cut, switches that are reset, a stopped group, the rates; then the same with faults in the RTL, each of which must be
found. Exit code 1: something is wrong.
"""
import argparse
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What is broken, the file, the text in it, what takes its place.
FAULTS = [
    ("a step too many at every link", "fred_descriptor.sv", "assign stays = (left_q != '0) & ~is_alltoall;",
     "assign stays = ~is_alltoall;"),
    ("no further steps at a link", "fred_descriptor.sv", "assign stays = (left_q != '0) & ~is_alltoall;", "assign stays = 1'b0;"),
    ("a downlink counts steps of its own", "fred_launch.sv", "passes_i[I] ? arrived_i[I*StepW +: StepW] : own_step", "own_step"),
    ("the step of the head behind the launched one", "fred_link_ingress.sv",
     "always_ff @(posedge clk_i) step_q <= step;", "assign step_q = step;"),
    ("tags of link port 0 at all", "fred_launch.sv", "tag_i[(d*LinksP + i)*TagW +: TagW], slot", "tag_i[d*LinksP*TagW +: TagW], slot"),
    ("the virtual circuit in the place of the slot", "fred_circuits.sv", "Circuits'(slot_i[At +: Slots])",
     "Circuits'(vc_i[d*Vcs +: Vcs])"),
    ("places are told free too early", "fred_link_ingress.sv", "launched_i[i*C +: S] | dropped_i[i*C +: S];",
     "launched_i[i*C +: S] | dropped_i[i*C +: S] | {S{valid_i[i]}};"),
    ("places of dropped beats are never free", "fred_link_ingress.sv", "launched_i[i*C +: S] | dropped_i[i*C +: S];",
     "launched_i[i*C +: S];"),
    ("error beats are launched", "fred_ingress_vc.sv", "~(load ? framing | next_error : framing_q | error_q)",
     "~(load ? framing : framing_q)"),
    ("error beats are not reported", "fred_link_ingress.sv", "failed | (crosses &", "(crosses &"),
    ("a loss is not reported", "fred_link_ingress.sv", "failed | (crosses & enable_i & {D{lost_i[i]}})", "failed"),
    ("a packet goes on after a loss", "fred_link_ingress.sv", ".cut_i           (~flows_i[i]),", ".cut_i           (1'b0),"),
    ("slots are shared", "fred_link_table.sv", "~|no_slot & ~|shares &", "~|no_slot &"),
    ("sends cross links", "fred_link_table.sv", "~((|(in_q | out_q)) &", "~(1'b0 &"),
    ("a wrong bit of a link's entry is not seen", "fred_link_table.sv", "bad_o[d] <= |wrong[d*L +: L];", "bad_o[d] <= 1'b0;"),
    ("entries in use may be written", "fred_link_table.sv", " & ~|(named & in_use), read}", ", read}"),
    ("two slots are chosen at once", "fred_slot_order.sv", "before_o[s*S + t] <= t < s;", "before_o[s*S + t] <= 1'b0;"),
]


def run(build, cases, **environment):
    done = subprocess.run([build / "tests" / "test_fabric", cases], stdout=subprocess.PIPE, text=True,
                          env={**os.environ, **environment})
    return done.returncode, [line for line in done.stdout.splitlines() if not line.startswith(("[doctest]", "==="))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--bytes", type=int, default=1 << 20, help="a member's whole buffer, for the rates")
    args = parser.parse_args()
    code, seeds = run(args.build, "-tc=fabric: four groups*", FRED_FABRIC_SEEDS=str(args.seeds))
    code_rates, rates = run(args.build, "-tc=fabric: nearly*", FRED_FABRIC_BYTES=str(args.bytes))
    code_rest, rest = run(args.build, "-tce=fabric: four groups*,fabric: nearly*")
    if code or code_rates or code_rest:
        sys.exit("\n".join(seeds + rates + rest))
    for what, file, old, _ in FAULTS:
        if (ROOT / "rtl" / file).read_text(encoding="utf-8").count(old) != 1:
            sys.exit(f"{what}: the RTL has changed, write the fault anew: {old}")
    rows = []
    for what, file, old, new in FAULTS:
        found, _ = run(args.build, "-tc=*", FRED_FAULT=f"{file}|{old}|>{new}", FRED_FABRIC_SEEDS="5")
        rows.append(f"| {what} | `{file}` | {'found' if found else 'NOT FOUND'} |")
        print(rows[-1], flush=True)
    page = ["# Fabrics: every bit, whatever happens on the way", "",
            "Made by `make fabrics` (`scripts/fabrics.py`), on Verilated switches as `fred gen` writes them; what they are is "
            "in [../fabrics.md](../fabrics.md).", "",
            "## Four groups at once", "",
            "Two leaves of six ports and a root; an all-reduce of 3 members, an all-gather of 4, a reduce-scatter of 2, a "
            "broadcast of 2, two of each one behind the other, without a port in common, over all three switches. Every seed "
            "has its own data, start skew 0 to 1000 at every port both ways, stalls at sources, sinks and virtual circuits; in "
            "a third of them every 50th flit of all links is hit; two thirds have packets longer than all queues. None hung, "
            "all bits were right, no switch reported an error.", "", "```", *seeds, "```", "",
            "## Rates", "",
            f"Two leaves with three and two members, links of 20 cycles, {args.bytes:,} bytes, packets of 4096.", "",
            "```", *rates, "```", "",
            "## Faults in the RTL", "",
            "What is specific to link ports, broken on purpose; the tests of fabrics with five seeds.", "",
            "| fault | file | |", "|---|---|---|", *rows, ""]
    (ROOT / "docs" / "results" / "fabrics.md").write_text("\n".join(page), encoding="utf-8")
    if any("NOT FOUND" in row for row in rows):
        sys.exit("a fault was not found")


if __name__ == "__main__":
    main()

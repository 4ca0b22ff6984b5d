#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/exhaustive.py BUILD [--jobs N]: checks one reducing lane exhaustively, writes docs/results/exhaustive.md.

BUILD/tests/exhaustive compares every pair of the 8- and 16-bit formats and many of the larger ones; finished blocks
are kept in BUILD/exhaustive.state, so an interrupted run goes on, as long as RTL and reference are the same. Then
tests/exhaustive/depths.sh proves the pipelined lanes equivalent to those of least depth. Exit code 1: something
differs.
"""
import argparse
import collections
import hashlib
import os
import pathlib
import platform
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEAVES = ("reduce", "int_add", "fp_add", "fp_pick", "shift_sticky", "normalise", "delay")
RTL = [ROOT / "rtl" / f"fred_{leaf}.sv" for leaf in LEAVES]
# What the checks themselves are made of.
CHECKS = [*sorted(path for path in (ROOT / "tests" / "exhaustive").iterdir() if path.suffix in (".cpp", ".hpp", ".sv")),
          ROOT / "tests" / "numeric" / "oracle.hpp", ROOT / "gen" / "numeric" / "formats.hpp"]
HEAD = ["| format | operation | pairs | compared | differences | seconds |", "|---|---|---|--:|--:|--:|"]


def sha256(*paths):
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()

    state = args.build / "exhaustive.state"
    program = args.build / "tests" / "exhaustive"
    if not program.exists() or program.stat().st_mtime < max(path.stat().st_mtime for path in RTL + CHECKS):
        sys.exit(f"{program} is older than what it checks: build it first")
    # Of other RTL, or of another reference, the result is another one.
    tags = [sha256(*rtl, *CHECKS)[:16] for rtl in (RTL[2:], RTL, [])]
    run = subprocess.run([program, "--jobs", str(args.jobs), "--state", state, "--tags", *tags],
                         stdout=subprocess.PIPE, text=True)
    rows = re.findall(r"^((\S+) (\S+) (.+), (.+)): (\d+) pairs, (\d+) differences$", run.stdout, re.M)
    if run.returncode not in (0, 1) or not rows:
        sys.exit(f"{program}: exit code {run.returncode}")
    seconds = collections.Counter()  # of one core, by row
    for tag, row, took in re.findall(r"^(\S+) (.*) \d+: \d+ \d+ ([\d.]+)\.$", state.read_text(), re.M):
        seconds[row] += float(took) if tag in tags else 0
    table = {unit: [] for unit in ("fred_fp_add", "fred_reduce", "reference")}
    for row, unit, kind, operation, pairs, compared, differences in rows:
        table[unit].append(
            f"| {kind} | {operation} | {pairs} | {int(compared):,} | {differences} | {seconds[row]:.1f} |")
    depths = subprocess.run([ROOT / "tests" / "exhaustive" / "depths.sh"], stdout=subprocess.PIPE, text=True)
    proved = re.findall(r"^(\S+) depth (\d): (.*)$", depths.stdout, re.M)

    lines = [
        "# Exhaustive checks of one reducing lane",
        "",
        f"Made by `make exhaustive` on {platform.machine()}, {args.jobs} threads; {sum(seconds.values()):.0f} seconds of",
        "one core, each row's in its last column. *Pairs*: every pair there is; every pair of the corner values, some 800",
        "of a format, at which something changes (`tests/exhaustive/pairs.hpp`); or random ones weighted to cancellation,",
        "subnormals, ties, overflow and specials. *Pass*: the left operand comes out, bit for bit.",
        "",
        "## Adder",
        "",
        "Eight lanes of `fred_fp_add`, verilated at depth 0 (no registers), against reference arithmetic",
        "(`tests/exhaustive/reference.hpp`): for the 8-bit formats through binary64 and one rounding by counting units;",
        "for fp32 and fp64 the host's addition, which is the operation of IEEE 754 itself; for fp16 and bf16 the golden",
        "model, which adds in binary32 and rounds once more. Those two roundings give what one of the exact sum gives,",
        "since the 24 bits of binary32 are at least 2p + 2 for p of 11 and 8 ([numerics.md](../numerics.md)).",
        "",
        *HEAD,
        *table["fred_fp_add"],
        "",
        "## Whole lane of 8 bits",
        "",
        "Eight lanes of `fred_reduce` with all seven operations, verilated at depth 1; integers against the host's",
        "`int`, floating point as above. The pass is checked with the code of each operation.",
        "",
        *HEAD,
        *table["fred_reduce"],
        "",
        "## Reference",
        "",
        "The reference in its turn against MPFR, set to the precision and the exponent range of the format.",
        "",
        *HEAD,
        *table["reference"],
        "",
        "## Depths",
        "",
        "Yosys proves (`tests/exhaustive/depths.sh`), for any contents of the registers to begin with, that a lane of",
        "depth d returns what the one of least depth returned, so many cycles later: `fred_fp_add` of depth 1 to 4 against",
        "the combinational one, `fred_reduce` of int8 and uint8, with all operations, of depth 2 to 4 against depth 1.",
        "",
        "| format | depth | result |",
        "|---|--:|---|",
    ]
    lines += [f"| {format} | {depth} | {result} |" for format, depth, result in proved]
    lines += ["", "## What was checked", "", "| file | SHA-256 |", "|---|---|"]
    lines += [f"| `rtl/{path.name}` | `{sha256(path)}` |" for path in RTL]
    (ROOT / "docs" / "results" / "exhaustive.md").write_text("\n".join(lines) + "\n")
    return 1 if run.returncode or depths.returncode else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/links.py BUILD [--runs N] [--flits N]: the long checks of the link, written to docs/results/links.md.

Runs BUILD/tests/links: random runs (clean, with errors, cut and brought back, an end reset, a slot stopped), what comes
through at flit error rates of 0, 1e-3 and 1e-2 of two kinds, and the rate with the buffers that `fred link` works out. Exit code 1:
something is wrong.
"""
import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def check(build, *args):
    """What a check prints, without its first and last line."""
    run = subprocess.run([build / "tests" / "links", *map(str, args)], stdout=subprocess.PIPE, text=True)
    sys.stderr.write(run.stdout)
    if run.returncode != 0:
        sys.exit(f"links {' '.join(map(str, args))}: exit code {run.returncode}")
    return run.stdout.splitlines()[1:-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=1000, help="of each kind and each set of parameters")
    parser.add_argument("--flits", type=int, default=1_000_000, help="each way and error rate")
    args = parser.parse_args()
    runs = check(args.build, "check", "--runs", args.runs)
    goodput = check(args.build, "goodput", "--flits", args.flits)
    rates = check(args.build, "rates")
    page = ["# The link: nothing lost, nothing twice, at full rate", "",
            "Made by `make links` (`scripts/links.py`), on the Verilated RTL that `fred link` writes; what is checked is in "
            "[../links.md](../links.md).", "",
            "## Random runs", "",
            f"{args.runs:,} seeds of each kind with each of four sets of parameters, beats of every slot both ways, random "
            "latencies, packets and stalls. Every beat that came out is the one that went in, bit for bit, and no queue ever "
            "held more than it has places. Flits are hit by a wrong bit, a burst of up to 32, other words, a lost word, a "
            "beginning that is none or is not seen. In the runs with a reset what was under way may be lost; lost_o said so "
            "before anything newer came out, and nothing from before came out afterwards. A second reset may come before the "
            "first one has been told, or before the link runs again: then there is one loss, or none. One slot stopped: links "
            "with two slots or more.",
            "", "```", *runs, "```", "",
            "## Errors and what comes through", "",
            f"{args.flits:,} flits each way, saturated, an error in a share p of flits of both directions: a wrong bit, or a word "
            "that is lost. R is the number of flits from a hit one up to its repetition, measured in the same run; it is the "
            "same for both, so a lost word costs no other flit than its own.", "", *goodput, "",
            "## Full rate", "",
            "With the replay memory and the slot depth that `fred link` works out for a latency, and two flits' time more on "
            "the way, where the replay memory is too small. Below, beats that come alone or in pairs: the longest way, and the "
            "bound of ../links.md.", "", *rates, ""]
    (ROOT / "docs" / "results" / "links.md").write_text("\n".join(page), encoding="utf-8")


if __name__ == "__main__":
    main()

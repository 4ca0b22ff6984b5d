#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/router.py BUILD [--instances N]: the router's long checks, written to docs/results/router.md.

Runs BUILD/tests/routing (search against SAT, times at 64 and 1024 ports, every MP x PP x DP, random routes through
Verilated switches) and the two groupings for which the paper's claim does not hold through `fred run`. Exit code 1:
something is wrong.
"""
import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def check(build, *args):
    """The figures that a check prints, by name."""
    run = subprocess.run([build / "tests" / "routing", *map(str, args)], stdout=subprocess.PIPE, text=True)
    sys.stderr.write(run.stdout)
    if run.returncode != 0:
        sys.exit(f"routing {' '.join(map(str, args))}: exit code {run.returncode}")
    return dict(line.split(": ", 1) for line in run.stdout.splitlines() if ": " in line)


def time_shared(build, radix, *groups):
    command = ["run", "--radix", str(radix), "--dtype", "int8", "--vcs", "1", "--bytes", "4096", *groups, "--json", "-"]
    run = subprocess.run([build / "fred", *command], stdout=subprocess.PIPE, text=True)
    result = json.loads(run.stdout)
    phase = result["phases"][0]
    if run.returncode != 0 or result["mismatches"] != 0 or len(phase["rounds"]) != 2 or phase["at_least"] != 2:
        sys.exit(f"fred {' '.join(command)}: not as it should be")
    quoted = " ".join(f'"{word}"' if ";" in word else word for word in command[:-2])
    return f"| `fred {quoted}` | 2, proved | {phase['predicted_cycles']:,} | {phase['cycles']:,} | 0 |"


def number(text):
    return f"{int(text):,}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--instances", type=int, default=1_000_000, help="small instances for search against SAT")
    args = parser.parse_args()

    agree = check(args.build, "agree", "--instances", args.instances)
    speed = check(args.build, "speed")
    large = check(args.build, "large")
    jobs = check(args.build, "factorisations")
    shared = [time_shared(args.build, 12, "--groups", "0,2,4;1,6,8;3,7,10;5,9,11"),
              time_shared(args.build, 6, "--flows", "3,4>2;1>3,5;5>0,4;0,2>1")]
    rtl = check(args.build, "rtl")
    lines = [
        "# The router: exact, fast, and right in the RTL",
        "",
        "Made by `make router` (`scripts/router.py`). Absolute times are of one shared machine; the reference computation "
        "beside them (2^27 steps of a linear congruential generator) says how fast it was.",
        "",
        "## Two methods, one answer",
        "",
        f"{number(agree['instances'])} random instances, P = 2 to 12, m = 2 to 4, groups and flows with other outputs than "
        f"inputs, {number(agree['with broken links'])} of them with broken links: the search by itself and SAT by itself "
        f"agree on all. {number(agree['routable'])} route, and the checker accepts both answers; "
        f"{number(agree['not routable'])} do not. Of {number(agree['conflicts checked'])} conflicts every one is minimal "
        f"(without any one of its flows the rest routes, by SAT), and {number(agree['of these proved smallest'])} are "
        "proved smallest.",
        "",
        "## Time of an exact answer, 64 ports, m = 3",
        "",
        f"{number(speed['instances'])} instances, group sizes uniform in 2 to 8 until all ports are in use; every other one "
        "is at the boundary: ports of its groups were exchanged at random until the answer changed. The time includes the "
        "checker, or the conflict with its proof. Medians of 5 runs.",
        "",
        "| | |",
        "|---|--:|",
        f"| routable | {speed['routable']} |",
        f"| of the random half | {speed['routable of the random half']} |",
        f"| of the half at the boundary | {speed['routable of the half at the boundary']} |",
        f"| mean | {speed['mean']} |",
        f"| 99th percentile | {speed['99th percentile']} |",
        f"| longest | {speed['longest']} |",
        f"| reference computation | {speed['reference computation']} |",
        "",
        "## 1024 ports, m = 3, mp=8,dp=16,pp=8",
        "",
        "| | |",
        "|---|--:|",
        f"| network of {number(large['links'])} links | {large['network']} |",
        f"| placement, and routes of all phases | {large['placement and routes']} |",
        f"| checker | {large['checker']} |",
        f"| all | {large['all']} |",
        f"| reference computation | {large['reference computation']} |",
        "",
        "Medians of 5 runs.",
        "",
        "## Every MP x PP x DP = P",
        "",
        "| P, m | jobs; rounds a phase; wrong by the checker |",
        "|---|---|",
        *[f"| {name} | {text} |" for name, text in jobs.items() if name.startswith("P = ")],
        "",
        "At m = 3 the placement is the paper's (MP fastest, then PP, then DP); at m = 2 `--parallelism` finds another where "
        "that one does not do.",
        "",
        "## What does not fit takes turns",
        "",
        "| command | rounds | predicted cycles | measured | mismatches |",
        "|---|---|--:|--:|--:|",
        *shared,
        "",
        "## Through the RTL",
        "",
        f"{number(rtl['instances'])} random sets of groups or flows, {number(rtl['collectives'])} collectives of all ten "
        "kinds, radix 2 to 20, m = 2 on even and 3 on odd radices, through Verilated switches, every bit checked: "
        f"{rtl['wrong']} wrong. {number(rtl['in more than one round'])} took turns. {number(rtl['with broken parts'])} ran "
        "on switches of which one or two kinds of links turn over every bit (in all subnetworks of a level), routed around "
        "them. That the links are broken is seen when the router is not told: of "
        f"{number(rtl['routed without knowing of broken parts'])} such runs "
        f"{number(rtl['of these wrong, as they should'])} were wrong, the others used none of them.",
        "",
    ]
    (ROOT / "docs" / "results" / "router.md").write_text("\n".join(lines))


if __name__ == "__main__":
    main()

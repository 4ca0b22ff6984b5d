#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/bench.py BUILD [--quick]: measures and writes docs/results/bench.md.

Cycles and efficiency are exact and the same everywhere; seconds and cycles/s are of one machine at one time, so only
their ratios within a run mean something. --quick runs radix 2 to 5 with 64 KiB and prints instead of writing.
"""
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = "allreduce,allgather,reducescatter,alltoall"


def fred(build, *arguments):
    """Runs `fred` and returns its standard output."""
    return subprocess.run([build / "fred", *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True).stdout


def run(build, cache, radix, options):
    command = ["run", "--radix", radix, *options]
    return json.loads(fred(build, *command, "--cache", cache, "--json", "-"))


def throughput(build, cache, radices, size):
    options = ["--middle", 3, "--dtype", "bf16", "--lanes", 16, "--collective", KINDS, "--bytes", size]
    lines = [
        f"`fred run --radix P {' '.join(map(str, options))}`, mismatches over all: MISMATCHES.",
        "",
        "| P | collective | beats | cycles | efficiency | first beat | predicted | model build s | cycles/s |",
        "|--:|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    wrong = 0
    for radix in radices:
        result = run(build, cache, radix, options)
        wrong += result["mismatches"]
        for i, row in enumerate(result["collectives"]):
            tail = f"{result['build_seconds']:.0f} | {result['sim_cycles_per_second']:.0f}" if i == 0 else "| "
            lines.append(
                f"| {radix} | {row['kind']} | {row['beats']} | {row['cycles']} | {row['efficiency']:.4f} "
                f"| {row['first_beat_latency']} | {result['zero_load_latency']} | {tail} |")
        print(lines[-4], file=sys.stderr)
    lines[0] = lines[0].replace("MISMATCHES", str(wrong))
    return lines


def icarus(build, cache, radix, size):
    """The same vectors in Icarus and in Verilator: cycles/s of each, and the ratio."""
    design = ["--middle", 3, "--dtype", "bf16", "--lanes", 4]
    traffic = ["--collective", KINDS, "--bytes", size, "--stall-in", 0.2, "--stall-out", 0.2]
    with tempfile.TemporaryDirectory() as folder:
        run(build, cache, radix, design + traffic)  # builds the model
        fast = run(build, cache, radix, design + traffic)["sim_cycles_per_second"]
        vectors = pathlib.Path(folder) / "vectors"
        run(build, cache, radix, design + traffic + ["--vectors", vectors])
        rtl = pathlib.Path(folder) / "rtl"
        fred(build, "gen", "--radix", radix, *design, "-o", rtl)
        files = [rtl / line for line in (rtl / "fred_switch.f").read_text().split()]
        subprocess.run(["iverilog", "-g2012", "-o", vectors / "sim", "-s", "replay", *files, vectors / "replay.sv"],
                       check=True, stderr=subprocess.DEVNULL)
        begin = time.monotonic()
        out = subprocess.run(["vvp", "-n", "sim"], cwd=vectors, check=True, stdout=subprocess.PIPE, text=True).stdout
        seconds = time.monotonic() - begin
    if not out.startswith("PASS: "):
        sys.exit(f"Icarus disagrees:\n{out}")
    cycles = int(out.split()[1])
    slow = cycles / seconds
    return [
        f"`fred run --radix {radix} {' '.join(map(str, design + traffic))} --vectors DIR`, replayed by Icarus with every "
        f"output pin compared in every cycle: {cycles} cycles, all equal.",
        "",
        "| simulator | cycles/s | ratio |",
        "|---|--:|--:|",
        f"| Verilator, with drivers, scoreboard and protocol checkers | {fast:.0f} | {fast / slow:.0f} |",
        f"| Icarus, replaying | {slow:.0f} | 1 |",
    ]


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    quick = "--quick" in sys.argv[2:]
    # An empty cache of its own: the build times are those of real builds.
    cache = pathlib.Path(tempfile.mkdtemp())
    os.environ["CCACHE_DISABLE"] = "1"
    try:
        lines = ["# Throughput, latency and simulation speed", "",
                 f"Made by `make bench` with {fred(build, '--version').strip()} on {os.cpu_count()} cores "
                 f"({platform.machine()}). Cycles are exact; seconds are this machine's.", "",
                 "## Collectives of 1 MiB on one group of all ports" if not quick else "## Quick", ""]
        lines += throughput(build, cache, [2, 3, 5] if quick else [2, 3, 5, 8, 12, 16], 65536 if quick else 1048576)
        lines += ["", "## Verilator and Icarus", ""]
        lines += icarus(build, cache, 4 if quick else 8, 4096 if quick else 16384)
    finally:
        shutil.rmtree(cache)
    text = "\n".join(lines) + "\n"
    if quick:
        print(text)
    else:
        (ROOT / "docs" / "results").mkdir(exist_ok=True)
        (ROOT / "docs" / "results" / "bench.md").write_text(text)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/synthesis.py BUILD [--jobs N] [--quick]: measures and writes docs/results/synthesis.md.

Every figure is one `fred synth`, whose JSON is kept in BUILD/synthesis: what is there already is not measured again,
so an interrupted run goes on. `rm -r BUILD/synthesis` starts anew. --quick takes radix 4 alone and prints.
"""
import argparse
import concurrent.futures
import hashlib
import json
import math
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Lab:
    """Runs `fred synth` once for each command, several at a time."""

    def __init__(self, build, jobs):
        self.fred = build / "fred"
        self.kept = build / "synthesis"
        self.kept.mkdir(exist_ok=True)
        self.program = hashlib.sha256(self.fred.read_bytes()).hexdigest()
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.results = {}

    def ask(self, options):
        if options not in self.results:
            self.results[options] = self.pool.submit(self._run, options)

    def __getitem__(self, options):
        self.ask(options)
        return self.results[options].result()

    def _run(self, options):
        # Of another program the result is another one.
        kept = self.kept / (hashlib.sha256((self.program + options).encode()).hexdigest()[:24] + ".json")
        if not kept.exists():
            with tempfile.TemporaryDirectory() as folder:
                part = pathlib.Path(folder) / "result.json"
                command = [self.fred, "synth", *options.split(), "-o", pathlib.Path(folder) / "out", "--json", part]
                done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                if done.returncode != 0:
                    raise RuntimeError(f"fred synth {options}: exit code {done.returncode}\n{done.stdout[-2000:]}")
                unfinished = kept.with_suffix(f".{os.getpid()}.{options.__hash__()}")
                unfinished.write_text(part.read_text())
                unfinished.rename(kept)
            print(f"fred synth {options}", file=sys.stderr, flush=True)
        return json.loads(kept.read_text())


def least_period(result):
    """Nanoseconds between registers, the worst of what was timed; None where there is no such path."""
    asic = result["asic"]
    paths = [asic.get("registered"), asic["paths"]["register_to_register"]]
    periods = [path["least_period_ps"] for path in paths if path]
    return max(periods) / 1000 if periods else None


def worst_place(result):
    asic = result["asic"]
    paths = [p for p in (asic.get("registered"), asic["paths"]["register_to_register"]) if p]
    path = max(paths, key=lambda p: p["least_period_ps"])
    start, end = path["start_part"], path["end_part"]
    return start if start == end else f"{start} to {end}"


def network_area(result):
    return sum(part["area"] for part in result["asic"]["parts"] if part["name"].startswith("network"))


def shell_share(result):
    """Everything but network and memories, of everything but memories, from the mapping that keeps the hierarchy."""
    asic = result["asic"]
    assert asic["mapping"].startswith("summed"), asic["mapping"]
    rest = asic["total"]["area"] - asic["memories"]["area"]
    return 1 - network_area(result) / rest


def alone(lab, quick):
    radix = 4 if quick else 8
    base = f"--target osu018 --leaf network --radix {radix} --dtype int32 --ops sum"
    rows = [(m, check, f"{base} --middle {m}{check}") for m in (2, 3) for check in ("", " --no-conflict-check")]
    for *_, options in rows:
        lab.ask(options)
    yield f"## The interconnect alone, {radix} ports of one int32, sum"
    yield ""
    yield f"`fred synth {base} --middle M [--no-conflict-check]`; all that carries and uses the routes is in it."
    yield ""
    yield "| M | conflict check | area | cells | flip-flops | least period ns |"
    yield "|--:|---|--:|--:|--:|--:|"
    for m, check, options in rows:
        result = lab[options]
        total = result["asic"]["total"]
        yield (f"| {m} | {'no' if check else 'yes'} | {total['area']:,.0f} | {total['cells']:,} | "
               f"{total['flip_flops']:,} | {least_period(result):.2f} |")
    yield ""


def clock(lab, quick):
    reduce = "--target osu018 --leaf reduce --dtype int32 --ops sum"
    rows = [("reduce, between registers", reduce)]
    for radix in (4,) if quick else (4, 8, 16):
        for m in (2, 3):
            rows.append((f"network, P = {radix}, m = {m}",
                         f"--target osu018 --leaf network --radix {radix} --middle {m} --dtype int32 --ops sum"))
    for radix in (4,) if quick else (4, 8, 16):
        for vcs in (1, 4):
            rows.append((f"whole switch, P = {radix}, m = 3, D = 16, V = {vcs}",
                         f"--target osu018 --radix {radix} --middle 3 --descriptors 16 --dtype int32 --ops sum --vcs {vcs}"))
    for _, options in reversed(rows):
        lab.ask(options)
    yield "## Clock: what the network and the control add to the adder"
    yield ""
    yield "int32, sum, one lane, A = 1. Least period between registers; ratio to the adder's."
    yield ""
    yield "| what | least period ns | ratio | worst path | command: `fred synth` |"
    yield "|---|--:|--:|---|---|"
    first = None
    for name, options in rows:
        result = lab[options]
        period = least_period(result)
        first = first or period
        place = worst_place(result) if "leaf reduce" not in options else "reducer"
        yield f"| {name} | {period:.2f} | {period / first:.2f} | {place} | `{options}` |"
    yield ""


def growth(lab, quick):
    radices = (4,) if quick else (4, 8, 12, 16)
    grid = [(dtype, lanes, m, radix) for dtype in ("int32", "bf16") for lanes in (1, 16) for m in (2, 3)
            for radix in radices]
    base = "--target osu018 --hierarchical --ops sum"

    def options(dtype, lanes, m, radix):
        return f"{base} --dtype {dtype} --lanes {lanes} --middle {m} --radix {radix}"

    for point in sorted(grid, key=lambda p: -p[1] * p[3]):
        lab.ask(options(*point))
    yield "## Whole switches, and how they grow"
    yield ""
    yield (f"`fred synth {base} --dtype T --lanes N --middle M --radix P`: each distinct module mapped once and summed, "
           "so areas are comparable with each other, and larger than of a flattened design; D = 8, V = 4. Memories as flip-flops, "
           "apart. Shell: all but network and memories. The period is of that mapping, in which nothing is buffered "
           "across modules; a flattened switch is faster (above).")
    yield ""
    yield "| type | lanes | M | P | network | shell | shell % | memories | memory bits | flip-flops | least period ns | fmax MHz | worst path |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|"
    for point in grid:
        dtype, lanes, m, radix = point
        result = lab[options(*point)]
        asic = result["asic"]
        rest = asic["total"]["area"] - asic["memories"]["area"]
        network = network_area(result)
        flops = asic["total"]["flip_flops"] - asic["memories"]["flip_flops"]
        yield (f"| {dtype} | {lanes} | {m} | {radix} | {network:,.0f} | {rest - network:,.0f} | "
               f"{100 * shell_share(result):.1f} | {asic['memories']['area']:,.0f} | {asic['memories']['bits']:,} | "
               f"{flops:,} | {least_period(result):.2f} | {1000 / least_period(result):.0f} | {worst_place(result)} |")
    if quick:
        return
    yield ""
    yield "Area as a power of the radix between P = 4 and P = 16 (1: in proportion to the ports):"
    yield ""
    yield "| type | lanes | M | network | shell |"
    yield "|---|--:|--:|--:|--:|"
    for dtype in ("int32", "bf16"):
        for lanes in (1, 16):
            for m in (2, 3):
                low, high = (lab[options(dtype, lanes, m, radix)] for radix in (4, 16))

                def power(area):
                    return math.log(area(high) / area(low)) / math.log(4)

                def shell(result):
                    asic = result["asic"]
                    return asic["total"]["area"] - asic["memories"]["area"] - network_area(result)

                yield f"| {dtype} | {lanes} | {m} | {power(network_area):.2f} | {power(shell):.2f} |"
    yield ""


def fpga(lab, quick):
    ice = "--target ice40 --radix 4 --middle 2 --dtype int16 --ops sum --descriptors 4 --vcs 1"
    rows = [(target, f"--target {target} --radix {4 if quick else 8} --middle 3 --dtype bf16 --ops sum")
            for target in ("ecp5", "xilinx", "gowin")]
    seeds = [ice] + [f"{ice} --seed {seed}" for seed in range(2, 2 if quick else 5)]
    for options in seeds + [options for _, options in rows]:
        lab.ask(options)
    placed = lab[ice]["fpga"]["placed"]
    yield "## FPGAs"
    yield ""
    yield (f"`fred synth {ice}`: a complete switch with AXI4-Lite on an iCE40 {placed['device'].upper()}, placed and "
           f"routed in a harness of five pins: {placed['fmax_mhz']:.1f} MHz (icetime), "
           f"{placed['nextpnr_mhz']:.1f} MHz (nextpnr).")
    if not quick:
        others = ", ".join(f"{lab[options]['fpga']['placed']['fmax_mhz']:.1f}" for options in seeds[1:])
        yield f"With `--seed` 2, 3 and 4: {others} MHz (icetime)."
    yield ""
    used = placed["used"]
    yield "| resource | used | available |"
    yield "|---|--:|--:|"
    for name, count in used.items():
        yield f"| {name} | {count['used']} | {count['available']} |"
    yield ""
    yield f"`fred synth {rows[0][1].replace('ecp5', 'T')}`, mapped:"
    yield ""
    names = []
    for _, options in rows:
        names += [name for name in lab[options]["fpga"]["resources"] if name not in names]
    yield "| T | " + " | ".join(names) + " |"
    yield "|---|" + "--:|" * len(names)
    for target, options in rows:
        found = lab[options]["fpga"]["resources"]
        yield f"| {target} | " + " | ".join(str(found.get(name, 0)) for name in names) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    lab = Lab(arguments.build, arguments.jobs)
    sections = [section(lab, arguments.quick) for section in (alone, clock, growth, fpga)]
    heads = [next(section) for section in sections]  # every section has now asked for all that it needs
    tools = lab["--target osu018 --leaf reduce --dtype int32 --ops sum"]["tools"]
    lines = ["# Area and clock", "",
             f"Made by `make results` with {', '.join(tools)} and the OSU 0.18 um library, typical corner, on "
             f"{platform.machine()}. Areas are in the library's unit; periods are from register to register, setup "
             "included, without wires. What is run, and what its limits are, is in "
             "[synthesis.md](../synthesis.md).", ""]
    for head, section in zip(heads, sections):
        lines += [head, *section]
    text = "\n".join(lines).rstrip() + "\n"
    if arguments.quick:
        print(text)
    else:
        (ROOT / "docs" / "results" / "synthesis.md").write_text(text)


if __name__ == "__main__":
    main()

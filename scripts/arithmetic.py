#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/arithmetic.py BUILD [--jobs N] [--quick]: measures one lane of every element type, writes
docs/results/arithmetic.md.

Each figure is one run of Yosys, ABC and OpenSTA, the flow of docs/synthesis.md for osu018, on one lane as one netlist.
Results are kept in BUILD/arithmetic, by what went in, so an interrupted run goes on. --quick measures bf16 without
registers and prints it.
"""
import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import random
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIBERTY = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"
CONSTRAINTS = "set_driving_cell INVX4\nset_load 0.05\n"
LEAVES = ("reduce", "int_add", "fp_add", "fp_pick", "shift_sticky", "normalise", "delay")
RTL = [ROOT / "rtl" / f"fred_{leaf}.sv" for leaf in LEAVES]
FLOATS = {  # of fred_fp_add ExpW, ManW, Finite; of fred_reduce DType
    "fp8 E5M2": (5, 2, 0, 12),
    "fp8 E4M3": (4, 3, 1, 11),
    "fp16": (5, 10, 0, 1),
    "bf16": (8, 7, 0, 2),
    "fp32": (8, 23, 0, 3),
    "fp64": (11, 52, 0, 13),
}
INTEGERS = {  # bits; DType of the signed and of the unsigned one
    "int8": (8, 5), "uint8": (8, 7),
    "int16": (16, 4), "uint16": (16, 8),
    "int32": (32, 0), "uint32": (32, 9),
    "int64": (64, 6), "uint64": (64, 10),
}
SUM, ARITHMETIC, ALL = range(3)  # which operations
ORDERS = 8  # of ports, for the spread
PERIOD = 100  # ns, longer than any path

YOSYS = """
read_verilog -sv {rtl} lane.sv
synth -flatten -top lane
dfflibmap -liberty {liberty}
abc -liberty {liberty} -D 3000 -constr abc.constr
opt_clean -purge
tee -q -o stat.txt stat -liberty {liberty}
splitnets -ports
opt_clean
write_verilog -noattr netlist.v
"""

# Inputs are ideal, outputs bear no load; with registers the clock is ideal and setup counts.
STA = """
read_liberty {liberty}
read_verilog netlist.v
link_design lane
create_clock -name clock -period {period} {clock}
set_input_delay 0 -clock clock [all_inputs]
set_output_delay 0 -clock clock [all_outputs]
report_checks -format full -digits 4 -no_line_splits
"""


def lane(instance, parameters, width, controls, constants, order=0):
    """A module `lane` of one instance. Each order but 0 permutes the ports and their bits, which changes nothing but
    what ABC happens to find."""
    ports = ["clk_i", *controls, "a_i", "b_i", "y_o"]
    places = {name: list(range(width)) for name in ("a_i", "b_i", "y_o")}
    if order:
        luck = random.Random(order)
        luck.shuffle(ports)
        for bits in places.values():
            luck.shuffle(bits)
    kinds = {name: f"logic [{width - 1}:0] " if name in places else "logic " for name in ports}
    directions = {name: "output " if name == "y_o" else "input " for name in ports}
    pins = {name: name for name in ports} | constants
    pins |= {name: "{" + ", ".join(f"{name}[{bit}]" for bit in bits) + "}" for name, bits in places.items()}
    return (f"module lane ({', '.join(directions[p] + kinds[p] + p for p in ports)});\n"
            f"  {instance} #({', '.join(f'.{n}({v})' for n, v in parameters.items())}) u_lane (\n    "
            + ",\n    ".join(f".{n}({v})" for n, v in pins.items()) + ");\nendmodule\n")


def adder(kind, depth, operations, order=0):
    """fred_fp_add: the sum alone, or all it has."""
    exp, man, finite, _ = FLOATS[kind]
    parameters = {"ExpW": exp, "ManW": man, "Finite": f"1'd{finite}", "Latency": depth}
    constants = {"sum_i": "1'b1", "max_i": "1'b0", "saturate_i": "1'b0"} if operations == SUM else {}
    controls = [name for name in ("sum_i", "max_i", "pass_i", "saturate_i") if name not in constants]
    return lane("fred_fp_add", parameters, 1 + exp + man, controls, constants, order)


def reducer(kind, depth, operations):
    """fred_reduce, which always has a register."""
    width, dtype = INTEGERS.get(kind) or (1 + sum(FLOATS[kind][:2]), FLOATS[kind][3])
    ops = {SUM: 1, ARITHMETIC: 15, ALL: 127}[operations]
    op_width = 3 if ops > 15 else 2
    parameters = {"DType": dtype, "Ops": ops, "OpW": op_width, "Latency": depth}
    controls, constants = (["pass_i"], {"op_i": "2'd0"}) if ops == 1 else (["op_i", "pass_i"], {})
    text = lane("fred_reduce", parameters, width, controls, constants)
    return text.replace("input logic op_i", f"input logic [{op_width - 1}:0] op_i")


def lane_of(kind, depth, operations):
    """The text of a lane, or None where there is no such lane."""
    if kind in FLOATS and (depth == 0 or operations == SUM):
        return None if operations == ALL else adder(kind, depth, operations)
    return None if depth == 0 else reducer(kind, depth, operations)


class Lab:
    """Measures each lane once, several at a time."""

    def __init__(self, build, jobs):
        self.kept = build / "arithmetic"
        self.kept.mkdir(parents=True, exist_ok=True)
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.results = {}

    def ask(self, text):
        if text not in self.results:
            self.results[text] = self.pool.submit(self._run, text)

    def __getitem__(self, text):
        """Area, flip-flops, and the worst path in nanoseconds."""
        self.ask(text)
        return self.results[text].result()

    @staticmethod
    def _rtl(text):
        """The files a lane is made of. Others would change the names in the netlist, and with them ABC's luck."""
        return RTL[2:] if "fred_fp_add" in text else RTL

    def _run(self, text):
        source = b"".join(path.read_bytes() for path in self._rtl(text))
        kept = self.kept / hashlib.sha256(source + (YOSYS + STA + text).encode()).hexdigest()[:24]
        if not kept.exists():
            with tempfile.TemporaryDirectory() as folder:
                self._measure(pathlib.Path(folder), text, kept)
        area, flops, path = kept.read_text().split()
        return round(float(area)), int(flops), float(path)

    def _measure(self, folder, text, kept):
        (folder / "lane.sv").write_text(text)
        (folder / "abc.constr").write_text(CONSTRAINTS)
        (folder / "map.ys").write_text(YOSYS.format(rtl=" ".join(map(str, self._rtl(text))), liberty=LIBERTY))
        self._call(folder, "yosys", "-q", "-s", "map.ys")
        stat = (folder / "stat.txt").read_text()
        flops = sum(int(n) for n in re.findall(r"^ +DFF\w+ +(\d+)$", stat, re.M))
        (folder / "sta.tcl").write_text(STA.format(liberty=LIBERTY, period=PERIOD, clock="[get_ports clk_i]" if flops else ""))
        slack = re.search(r"^ *(-?[\d.]+) +slack", self._call(folder, "sta", "-no_splash", "-exit", "sta.tcl"), re.M)
        area = re.search(r"Chip area for module '\\lane': ([\d.]+)", stat)[1]
        unfinished = kept.with_suffix(f".{os.getpid()}")
        unfinished.write_text(f"{area} {flops} {PERIOD - float(slack[1]):.3f}\n")
        unfinished.rename(kept)

    @staticmethod
    def _call(folder, *command):
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{command[0]}: exit code {done.returncode}\n{done.stdout[-2000:]}")
        return done.stdout


def figures(lab, kind, operations):
    """Cells of area, flip-flops, worst path, for each depth there is."""
    rows = {}
    for depth in range(5):
        lanes = [lane_of(kind, depth, what) for what in operations]
        if any(lanes):
            rows[depth] = " | ".join("{:,} | {} | {:.2f}".format(*lab[text]) if text else "- | - | -" for text in lanes)
    return rows


def table(lab, *operations):
    """A row a type and depth; types whose figures are all the same share rows."""
    titles = ["", " with bitwise"][:len(operations)]
    columns = [f"area{title} | flip-flops{title} | worst path{title}, ns" for title in titles]
    lines = [f"| type | depth | {' | '.join(columns)} |", "|---|--:|" + "--:|--:|--:|" * len(titles)]
    same = []  # lists of types, with their figures
    for kind in [*FLOATS, *INTEGERS]:
        rows = figures(lab, kind, operations)
        if same and same[-1][1] == rows:
            same[-1][0].append(kind)
        else:
            same.append(([kind], rows))
    return lines + [f"| {', '.join(kinds)} | {depth} | {row} |" for kinds, rows in same for depth, row in rows.items()]


def spread(lab):
    lines = ["| type | area | worst path, ns |", "|---|--:|--:|"]
    for kind in FLOATS:
        runs = [lab[adder(kind, 0, SUM, order)] for order in range(ORDERS)]
        areas, paths = [run[0] for run in runs], [run[2] for run in runs]
        lines.append(f"| {kind} | {min(areas):,} to {max(areas):,}, mean {sum(areas) / ORDERS:,.0f} "
                     f"| {min(paths):.2f} to {max(paths):.2f}, mean {sum(paths) / ORDERS:.2f} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--quick", action="store_true")
    args = parser.parse_args()
    lab = Lab(args.build, args.jobs)
    if args.quick:
        area, _, path = lab[adder("bf16", 0, SUM)]
        print(f"bf16, sum, no registers: area {area}, {path:.2f} ns")
        return

    for operations in (SUM, ARITHMETIC, ALL):
        for depth in range(5):
            for kind in [*FLOATS, *INTEGERS]:
                if text := lane_of(kind, depth, operations):
                    lab.ask(text)
    for order in range(ORDERS):
        for kind in FLOATS:
            lab.ask(adder(kind, 0, SUM, order))
    yosys = subprocess.run(["yosys", "-V"], stdout=subprocess.PIPE, text=True).stdout.split(" (")[0]
    lines = [
        "# Arithmetic: one lane of every type",
        "",
        f"Made by `make arithmetic` with {yosys} and OpenSTA, {LIBERTY.rsplit('/', 1)[1]} (area in its unit; NAND2X1 has",
        "24). A lane is one netlist: `fred_reduce`, or `fred_fp_add` alone for floating point without registers and in",
        "the first table. Yosys: `synth -flatten`, `dfflibmap`, `abc -D 3000` with INVX4 as driving cell and a load of",
        "0.05. *Depth* is the number of register stages, 0 none at all; an integer lane has at least one. The worst path is",
        "the slowest of all paths, from inputs and to outputs too, with setup where it ends in a register: ideal inputs,",
        "outputs without load, ideal clock, no wires.",
        "",
        "ABC's luck is 5 to 10 %: see the last table before comparing. Each type was measured; types whose figures are all",
        "the same share rows.",
        "",
        "## Sum",
        "",
        "Sum of two operands, or one of them as it is (`pass_i`). Integers wrap, so those with and without a sign are the",
        "same logic, and differ by luck alone. Floating point is correct in all cases: subnormals in and out, round to",
        "nearest even, infinities, signed zeros, one NaN.",
        "",
        *table(lab, SUM),
        "",
        "## All operations",
        "",
        "Sum, saturating sum, minimum, maximum, pass, chosen at run time (`Ops` 15). *With bitwise*: and, or, xor too",
        "(`Ops` 127).",
        "",
        *table(lab, ARITHMETIC, ALL),
        "",
        "## The same lane again",
        "",
        f"Sum at depth 0, {ORDERS} times with ports and bits in other orders: the same logic, other netlists.",
        "",
        *spread(lab),
    ]
    (ROOT / "docs" / "results" / "arithmetic.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

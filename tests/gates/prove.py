#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves that a mapped netlist does what the RTL does: prove.py DIR, the output folder of `fred synth` for a Liberty
library. Exit code 0: proved, 1: not equivalent, 2: could not be decided.

Yosys reads both sides: the RTL, taken to gates but not optimised, and netlist.v with each cell replaced by the function
that the Liberty file gives for it. Both are cut at the flip-flops and at the memories, and ABC's `cec` decides whether
the two combinational circuits are equal for all inputs and all states:

  outputs    each output port; each input of each memory of the netlist; the next state of each register
  inputs     each input port; each output of each memory; the state, one variable for each flip-flop of the netlist

A register of the RTL reads the net of its name in the netlist: a flip-flop, which need not be its own (equal registers
are merged), or a constant (a register that nothing changes; what it wakes up with is for the netlist to choose). What
is proved of it is that its next state is again the next state of that net. So this is an induction: where both sides
start with corresponding states, they agree for ever. Of a register that the netlist lost altogether the state is a free
variable: nothing may depend on it. Nothing is assumed of a flip-flop of the netlist that no register names.

Each memory is then proved likewise, as a module: a word of the RTL is a row of flip-flops of the netlist.
"""

import functools
import json
import operator
import os
import random
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

GATES = {  # rows of a BLIF cover, inputs in the order given
    "$_NOT_": ("A", ["0 1"]),
    "$_BUF_": ("A", ["1 1"]),
    "$_AND_": ("AB", ["11 1"]),
    "$_OR_": ("AB", ["1- 1", "-1 1"]),
    "$_XOR_": ("AB", ["10 1", "01 1"]),
    "$_MUX_": ("ABS", ["1-0 1", "-11 1"]),
}


DENSITIES = [(operator.and_, n) for n in (1, 2, 4)] + [(operator.or_, n) for n in (2, 4, 6)]
EVERY = (1 << (256 * len(DENSITIES))) - 1


class Undecided(Exception):
    """The circuits are of a form that this proof does not cover."""


@dataclass
class Circuit:
    """A module cut at its flip-flops and memories. A bit is Yosys' number of a net, or "0", "1", "x", "z"."""

    inputs: dict = field(default_factory=dict)  # name of an input port's or a memory output's bit -> bit
    outputs: dict = field(default_factory=dict)  # the same of output ports and memory inputs
    nets: dict = field(default_factory=dict)  # (name of a wire, index in it) -> bit
    next: dict = field(default_factory=dict)  # of each flip-flop: bit of Q -> bit of D
    gates: list = field(default_factory=list)  # (rows of its cover, bits of its inputs, bit of its output)
    memories: dict = field(default_factory=dict)  # instance -> module

    def driven(self):
        return set(self.inputs.values()) | set(self.next) | {gate[2] for gate in self.gates}


def is_memory(kind):
    return re.search(r"\bfred_ram_\w+", kind) is not None


def circuit(design, name):
    module = design["modules"][name]
    cut = Circuit()
    for port, value in module["ports"].items():
        into = cut.inputs if value["direction"] == "input" else cut.outputs
        into.update({f"{port}[{n}]": bit for n, bit in enumerate(value["bits"])})
    for wire, value in module["netnames"].items():
        cut.nets.update({(wire, n + value.get("offset", 0)): bit for n, bit in enumerate(value["bits"])})
    for instance, cell in module["cells"].items():
        kind, pins = cell["type"], cell["connections"]
        if kind in GATES:
            names, rows = GATES[kind]
            cut.gates.append((rows, [pins[pin][0] for pin in names], pins["Y"][0]))
        elif kind == "$_DFF_P_":
            if pins["C"][0] != cut.inputs["clk_i[0]"]:
                raise Undecided(f"{name}: {instance} has another clock than clk_i")
            cut.next[pins["Q"][0]] = pins["D"][0]
        elif is_memory(kind):
            cut.memories[instance] = kind.lstrip("\\")
            for pin, bits in pins.items():
                into = cut.inputs if pin.endswith("_o") else cut.outputs
                into.update({f"{instance}.{pin}[{n}]": bit for n, bit in enumerate(bits)})
        elif kind not in ("$assert", "$scopeinfo"):
            raise Undecided(f"{name}: no model for {instance}, a {kind}")
    return cut


class Blif:
    """A combinational circuit as text, made of cut circuits side by side that share their inputs."""

    def __init__(self):
        self.inputs = {}  # name -> identifier
        self.lines = [".names n0", ".names n1", "1"]
        self.outputs = 0

    def input(self, name):
        return self.inputs.setdefault(name, f"i{len(self.inputs)}")

    def cover(self, sources, sink, rows):
        self.lines += [".names " + " ".join([*sources, sink]), *rows]

    def add(self, cut, prefix, state, unknown=None):
        """Adds its gates; returns what a bit is called. `state`: identifiers of flip-flops. `unknown`: what stands for
        an unknown constant and a net that nothing drives; without it each is an input of its own."""
        known = {"0": "n0", "1": "n1"} | {bit: self.input(name) for name, bit in cut.inputs.items()} | state
        driven = cut.driven() | set(known)

        def signal(bit):
            if bit in driven:
                return known.get(bit, f"{prefix}{bit}")
            return unknown or self.input(f"open {len(self.inputs)}")

        for rows, sources, sink in cut.gates:
            self.cover([signal(bit) for bit in sources], f"{prefix}{sink}", rows)
        return signal

    def text(self):
        return "\n".join([".model cut", ".inputs " + " ".join(self.inputs.values()),
                          ".outputs " + " ".join(f"o{n}" for n in range(self.outputs)), *self.lines, ".end", ""])


@dataclass
class Counts:
    flip_flops: int = 0
    registers: int = 0
    merged: int = 0
    constant: int = 0
    lost: int = 0
    functions: int = 0
    differ: list = field(default_factory=list)  # some of the functions that are not equal
    example: list = field(default_factory=list)  # inputs and states where the first of them is not


def random_word(rng):
    """Random bits in several densities of ones, so that wide conjunctions come out both ways."""
    word = 0
    for combine, depth in DENSITIES:
        word = word << 256 | functools.reduce(combine, (rng.getrandbits(256) for _ in range(depth)))
    return word


def signatures(cut, source):
    """The value of each net for many random inputs at once, as bits of an integer. `source`: what an input has."""
    value = {"0": 0, "1": EVERY}
    producer = {sink: (rows, sources) for rows, sources, sink in cut.gates}
    for goal in cut.next.values():
        stack = [goal]
        while stack:
            bit = stack[-1]
            waits = [b for b in producer[bit][1] if b not in value] if bit in producer and bit not in value else []
            if waits:
                stack += waits
                continue
            stack.pop()
            if bit in value:
                continue
            if bit not in producer:
                value[bit] = source(bit)
                continue
            rows, sources = producer[bit]
            value[bit] = 0
            for row in rows:
                term = EVERY
                for literal, b in zip(row, sources):
                    term &= {"1": value[b], "0": EVERY ^ value[b], "-": EVERY}[literal]
                value[bit] |= term
    return value


def find_removed(gold, at, names, wrong):
    """Adds to `at` registers whose name went: those that always have the value of another, with which they were merged,
    those that are constant from the first cycle on, and those that keep for ever what they wake up with, which the
    netlist takes for 0. These are guesses, by simulation, which the proof has to confirm. `wrong`: those, as
    (register, net), that it did not."""
    def own(q):
        return names[q][0][0].split(".")[-1]

    while True:
        rng = random.Random(1)
        variables = {"0": 0, "1": EVERY}

        def source(bit):
            return variables.setdefault(at.get(bit, ("free", bit)), random_word(rng))

        value = signatures(gold, source)
        state = {q: source(q) for q in gold.next}
        found = {}
        for q, d in gold.next.items():
            if q in at:
                continue
            changes = value[d] ^ state[q]
            if (q, "0") not in wrong and (not value[d] or not changes):
                found[q] = "0"
                continue
            if (q, "1") not in wrong and value[d] == EVERY:
                found[q] = "1"
                continue
            # Of one value: whenever one of them changes, both come to the same.
            same = [r for r in at if changes and (q, at[r]) not in wrong and not
                    (changes | value[gold.next[r]] ^ state[r]) & (value[d] ^ value[gold.next[r]])]
            if same:
                found[q] = at[max(same, key=lambda r, q=q: own(r) == own(q))]
        if not found:
            return
        at.update(found)


def compare(gold, gate, work):
    """Whether the two are equivalent, and what was compared."""
    # A memory that the netlist does without: what it would give is a free variable, on which nothing may depend.
    for instance in gold.memories.keys() - gate.memories.keys():
        del gold.memories[instance]
        gold.outputs = {name: bit for name, bit in gold.outputs.items() if not name.startswith(instance + ".")}
        gate.inputs |= {name: None for name in gold.inputs if name.startswith(instance + ".")}
    if set(gold.inputs) != set(gate.inputs) or set(gold.outputs) != set(gate.outputs):
        raise Undecided(f"ports differ: {set(gold.inputs) ^ set(gate.inputs) | set(gold.outputs) ^ set(gate.outputs)}")
    if gold.memories != gate.memories:
        raise Undecided("the memories differ")
    names = {}
    for name, bit in gold.nets.items():
        names.setdefault(bit, []).append(name)

    # For each register of the RTL the net of the netlist that has its name and its value; or, where the net has gone by
    # another of its names, the flip-flop that is named after it (synth/: rename -wire).
    named = {}
    flip_flops = {}
    for (wire, _), bit in gate.nets.items():
        after = re.fullmatch(r"(.*?)(?:\[(\d+)\])?\$_\w+_\.Q", wire)
        if after and bit in gate.next:
            flip_flops[after.group(1), int(after.group(2) or 0)] = bit
    for q in gold.next:
        same = [gate.nets[name] for name in names.get(q, []) if gate.nets.get(name) in gate.next.keys() | {"0", "1"}]
        same = same or [flip_flops[name] for name in names.get(q, []) if name in flip_flops]
        if same:
            named[q] = max(same, key=lambda bit: bit in gate.next)
    wrong = set()
    while True:
        at = dict(named)
        find_removed(gold, at, names, wrong)
        counts, failed = decide(gold, gate, at, names, work)
        mistaken = {(q, at[q]) for q in failed if q in at and q not in named}
        if not mistaken:
            return counts
        wrong |= mistaken


def decide(gold, gate, at, names, work):
    """With the registers of the RTL read from these nets, are the two equivalent? The answer, and some registers and
    names of outputs that are not."""
    blif = Blif()
    called = {bit: "{}[{}]".format(*name) for name, bit in gate.nets.items()}
    gate_state = {bit: blif.input(f"state {called[bit]} {bit}") for bit in gate.next}
    known = gate_state | {"0": "n0", "1": "n1"}
    gold_state = {q: known[at[q]] if q in at else blif.input("lost {}[{}] {}".format(*names[q][0], q))
                  for q in gold.next}
    pairs = [(q, gold.next[q], gate.next.get(bit, bit)) for q, bit in at.items()]
    pairs += [(name, bit, gate.outputs[name]) for name, bit in gold.outputs.items()]
    counts = Counts(functions=len(pairs), registers=len(gold.next), flip_flops=len(gate.next))
    counts.lost = len(gold.next) - len(at)
    counts.constant = sum(bit not in gate_state for bit in at.values())
    counts.merged = len(at) - counts.constant - len(set(at.values()) & gate_state.keys())

    # An unknown constant of the RTL (a word that a memory does not have) may be anything: the netlist must agree with
    # the RTL in which all of them are 0 or with that in which all of them are 1. An output tells that it does neither.
    zeros = blif.add(gold, "z", gold_state, "n0")
    ones = blif.add(gold, "e", gold_state, "n1")
    mapped = blif.add(gate, "g", gate_state)
    for _, want, got in pairs:
        blif.cover([zeros(want), ones(want), mapped(got)], f"o{blif.outputs}", ["001 1", "110 1"])
        blif.outputs += 1
    with open(f"{work}/miter.blif", "w", encoding="utf-8") as file:
        file.write(blif.text())
    blif.lines = []
    for number in range(blif.outputs):
        blif.cover([], f"o{number}", [])
    with open(f"{work}/never.blif", "w", encoding="utf-8") as file:
        file.write(blif.text())
    log = run(["yosys-abc", "-c", "cec -T 600 miter.blif never.blif"], work)
    if "Networks are equivalent" in log:
        return counts, []
    if "NOT EQUIVALENT" not in log:
        raise Undecided(log)
    numbers = re.search(r"failed for at least \d+ outputs: (.*)", log).group(1)
    failed = [pairs[int(number)][0] for number in re.findall(r"\bo(\d+)", numbers)]
    counts.differ = ["next state of {}[{}]".format(*names[one][0]) if one in at else one for one in failed]
    pattern = dict(re.findall(r"\b(i\d+)=([01])", log))
    counts.example = [f"{name}={pattern[i]}" for name, i in blif.inputs.items() if i in pattern]
    return counts, failed


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Undecided(f"{command[0]}: {done.stdout[-1000:]}{done.stderr[-1000:]}")
    return done.stdout


def read_design(folder, top, read, name, work):
    """What Yosys makes of it, as gates and flip-flops, flat but for the memories."""
    script = f"""{read}
hierarchy -check -top {top}
proc
setattr -mod -set keep_hierarchy 1 *fred_ram_*
flatten
memory_map
simplemap
techmap
dfflegalize -cell $_DFF_P_ x
clean
write_json {work}/{name}.json
"""
    with open(f"{work}/{name}.ys", "w", encoding="utf-8") as file:
        file.write(script)
    run(["yosys", "-q", "-s", f"{work}/{name}.ys"], folder)
    with open(f"{work}/{name}.json", encoding="utf-8") as file:
        return json.load(file)


def prove(folder, work):
    with open(f"{folder}/map.ys", encoding="utf-8") as file:
        script = file.read()
    top = re.search(r"^hierarchy -check -top (\S+)", script, re.MULTILINE).group(1)
    liberty = os.path.abspath(os.path.join(folder, re.search(r"-liberty (\S+)", script).group(1)))
    rtl = "\n".join(re.findall(r"^read_verilog -sv .*", script, re.MULTILINE))
    gold = read_design(folder, top, rtl, "gold", work)
    gate = read_design(folder, top, f"read_verilog netlist.v\nread_liberty -ignore_miss_func {liberty}", "gate", work)

    kinds = sorted({cell["type"] for cell in gold["modules"][top]["cells"].values() if is_memory(cell["type"])})
    proved = True
    for module in [top, *kinds]:
        other = module if module in gate["modules"] else "\\" + module
        if other not in gate["modules"]:
            continue  # the netlist does without this memory
        counts = compare(circuit(gold, module), circuit(gate, other), work)
        title = module if module == top else re.sub(r".*(fred_ram_\w+).*", r"  \1", module)
        print(f"{title:28} {'NOT EQUIVALENT' if counts.differ else 'proved':14} {counts.functions:6} functions; "
              f"{counts.registers} registers: {counts.flip_flops} flip-flops, {counts.merged} merged, "
              f"{counts.constant} constant, {counts.lost} unused", flush=True)
        if counts.differ:
            print(f"  for example {', '.join(counts.differ[:5])}, where {', '.join(counts.example[:20])}")
        proved = proved and not counts.differ
    return proved


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as work:
        try:
            sys.exit(0 if prove(sys.argv[1], work) else 1)
        except Undecided as reason:
            print(f"prove.py: {reason}", file=sys.stderr)
            sys.exit(2)


if __name__ == "__main__":
    main()

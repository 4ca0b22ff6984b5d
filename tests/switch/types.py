#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/switch/types.py BUILD [--all]: element types, operations and accumulation types through whole Verilated switches,
with stalls: all collectives, on one group of all ports, and on two groups beside each other; then other types and
operations at a time on the same ports. Every bit is compared with the golden model. Then data movement: all patterns of up to 16 bits, and random ones of more, NaNs with
payloads among them, must come back unchanged.

Without --all: every type and operation in a few designs. With it in more, with more accumulation types, and
docs/results/types.md.
Exit code: 0 no mismatch, 1 some.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BYTES = {"int8": 1, "int16": 2, "int32": 4, "int64": 8, "uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8,
         "fp8e4m3": 1, "fp8e5m2": 1, "fp16": 2, "bf16": 2, "fp32": 4, "fp64": 8}
UNSATURATED = ("fp16", "bf16", "fp32", "fp64")
OPS = ("sum", "min", "max", "sum-sat", "and", "or", "xor")
REDUCE = ("allreduce", "reduce", "reducescatter")
MOVE = ("broadcast", "allgather", "gather", "scatter", "send", "alltoall")
# Radix, types, accumulation type, adder latency.
QUICK = ((3, "int8,uint64,fp8e4m3,bf16,fp64,int32,uint16", None, 1),
         (5, "int16,int64,uint8,uint32,fp8e5m2,fp16,fp32", None, 2), (3, "bf16,fp8e5m2,fp8e4m3", "fp32", 2),
         (3, "int16,int8", "int32", 1))
# With these every pair of an element type and a wider one that holds it.
ALL = QUICK + (
    (4, "int16,int64,uint8,uint32,fp8e5m2,fp16,fp32", None, 3), (5, "int8,int16,int32", "int64", 1),
    (3, "uint8,uint16,uint32", "uint64", 4), (5, "bf16,fp16", "fp32", 1), (3, "bf16,fp32,fp16,fp8e4m3,fp8e5m2", "fp64", 3),
    (3, "fp8e4m3,fp8e5m2", "fp16", 2), (4, "fp8e5m2,fp8e4m3", "bf16", 1), (3, "int8", "int16", 1),
    (3, "uint8", "uint16", 1), (3, "uint8,uint16", "uint32", 1))
# All ports, and two groups beside each other, by radix.
GROUPS = {3: ("2,0,1", "2,0;1"), 4: ("3,1,0,2", "1,3,0;2"), 5: ("3,0,4,1,2", "4,1,2;0,3")}


class Switch:
    def __init__(self, fred, radix, types, acc, latency):
        self.fred, self.radix, self.types = fred, radix, types.split(",")
        self.ops = [op for op in OPS if any(self.defined(op, dtype) for dtype in self.types)]
        self.options = ["--radix", str(radix), "--middle", "2", "--dtype", types, "--width", "64", "--ops", ",".join(self.ops),
                        "--descriptors", str(radix), "--vcs", "1", "--adder-latency", str(latency), *(["--acc", acc] if acc else [])]
        self.runs = self.beats = self.bad = 0

    @staticmethod
    def defined(op, dtype):
        return op != "sum-sat" or dtype not in UNSATURATED

    def run(self, *options):
        command = [self.fred, "run", *self.options, "--packet", "64", "--stall-in", "0.1", "--stall-out", "0.1",
                   "--seed", self.runs + 1, "--json", "-", *options]
        done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"exit code {done.returncode}: {' '.join(map(str, command))}")
        result = json.loads(done.stdout)
        self.bad += result["mismatches"] + (done.returncode != 0)
        self.beats += sum(entry["beats"] for entry in result["collectives"])
        self.runs += 1

    def reduce(self):
        for op in self.ops:
            for groups in GROUPS[self.radix]:
                kinds = [f"{kind}:{dtype}" for dtype in self.types if self.defined(op, dtype) for kind in REDUCE]
                self.run("--op", op, "--groups", groups, "--bytes", 1528, "--collective",
                         ",".join([*kinds, "barrier"]))

    def together(self):
        """Other types and operations on the same ports at a time."""
        rng = random.Random(1)
        pairs = [f"allreduce@0:{dtype}:{op}" for dtype in self.types for op in self.ops if self.defined(op, dtype)]
        rng.shuffle(pairs)
        for at in range(0, len(pairs) - self.radix + 1, self.radix):
            self.run("--bytes", 1528, "--collective", ",".join(pairs[at:at + self.radix]))

    def move(self, dtype):
        """Every bit pattern, by ranks of which each has other data in every place."""
        size = BYTES[dtype]
        kind = {"bf16": "<u2", "fp8e4m3": "|u1", "fp8e5m2": "|u1", "fp16": "<f2", "fp32": "<f4", "fp64": "<f8"}.get(
            dtype, ("|" if size == 1 else "<") + ("u" if dtype[0] == "u" else "i") + str(size))
        rng = random.Random(1)
        with tempfile.TemporaryDirectory() as folder:
            for rank in range(self.radix):
                if size <= 2:
                    count = 256**size
                    data = b"".join((p * 5 + 77 * rank & count - 1).to_bytes(size, "little") for p in range(count))
                else:
                    data = rng.randbytes(size * 1500)
                header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({len(data) // size},), }}"
                header += " " * (63 - (10 + len(header)) % 64) + "\n"
                text = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + data
                (pathlib.Path(folder) / f"rank{rank:02}.npy").write_bytes(text)
            self.run("--data", folder, "--collective", ",".join(f"{kind}:{dtype}" for kind in MOVE))
            # A group of one: all-reduce is movement too.
            self.run("--data", folder, "--groups", ";".join(map(str, reversed(range(self.radix)))), "--collective", f"allreduce:{dtype}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    given = parser.parse_args()
    began, wrong, rows = time.monotonic(), 0, []
    for radix, types, acc, latency in ALL if given.all else QUICK:
        switch = Switch(given.build.resolve() / "fred", radix, types, acc, latency)
        switch.reduce()
        switch.together()
        for dtype in switch.types:
            switch.move(dtype)
        wrong += switch.bad
        rows.append(f"| {radix} | {types.replace(',', ', ')} | {acc or '-'} | {', '.join(switch.ops)} | {latency} | {switch.runs} | "
                    f"{switch.beats:,} | {switch.bad} |")
        print(rows[-1], flush=True)
    if given.all:
        text = ("# Every type and operation in a whole switch\n\n`tests/switch/types.py build --all` (`make types`): "
                "m = 2, 64-bit ports. Collectives that reduce with every operation that the type has, on a group of all "
                "ports and on two groups beside each other, and several types and operations at a time; the others, and all-reduce in groups of one, with every bit "
                "pattern (more than 16 bits: random ones). With stalls on both sides; every bit compared.\n\n"
                "| radix | types | accumulated in | operations | adder latency | runs | beats | mismatches |\n"
                "|--:|---|---|---|--:|--:|--:|--:|\n")
        (ROOT / "docs/results/types.md").write_text(text + "\n".join(rows) + "\n", encoding="utf-8")
    print(f"{wrong} mismatches, {time.monotonic() - began:.0f} s")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

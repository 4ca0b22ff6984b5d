#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Formal proofs of the control and of the buffers: run.py BUILD [--quick] [--explain] [NAME...].

Runs the proofs of proofs.py, then its mutations: for each, one guard in a copy of the RTL is replaced (the text must be
there exactly once) and the property that the guard is for must then fail. Prints a table and writes nothing but files
below BUILD/formal. NAME is the start of a proof's name; --quick leaves out what takes long; --explain names the
assertions that fail in a proof that fails. Exit code 0: everything is as it should be.

A harness (*.sv here) is flattened with the RTL and taken to gates by Yosys. Then one of three methods decides:

  induction  yosys-smtbmc and z3: base case of k cycles from reset, and step over k cycles from any state
  invariant  ABC's pdr: finds an inductive invariant and checks it; as strong as an induction
  bounded    ABC's bmc3: all behaviours of so many cycles from reset
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import proofs  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


class Failure(Exception):
    """A tool did not do what it should have."""


def call(command, limit, folder):
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout + done.stderr


def build(proof, folder, rtl, labels):
    """Yosys: harness and RTL to gates, with only the assertions whose names match one of `labels` (all, if None)."""
    os.makedirs(folder, exist_ok=True)
    sources = " ".join(
        os.path.join(HERE, "abstract", name) if name[:-3] in proof.abstract else os.path.join(rtl, name)
        for name in sorted(os.listdir(rtl)) if name.endswith(".sv"))
    parameters = "".join(f"chparam -set {name} {value} {proof.harness}\n" for name, value in proof.parameters.items())
    keep = ""
    if labels is not None:
        kept = " ".join(f"*/c:{label}" for label in labels)
        keep = f"select -assert-min 1 {kept}\nselect -set kept {kept}\ndelete */t:$assert @kept %d\n"
    script = f"""read_verilog -sv -formal -defer {sources}
read_verilog -sv -formal {HERE}/{proof.harness}.sv
{parameters}hierarchy -check -top {proof.harness}
rename -top {proof.harness}
proc
{keep}memory_map
flatten
opt -full
techmap
opt
dffunmap
opt_clean
setundef -undriven -anyseq
abc -g AND,OR,XOR,MUX -fast
opt_clean
write_smt2 -wires {proof.harness}.smt2
delete */t:$cover
abc -g AND -fast
opt_clean
write_aiger -I -B -zinit -map {proof.harness}.aim {proof.harness}.aig
"""
    with open(os.path.join(folder, "build.ys"), "w", encoding="utf-8") as file:
        file.write(script)
    output = call(["yosys", "-q", "build.ys"], 300, folder)
    if output is None or "ERROR" in output:
        raise Failure(f"yosys: {output or 'time is over'}")


def smtbmc(proof, folder, more, limit):
    return call(["yosys-smtbmc", "-s", "z3", "--noprogress", "--unroll", *more, proof.harness + ".smt2"], limit, folder)


def decide(proof, folder, method, depth, limit):
    """One of "holds", "fails in cycle n", "undecided"."""
    if method == "induction":
        base = smtbmc(proof, folder, ["-t", str(depth + 1)], limit)
        step = smtbmc(proof, folder, ["-i", "-t", str(depth)], limit) if base and "PASSED" in base else ""
        if base and "BMC failed" in base:
            return "fails"
        return "holds" if step and "PASSED" in step else "undecided"
    engine = f"&get; &scorr -C 100; &put; pdr -T {limit}" if method == "invariant" else f"bmc3 -F {depth} -T {limit}"
    output = call(["yosys-abc", "-c", f"read_aiger {proof.harness}.aig; fold; strash; {engine}"], limit + 30, folder)
    if output is None:
        return "undecided"
    found = re.search(r"asserted in frame (\d+)", output)
    if found:
        return f"fails in cycle {found.group(1)}"
    reached = re.search(r"No output asserted in (\d+) frames", output)
    if "Property proved" in output or (reached and method == "bounded" and int(reached.group(1)) >= depth):
        return "holds"
    if "Wrong input" in output or "failed" in output:
        raise Failure(f"abc: {output}")
    return "undecided"


def explain(proof, folder):
    """Names of the assertions that fail, and a trace: ABC's counterexample, replayed by z3."""
    base = proof.harness
    call(["yosys-abc", "-c", f"read_aiger {base}.aig; fold; strash; bmc3 -F {proof.explain_depth} -T 60; undc -c; "
          "write_cex -a trace.aiw"], 100, folder)
    output = smtbmc(proof, folder, ["--dump-vcd", "trace.vcd", "--aig-noheader", "--aig", f"{base}.aim:trace.aiw"], 100) or "time is over"
    return re.findall(r"Assert failed in \w+: (.*)", output) + [os.path.join(folder, "trace.vcd")]


def row(name, method, result, begin):
    print(f"{name:<44} {method:<14} {result:<22} {time.time() - begin:6.1f}", flush=True)


def prove(proof, folder, explaining):
    begin = time.time()
    build(proof, folder, os.path.join(ROOT, "rtl"), proof.labels)
    result = decide(proof, folder, proof.method, proof.depth, proof.limit)
    row(proof.name, f"{proof.method} {proof.depth}" if proof.depth else proof.method, result, begin)
    if explaining and result != "holds":
        for line in explain(proof, folder):
            print(f"    {line}")
    return result == "holds"


def mutate(mutation, proof, folder):
    begin = time.time()
    rtl = os.path.join(folder, "rtl")
    shutil.rmtree(rtl, ignore_errors=True)
    shutil.copytree(os.path.join(ROOT, "rtl"), rtl)
    path = os.path.join(rtl, mutation.file)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(mutation.old) != 1:
        row(f"  {mutation.name}", "mutation", f"text {text.count(mutation.old)} times", begin)
        return False
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(mutation.old, mutation.new))
    build(proof, folder, rtl, [mutation.property])
    result = decide(proof, folder, "bounded", mutation.depth, 120)
    row(f"  {mutation.name}: {mutation.property}", "mutation", result, begin)
    return result.startswith("fails")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--explain", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    for tool in ("yosys", "yosys-smtbmc", "yosys-abc", "z3"):
        if shutil.which(tool) is None:
            sys.exit(f"formal: {tool} is missing; scripts/setup.sh test installs it")
    base = os.path.join(os.path.abspath(options.build), "formal")
    wanted = [p for p in proofs.PROOFS if not options.names or any(p.name.startswith(n) for n in options.names)]
    bad = []
    print(f"{'property':<44} {'method':<14} {'result':<22} {'seconds':>6}")
    for proof in wanted:
        folder = os.path.join(base, proof.name)
        try:
            if (proof.quick or not options.quick) and not prove(proof, folder, options.explain):
                bad.append(proof.name)
            for mutation in proofs.MUTATIONS:
                if mutation.proof == proof.name and (mutation.quick or not options.quick):
                    if not mutate(mutation, proof, os.path.join(folder, mutation.name)):
                        bad.append(mutation.name)
        except Failure as failure:
            print(f"{proof.name}: {failure}")
            bad.append(proof.name)
    print("formal: all as it should be" if not bad else "formal: NOT as it should be: " + " ".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

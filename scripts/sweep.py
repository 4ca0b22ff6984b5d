#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/sweep.py BUILD [--sets N] [--seed N] [--quick | --again]: random switches and all leaves through every tool and target.

For each set of parameters, drawn from all that is legal and small enough: Verilator -Wall, Icarus -Wall, Yosys; no
latch, no combinational loop, no net with two drivers; then `fred synth` for every target, and the same questions to
what it maps to. The netlist of osu018 is also proved equivalent to the RTL (tests/gates/prove.py). For each leaf of one
switch the same. Any warning of any tool is a failure. iCE40 is placed and routed where it fits the device, else only
mapped.

Writes docs/results/sweep.md. --again does only what failed in that page, or is not in it. --quick prints instead: two sets as small as can be and three leaves, each on every other
target. The same seed draws the same sets. Exit code: 0 nothing found, 1 something.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINT = ROOT / "tests/emit/lint_design.sh"
PROVE = ROOT / "tests/gates/prove.py"
PAGE = ROOT / "docs/results/sweep.md"
TARGETS = ("osu018", "osu035", "ice40", "ecp5", "xilinx", "gowin")
BITS = {"int8": 8, "int16": 16, "int32": 32, "int64": 64, "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64,
        "fp8e4m3": 8, "fp8e5m2": 8, "fp16": 16, "bf16": 16, "fp32": 32, "fp64": 64}
UNSATURATED = ("fp16", "bf16", "fp32", "fp64")
WIDER = {"int8": "int16", "int16": "int32", "uint8": "uint32", "uint16": "uint64", "fp8e4m3": "fp16", "fp8e5m2": "bf16",
         "fp16": "fp32", "bf16": "fp32"}
LEAF_DESIGN = "--radix 3 --middle 3 --dtype int8 --acc int16 --lanes 1 --ops sum,min --descriptors 2 --vcs 2"
LEAVES = ("host", "ingress", "control", "launch", "widen", "network", "uswitch_r", "odd_demux", "uswitch_rd", "uswitch_d",
          "odd_mux", "narrow", "egress", "reduce")

# What tools say of themselves or of the library whatever the design is, in words that say so.
REMARKS = (
    r"ABC: Warning: Detected \d+ multi-output gates",  # the library has full adders, which ABC does not use
    r"ABC: Warning: The network is combinational",  # of what Yosys passes to ABC, which never has flip-flops
    r"Warning: No PCF file specified",  # pins are placed automatically
    r"^\d+ warnings?, 0 errors",  # nextpnr's count of the one above
)
LATCHES = "t:$dlatch t:$adlatch t:$dlatchsr t:$_DLATCH_* t:$tribuf t:$_TBUF_"
MAPPED_LATCHES = "t:LATCH* t:LDCE t:LDPE t:DL t:DLN t:DLC t:DLP t:TBUF* t:OBUFT t:IOBUF"


class Failure(Exception):
    """Something that must not be; the text says what."""


def run(command, cwd=None):
    """Exit code and all output."""
    done = subprocess.run(list(map(str, command)), cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def warnings(text):
    """The lines that say so, or that a loop had to be cut in order to map it."""
    return [line for line in text.splitlines()
            if re.search(r"\bwarning|^breaking loop", line, re.IGNORECASE)
            and not any(re.search(known, line) for known in REMARKS)]


def silent_yosys(script, cwd):
    """With -q Yosys prints warnings and errors alone."""
    code, out = run(["yosys", "-q", "-p", script], cwd)
    if code != 0 or out.strip():
        raise Failure(f"yosys: {out.strip()[:400]}")


def check_rtl(folder, top):
    """The RTL in a folder of `fred gen`."""
    code, out = run([LINT, folder, top])
    if code != 0:
        raise Failure(out.strip()[:400])
    sources = " ".join(next(folder.glob("*.f")).read_text(encoding="utf-8").split())
    silent_yosys(f"read_verilog -sv {sources}; hierarchy -check -top {top}; proc; "
                 f"select -assert-none {LATCHES}; flatten; check -assert; memory; techmap; clean; scc -expect 0",
                 folder)


def check_netlist(folder, target, top):
    """The mapped netlist, with the cells as black boxes. (Loops: see check_rtl, and what Yosys says when mapping.)"""
    if target.startswith("osu"):
        script = (folder / "map.ys").read_text(encoding="utf-8")
        models = "read_liberty -lib -ignore_miss_func " + re.search(r"-liberty (\S+)", script).group(1)
    else:
        models = f"read_verilog -lib +/{target}/cells_sim.v"
    silent_yosys(f"{models}; read_verilog netlist.v; hierarchy -check -top {top}; check -assert; "
                 f"select -assert-none {MAPPED_LATCHES}", folder)


def too_large(out):
    return "is larger than the device" in out


def synthesize(fred, work, target, options, top):
    """One target; what there is to say of it."""
    folder = work / target
    radix = int(options[options.index("--radix") + 1])
    extra = []
    if target == "osu035" or (target == "osu018" and radix > 2):  # both forms of the flow are run; this one is faster
        extra = ["--hierarchical"]
    elif target == "ice40":
        extra = ["--freq", 10]  # MHz: an aim that is met
    code, out = run([fred, "synth", "--target", target, *extra, *options, "-o", folder])
    if code != 0 and target == "ice40" and too_large(out):
        # `fred synth` has left nothing: map it again, without placing it.
        run([fred, "gen", *options, "-o", folder])
        sources = " ".join(next(folder.glob("*.f")).read_text(encoding="utf-8").split())
        silent_yosys(f"read_verilog -sv {sources}; synth_ice40 -top {top}; write_verilog -noattr netlist.v", folder)
        check_netlist(folder, target, top)
        return "mapped"
    if code != 0:
        raise Failure(out.strip()[:400])
    for log in sorted(folder.rglob("*.log")):
        if found := warnings(log.read_text(encoding="utf-8")):
            raise Failure(f"{log.name}: {found[0][:300]}" + (f" and {len(found) - 1} more" if found[1:] else ""))
    check_netlist(folder, target, top)
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    if "asic" in report:
        if report["asic"]["total"]["latches"]:
            raise Failure("latches")
        if target == "osu018":
            code, out = run([PROVE, folder])
            if code != 0:
                raise Failure(f"not proved: {out.strip()[-400:]}")
        return f"{report['asic']['total']['cells']}" + (" proved" if target == "osu018" else "")
    cells = f"{report['fpga']['resources'].get('LUT', 0)}"
    return cells + (" placed" if target == "ice40" else "")


def draw(rng, fred, quick):
    """Options of a legal and small design; larger radices are rarer."""
    radix = 2 if quick else rng.choices(range(2, 6), weights=[1 / r for r in range(2, 6)])[0]
    while True:
        dtype = rng.choice(list(BITS))
        lanes = rng.randint(1, 3)
        descriptors = rng.randint(1, 9)
        vcs = rng.choice((1, 1, 2, 3))
        known = ["sum", "min", "max", "and", "or", "xor", *([] if dtype in UNSATURATED else ["sum-sat"])]
        ops = rng.sample(known, rng.randint(1, 3))
        # Some accumulate in a wider type, some have a second one.
        acc = WIDER.get(dtype) if rng.random() < 0.5 else None
        other = rng.choice(list(BITS)) if rng.random() < 0.5 else dtype
        if other == dtype or BITS[dtype] * lanes % BITS[other] or (acc and WIDER.get(other) != acc) or "sum-sat" in ops:
            other = None
        wide = BITS[acc] if acc else BITS[dtype] * (2 if other else 1)
        # Small enough to be mapped six times: what grows with ports and width, adders of floating point more than other
        # reducers, and with ports and descriptors.
        weight = 2 if "sum" in ops and {dtype, other} & {*UNSATURATED, "fp8e4m3", "fp8e5m2"} else 1
        if radix * (weight * lanes * wide / 16 + vcs * (descriptors + 2) / 4) > (4 if quick else 7.5):
            continue
        options = ["--radix", radix, "--middle", rng.randint(2, 4), "--dtype", f"{dtype},{other}" if other else dtype,
                   *(["--acc", acc] if acc else []), "--lanes", lanes, "--ops", ",".join(ops),
                   "--pipeline", rng.randint(1, 3), "--adder-latency", rng.randint(1, 4), "--descriptors", descriptors,
                   "--alltoall-tables", rng.randint(0, 2), "--vcs", vcs]
        if rng.random() < 0.5:
            options += ["--no-conflict-check"]
        if rng.random() < 0.4:
            options += ["--allow-slow", "--ingress-depth", rng.randint(2 if vcs == 1 else 3, 5), "--egress-depth", rng.randint(2, 8)]
        else:
            least = json.loads(run([fred, "info", *options, "--json", "-"])[1])
            options += ["--ingress-depth", least["ingress_depth"] + rng.randint(0, 3),
                        "--egress-depth", least["egress_depth"] + rng.randint(0, 1)]
        return list(map(str, options))


def attempt(task, *arguments):
    try:
        return task(*arguments)
    except Failure as failure:
        return failure


def begin(fred, work, options, top, targets, pool):
    """Starts a row: what the RTL and each target come to, each a text or a Failure, in time."""
    code, out = run([fred, "gen", *options, "-o", work / "rtl"])
    if code != 0:
        return [pool.submit(Failure, out.strip())] + [None] * len(TARGETS)
    row = [pool.submit(attempt, lambda: check_rtl(work / "rtl", top) or "clean")]
    return row + [pool.submit(attempt, synthesize, fred, work, target, options, top) if target in targets else None
                  for target in TARGETS]


def self_check():
    """Faults in RTL that must be found; None, or the one that was not."""
    faults = {
        "latch": "always_comb if (a) y = b;",
        "loop": "wire x = ~(a & y); assign y = x | b;",
        "two drivers": "assign y = a; assign y = b;",
        "width": "assign y = {a, b};",
    }
    with tempfile.TemporaryDirectory(prefix="fred-sweep-") as name:
        for fault, body in faults.items():
            folder = pathlib.Path(name) / fault.replace(" ", "_")
            folder.mkdir()
            (folder / "faulty.sv").write_text(f"module faulty (input logic a, b, output logic y);\n{body}\nendmodule\n",
                                              encoding="utf-8")
            (folder / "faulty.f").write_text("faulty.sv\n", encoding="utf-8")
            if not isinstance(attempt(check_rtl, folder, "faulty"), Failure):
                return fault
    return None


def tool_versions():
    ask = (["verilator", "--version"], ["iverilog", "-V"], ["yosys", "-V"], ["nextpnr-ice40", "--version"])
    return "; ".join(run(command)[1].splitlines()[0].removesuffix(" ()").strip() for command in ask)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--sets", type=int)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    seed = given.seed if given.seed is not None else random.SystemRandom().randrange(1 << 31)
    sets = given.sets if given.sets is not None else 2 if given.quick else 30
    fred = given.build.resolve() / "fred"
    rng = random.Random(seed)

    if missed := self_check():
        sys.exit(f"the sweep does not find a fault of its own: {missed}")
    print(f"seed {seed}", flush=True)
    leaves = ("odd_demux", "uswitch_d", "odd_mux") if given.quick else LEAVES
    subjects = []  # title, options, top
    for _ in range(sets):
        options = draw(rng, fred, given.quick)
        subjects.append((" ".join(options), options, "fred_switch"))
    for leaf in leaves:
        subjects.append((leaf, [*LEAF_DESIGN.split(), "--leaf", leaf], f"fred_leaf_{leaf}"))

    kept = passed(seed) if given.again else {}
    failures, began = [], time.monotonic()
    rows = [f"| parameters or leaf | RTL | {' | '.join(TARGETS)} |", "|---|---|" + "--:|" * len(TARGETS)]
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool, \
            tempfile.TemporaryDirectory(prefix="fred-sweep-") as folder:
        begun = []
        for number, (title, options, top) in enumerate(subjects):
            targets = TARGETS[number % 2::2] if given.quick else TARGETS
            work = pathlib.Path(folder) / str(number)
            begun.append((title, work, title not in kept and begin(fred, work, options, top, targets, pool)))
        for title, work, row in begun:
            if title in kept:
                rows.append(kept[title])
                continue
            cells = [cell.result() if cell else "-" for cell in row]
            shutil.rmtree(work)
            failures += [f"{title}: {where}: {cell}" for where, cell in zip(("RTL", *TARGETS), cells)
                         if isinstance(cell, Failure)]
            texts = ["**FAILED**" if isinstance(cell, Failure) else cell for cell in cells]
            rows.append(f"| `{title}` | {' | '.join(texts)} |")
            print(rows[-1], flush=True)
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{len(failures)} failures, {time.monotonic() - began:.0f} s")
    if not given.quick:
        write_page(seed, sets, rows, failures)
    sys.exit(1 if failures else 0)


def passed(seed):
    """The rows of the page without a failure, by what they are of."""
    page = PAGE.read_text(encoding="utf-8")
    if f"--seed {seed}`" not in page:
        sys.exit(f"--again: {PAGE.name} was made with another --seed than {seed}")
    if sources() not in page:
        sys.exit(f"--again: {PAGE.name} was made of other RTL or scripts")
    lines = re.findall(r"^(\| `(.*?)` \|.*\|)$", page, re.MULTILINE)
    return {title: line for line, title in lines if "FAILED" not in line}


def sources():
    """A hash of what is swept: the RTL, what emits RTL, and the synthesis scripts."""
    files = sorted(file for folder in ("rtl", "gen/emit", "synth/scripts") for file in (ROOT / folder).iterdir())
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


def write_page(seed, sets, rows, failures):
    remarks = "; ".join(f"`{known}`" for known in REMARKS)
    text = f"""# Random parameters on every target

`scripts/sweep.py build --sets {sets} --seed {seed}` (`make sweep` draws a seed). {tool_versions()}; RTL and scripts {sources()}.

*RTL*: no word from Verilator `-Wall`, Icarus `-Wall` and Yosys; no latch, loop or net with two drivers. Targets: the cells (`--hierarchical` for osu035, and for osu018 from 3 ports on) or LUTs that `fred synth` maps to, with no warning in any log, no latch, loop or net with two drivers in the netlist. *proved*: that netlist is equivalent to the RTL for all inputs and states. *placed*: and routed, in the harness; *mapped*: larger than the device. Leaves are of `{LEAF_DESIGN}`.

Not counted as warnings, being the same for every design: {remarks}.

"""
    text += "\n".join([*rows, "", f"Failures: {len(failures)}.", *[f"- {failure}" for failure in failures], ""])
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

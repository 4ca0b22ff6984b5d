#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/memories/shapes.py BUILD: the memories that `fred info` and manifest.json list are those that Yosys finds in
the elaborated RTL: module, instance, words, bits and how often, of designs with odd sizes everywhere. Without
all-to-all tables the RTL has one a port all the same, which nothing reads: it must vanish."""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

DESIGNS = (
    "--radix 2 --dtype int16 --lanes 1 --ops max --descriptors 1 --alltoall-tables 0 --vcs 1",
    "--radix 2 --middle 3 --dtype fp32 --lanes 1 --ops sum --descriptors 1 --alltoall-tables 3 --vcs 2 --counters",
    "--radix 3 --middle 2 --dtype bf16 --lanes 3 --ops sum --descriptors 5 --alltoall-tables 2 --ingress-depth 7 --vcs 3",
    "--radix 5 --middle 4 --dtype int32 --lanes 2 --ops min --descriptors 9 --egress-depth 21 --adder-latency 2 --vcs 4 --counters",
    "--radix 3 --middle 2 --dtype fp8e5m2,bf16 --acc fp32 --lanes 4 --ops max --descriptors 3 --vcs 2",
    "--radix 9 --middle 3 --dtype fp16 --lanes 1 --ops sum,min --descriptors 2 --allow-slow --egress-depth 2 --vcs 1",
)


def found(modules, top):
    """Counter of (module, instance, words, bits) below `top`."""
    here = collections.Counter()
    for instance, cell in modules[top]["cells"].items():
        kind = cell["type"]
        if kind not in modules:
            continue
        own = modules[kind].get("memories")
        if own:
            (memory,) = own.values()
            source = pathlib.Path(modules[kind]["attributes"]["src"].split(":")[0]).stem
            here[source, instance.split(".")[-1], memory["size"], memory["width"]] += 1
        else:
            here.update(found(modules, kind))
    return here


def main():
    fred = pathlib.Path(sys.argv[1]).resolve() / "fred"
    failed = False
    for options in DESIGNS:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "design"
            subprocess.run([fred, "gen", *options.split(), "-o", folder], check=True, stdout=subprocess.DEVNULL)
            files = (folder / "fred_switch.f").read_text(encoding="utf-8").split()
            subprocess.run(["yosys", "-q", "-p", f"read_verilog -sv {' '.join(files)}; hierarchy -top fred_switch; "
                            "proc; write_json all.json"], check=True, cwd=folder)
            elaborated = found(json.loads((folder / "all.json").read_text(encoding="utf-8"))["modules"], "fred_switch")
            if "--alltoall-tables 0" in options:
                subprocess.run(["yosys", "-q", "-p", f"read_verilog -sv {' '.join(files)}; hierarchy -top fred_switch; "
                                "proc; flatten; opt -full; select -assert-none c:*u_alltoall*u_table*"],
                               check=True, cwd=folder)
                elaborated = collections.Counter({memory: n for memory, n in elaborated.items()
                                                  if memory[1] != "u_table"})
            manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["memories"]
        info = json.loads(subprocess.run([fred, "info", *options.split(), "--json", "-"], check=True, text=True,
                                         stdout=subprocess.PIPE).stdout)["memories"]
        listed = collections.Counter()
        for m in manifest:
            listed[m["module"], m["instance"], m["words"], m["bits"]] += m["instances"]
        right = listed == elaborated and info == manifest
        failed |= not right
        print(f"{'ok' if right else 'FAIL'}: {options}: {len(listed)} sorts, {sum(listed.values())} memories")
        if not right:
            print(f"  listed    {sorted(listed.items())}\n  in the RTL {sorted(elaborated.items())}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

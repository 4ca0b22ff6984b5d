#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""FuseSoC generator: writes a FRED switch with `fred gen`, and the core file that FuseSoC asked for.

FuseSoC calls `python3 fred_generator.py FILE` in the folder that is to hold the core. FILE is in its GAPI format, YAML:

    gapi: '1.0'
    vlnv: vendor:library:name:version   # of the core to write
    files_root: ...                     # of the core that asks; not used
    parameters: {radix: 8, dtype: bf16, ops: [sum, max], allow_slow: true}

Parameters are long options of `fred gen`. The command is `fred`, or what the environment variable FRED names.
"""

import json
import os
import subprocess
import sys

FOLDER = "fred_switch"  # of the RTL, in the current folder
OURS = {"output", "force", "json", "config", "flow", "clock-period", "help"}  # options that are not the core's to set


def read_gapi(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        import yaml  # FuseSoC itself needs it
    except ImportError:
        return json.loads(text)  # JSON is YAML too
    return yaml.safe_load(text)


def options(parameters):
    """The command-line options of a core's parameters."""
    arguments = []
    for key, value in parameters.items():
        name = str(key).replace("_", "-")
        if name in OURS:
            sys.exit(f"fred_generator: parameter {key} is no part of a design")
        if value is True:
            arguments.append(f"--{name}")
        elif isinstance(value, list):
            arguments.append(f"--{name}=" + ",".join(str(item) for item in value))
        elif value is not False:
            arguments.append(f"--{name}={value}")
    return arguments


def core_of(manifest, vlnv):
    """The core file of a generated switch, as a value."""
    files = [f"{FOLDER}/{file['path']}" for file in manifest["files"]]
    return {
        "name": vlnv,
        "description": manifest["command"],
        "filesets": {"rtl": {"file_type": "systemVerilogSource", "files": files}},
        "targets": {"default": {"filesets": ["rtl"], "toplevel": manifest["top"]}},
    }


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: fred_generator.py FILE")
    gapi = read_gapi(sys.argv[1])
    vlnv = gapi["vlnv"]
    command = [os.environ.get("FRED", "fred"), "gen", "-o", FOLDER] + options(gapi.get("parameters") or {})
    try:
        code = subprocess.call(command)
    except OSError as error:
        sys.exit(f"fred_generator: {command[0]}: {error.strerror}; put fred in PATH or its path in FRED")
    if code != 0:
        sys.exit(code)
    with open(f"{FOLDER}/manifest.json", encoding="utf-8") as file:
        core = core_of(json.load(file), vlnv)
    with open(vlnv.split(":")[2] + ".core", "w", encoding="utf-8") as file:
        file.write("CAPI=2:\n" + json.dumps(core, indent=2) + "\n")


if __name__ == "__main__":
    main()

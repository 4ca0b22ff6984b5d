#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_flows.py FOLDER: checks the project files in an output of `fred gen --flow all` against its manifest.

Each file is read by its tool where a free one exists, else by a parser and a checker of our own, which writes down the
rules that the format's documentation gives:

  sdc        OpenSTA reads it on a netlist with a flip-flop at every port: nothing unconstrained, period and delays right
  xdc        own: Tcl subset and commands of AMD UG903, run by tclsh (tcl_tools.tcl)
  vivado     own: commands of AMD UG835, run by tclsh
  quartus    own: commands of Quartus Prime's scripting guide, run by tclsh
  openroad   GNU make includes it; own: names from OpenROAD-flow-scripts, docs/user/FlowVariables.md
  librelane  own, on a JSON parser: names and types from LibreLane, librelane/config/flow.py and its documentation
  fusesoc    own, on a YAML parser: the keys of FuseSoC's CAPI2 schema, fusesoc/capi2/json_schema.py; the generator runs
  bender     own, on a YAML parser: the keys of Bender's book, "Manifest (Bender.yml)"
  ipxact     own, on an XML parser: element order of the IEEE 1685-2014 schema, whose licence forbids parts of it here;
             references, port ranges, registers

The port list comes from Yosys reading the top module. Exit code 1 and a message: something is wrong.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
FRED = os.environ.get("FRED", "fred")


class Wrong(Exception):
    """Something does not hold; the text says what."""


def check(condition, message):
    if not condition:
        raise Wrong(message)


def run(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    check(done.returncode == 0, f"{' '.join(command[:4])}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


class Output:
    """A folder that `fred gen --flow all` wrote."""

    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.manifest = json.loads(self.text("manifest.json"))
        self.top = self.manifest["top"]
        self.files = [file["path"] for file in self.manifest["files"]]
        self.period = self.manifest["clock_period_ns"]
        self.ports = self.read_ports()

    def path(self, name):
        return os.path.join(self.folder, name)

    def text(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def read_ports(self):
        """{name: (direction, width)} of the top module, by Yosys."""
        source = self.path(f"rtl/{self.top}.sv")
        netlist = json.loads(run(["yosys", "-q", "-p", f"read_verilog -sv {source}; write_json"]))
        ports = netlist["modules"][self.top]["ports"]
        return {name: (port["direction"], len(port["bits"])) for name, port in ports.items()}

    def check_files(self, found, where):
        """That `found`, relative to the folder, are the manifest's files in its order."""
        missing = [file for file in self.files if file not in found]
        extra = [file for file in found if file not in self.files]
        check(not missing, f"{where}: lacks {missing}")
        check(not extra, f"{where}: has {extra}, which the manifest does not")
        check(found == self.files, f"{where}: the order is not the filelist's")

    def check_paths(self, found, where):
        """The same for paths that a tool resolved."""
        self.check_files([os.path.relpath(path, self.folder) for path in found], where)


# ---- constraints

LIBERTY = """library (one) {
  delay_model : table_lookup;
  time_unit : "1ns"; capacitive_load_unit (1, pf); voltage_unit : "1V"; current_unit : "1mA";
  leakage_power_unit : "1nW"; pulling_resistance_unit : "1kohm";
  input_threshold_pct_rise : 50; input_threshold_pct_fall : 50;
  output_threshold_pct_rise : 50; output_threshold_pct_fall : 50;
  slew_lower_threshold_pct_rise : 20; slew_lower_threshold_pct_fall : 20;
  slew_upper_threshold_pct_rise : 80; slew_upper_threshold_pct_fall : 80;
  cell (FF) { area : 1;
    ff (IQ, IQN) { clocked_on : "C"; next_state : "D"; }
    pin (C) { direction : input; clock : true; capacitance : 0.001; }
    pin (D) { direction : input; capacitance : 0.001;
      timing () { related_pin : "C"; timing_type : setup_rising;
        rise_constraint (scalar) { values ("0.0"); } fall_constraint (scalar) { values ("0.0"); } } }
    pin (Q) { direction : output; function : "IQ";
      timing () { related_pin : "C"; timing_type : rising_edge;
        cell_rise (scalar) { values ("0.0"); } cell_fall (scalar) { values ("0.0"); }
        rise_transition (scalar) { values ("0.0"); } fall_transition (scalar) { values ("0.0"); } } } } }
"""


def first_bit(output, direction):
    """The first port of a direction but the clock, or its bit 0."""
    name, width = next((name, width) for name, (way, width) in output.ports.items()
                       if way == direction and name != "clk_i")
    return f"{name}[0]" if width > 1 else name


def flops_at_ports(output):
    """A netlist with the ports of the design and a flip-flop at every bit but the clock's; those at the outputs take
    what the one at the first input holds."""
    lines, cells = [], []
    first = first_bit(output, "input").replace("[", "_").replace("]", "")
    for name, (direction, width) in output.ports.items():
        lines.append(f"  {direction} {f'[{width - 1}:0] ' if width > 1 else ''}{name};")
        if name == "clk_i":
            continue
        for bit in range(width):
            port, cell = (f"{name}[{bit}]", f"{name}_{bit}") if width > 1 else (name, name)
            pins = f".D({port}), .Q(q_{cell})" if direction == "input" else f".D(q_{first}), .Q({port})"
            if direction == "input":
                lines.append(f"  wire q_{cell};")
            cells.append(f"  FF ff_{cell} (.C(clk_i), {pins});")
    return f"module {output.top} ({', '.join(output.ports)});\n" + "\n".join(lines + cells) + "\nendmodule\n"


def check_sdc(output):
    with tempfile.TemporaryDirectory() as work:
        with open(f"{work}/one.lib", "w", encoding="utf-8") as file:
            file.write(LIBERTY)
        with open(f"{work}/top.v", "w", encoding="utf-8") as file:
            file.write(flops_at_ports(output))
        script = f"""
read_liberty {work}/one.lib
read_verilog {work}/top.v
link_design {output.top}
if {{[catch {{read_sdc {output.path(output.top + '.sdc')}}} message]}} {{puts "Error: $message"}}
check_setup -verbose
puts "-- clocks"
report_clock_properties
puts "-- in"
report_checks -from [get_ports {{{first_bit(output, "input")}}}] -path_delay max -digits 3
puts "-- out"
report_checks -to [get_ports {{{first_bit(output, "output")}}}] -path_delay max -digits 3
"""
        with open(f"{work}/run.tcl", "w", encoding="utf-8") as file:
            file.write(script)
        text = run(["sta", "-no_splash", "-exit", f"{work}/run.tcl"])
    setup, rest = text.split("-- clocks")
    clocks, paths = rest.split("-- in")
    check(setup.strip() == "", f"sdc: OpenSTA complains:\n{setup[:2000]}")
    check(re.findall(r"^(\S+) +([\d.]+)", clocks, re.MULTILINE) == [("clk_i", f"{output.period:.2f}")],
          f"sdc: not the one clock:\n{clocks}")
    delay = f"{0.2 * output.period:.3f}"
    for half, kind, sign in zip(paths.split("-- out"), ("input", "output"), ("", "-")):
        check(re.search(rf"^ *{sign}{delay} .*{kind} external delay", half, re.MULTILINE),
              f"sdc: the {kind} delay is not {delay}:\n{half}")
    # OpenROAD-flow-scripts takes the period out of the text.
    found = re.search(r"^set\s+clk_period\s+(\S+)", output.text(output.top + ".sdc"), re.MULTILINE)
    check(found and float(found.group(1)) == output.period, "sdc: no literal clk_period")


def tcl(output, tool, name, *arguments):
    """The calls that a script makes, run in an empty folder, which stays empty."""
    with tempfile.TemporaryDirectory() as work:
        text = run(["tclsh", f"{HERE}/tcl_tools.tcl", tool, output.path(name), *arguments], cwd=work)
        check(os.listdir(work) == [], f"{name} wrote {os.listdir(work)}")
    return [line.split("\t") for line in re.sub(r"\n(?=\s|\}|$)", " ", text).strip().splitlines()]


def check_xdc(output):
    calls = tcl(output, "xdc", f"{output.top}.xdc")
    check([call[0] for call in calls] == ["create_clock", "set_input_delay", "set_output_delay"], f"xdc: {calls}")
    clock, *delays = calls
    check(clock[1:] == ["-name", "clk_i", "-period", f"{output.period:.10g}", "clk_i"], f"xdc: {clock}")
    for call, direction in zip(delays, ("input", "output")):
        check(abs(float(call[1]) - 0.2 * output.period) < 1e-6 and call[2:4] == ["-clock", "clk_i"], f"xdc: {call[:4]}")
        patterns = call[4].split()
        wanted = [name + ("[*]" if width > 1 else "") for name, (way, width) in output.ports.items()
                  if way == direction and name != "clk_i"]
        check(patterns == wanted, f"xdc: {direction} delays are on {patterns}")


def check_vivado(output):
    name = f"{output.top}_vivado.tcl"
    calls = tcl(output, "vivado", name, "xc7a100tcsg324-1")
    rtl = [call[-1] for call in calls if call[0] == "read_verilog"]
    output.check_paths(rtl, name)
    check([call[0] for call in calls[len(rtl):]] == ["read_xdc", "synth_design", "report_utilization",
          "report_timing_summary", "write_checkpoint"], f"vivado: {calls[len(rtl):]}")
    steps = {call[0]: call[1:] for call in calls}
    check(steps["read_xdc"][-1] == output.path(f"{output.top}.xdc"), f"vivado: {steps['read_xdc']}")
    check(os.path.isfile(steps["read_xdc"][-1]), "vivado: there is no such constraints file")
    synth = dict(zip(steps["synth_design"][::2], steps["synth_design"][1::2]))
    check(synth["-top"] == output.top and synth["-part"] == "xc7a100tcsg324-1", f"vivado: {synth}")
    check(tcl(output, "vivado", name) != calls, "vivado: a part is not taken")  # and there is a default


def check_quartus(output):
    name = f"{output.top}_quartus.tcl"
    calls = tcl(output, "quartus", name, "Cyclone V", "5CGXFC7C7F23C8")
    check([call[0] for call in calls][:2] == ["package", "project_new"] and calls[-1] == ["project_close"],
          f"quartus: {calls[:2]}, {calls[-1]}")
    assigned = {}
    for call in calls:
        if call[0] == "set_global_assignment":
            assigned.setdefault(call[2], []).append(call[3])
    output.check_paths(assigned["SYSTEMVERILOG_FILE"], name)
    check(assigned["TOP_LEVEL_ENTITY"] == [output.top], f"quartus: {assigned['TOP_LEVEL_ENTITY']}")
    check(assigned["FAMILY"] == ["Cyclone V"] and assigned["DEVICE"] == ["5CGXFC7C7F23C8"], "quartus: device")
    check(assigned["SDC_FILE"] == [output.path(f"{output.top}.sdc")], f"quartus: {assigned['SDC_FILE']}")
    pins = [call[-1] for call in calls if call[0] == "set_instance_assignment"]
    for port, (_, width) in output.ports.items():
        hits = [pin for pin in pins if pin == port + ("[*]" if width > 1 else "")]
        check(len(hits) == (port != "clk_i"), f"quartus: {port} is a virtual pin {len(hits)} times")


# ---- ASIC flows

ORFS_VARIABLES = {"DESIGN_NAME", "PLATFORM", "VERILOG_FILES", "SDC_FILE", "CORE_UTILIZATION"}


def check_openroad(output):
    exported = set(re.findall(r"^export (\w+)", output.text("config.mk"), re.MULTILINE))
    check(exported == ORFS_VARIABLES, f"config.mk: exports {exported}")
    prints = "".join(f"\t@printf '%s=%s\\n' {name} \"$({name})\"\n" for name in sorted(exported))
    makefile = f"include {output.path('config.mk')}\ninclude /dev/null\n.PHONY: all\nall:\n{prints}"
    with tempfile.TemporaryDirectory() as work:
        with open(f"{work}/Makefile", "w", encoding="utf-8") as file:
            file.write(makefile)
        text = run(["make", "-s", "--no-print-directory", "-C", work, "PLATFORM=sky130hd"])
    values = dict(line.split("=", 1) for line in text.splitlines())
    output.check_paths(values["VERILOG_FILES"].split(), "config.mk")
    check(values["SDC_FILE"] == output.path(f"{output.top}.sdc"), f"config.mk: {values['SDC_FILE']}")
    check(values["DESIGN_NAME"] == output.top, f"config.mk: {values['DESIGN_NAME']}")
    check(values["PLATFORM"] == "sky130hd", "config.mk: PLATFORM of the command line does not win")


LIBRELANE_VARIABLES = {  # name -> JSON types that its declared type takes
    "DESIGN_NAME": str, "VERILOG_FILES": list, "CLOCK_PORT": (str, type(None)), "CLOCK_PERIOD": (int, float),
    "IO_DELAY_CONSTRAINT": (int, float), "FP_CORE_UTIL": (int, float),
}


def check_librelane(output):
    config = json.loads(output.text("config.json"))
    check(set(config) == set(LIBRELANE_VARIABLES), f"config.json: {sorted(config)}")
    for name, types in LIBRELANE_VARIABLES.items():
        check(isinstance(config[name], types), f"config.json: {name} is {config[name]!r}")
    check(all(file.startswith("dir::") for file in config["VERILOG_FILES"]), "config.json: a path without dir::")
    output.check_files([file[len("dir::"):] for file in config["VERILOG_FILES"]], "config.json")
    check(config["DESIGN_NAME"] == output.top, f"config.json: {config['DESIGN_NAME']}")
    check(config["CLOCK_PORT"] == "clk_i" and config["CLOCK_PERIOD"] == output.period, "config.json: clock")


# ---- package managers

CAPI2 = {"name", "description", "license", "filesets", "generate", "generators", "mapping", "parameters", "provider",
         "scripts", "targets", "virtual", "vpi"}
CAPI2_FILESET = {"file_type", "logical_name", "tags", "files", "files_append", "depend", "depend_append"}
CAPI2_TARGET = {"default_tool", "description", "flow", "flow_options", "hooks", "tools", "toplevel", "flags", "filesets",
                "filters", "generate", "parameters", "vpi"}
CAPI2_GENERATOR = {"command", "interpreter", "cache_type", "file_input_parameters", "description", "usage"}


def read_core(path):
    """A core file, its keys checked against CAPI2's."""
    with open(path, encoding="utf-8") as file:
        check(file.readline() == "CAPI=2:\n", f"{path}: the first line is not CAPI=2:")
        core = yaml.safe_load(file)
    name = os.path.basename(path)

    def keys(value, allowed, where):
        check(isinstance(value, dict) and set(value) <= allowed, f"{name}: {where} has {sorted(set(value) - allowed)}")

    def strings(value, where):
        check(isinstance(value, list) and all(isinstance(item, str) for item in value), f"{name}: {where} is {value}")

    keys(core, CAPI2, "core")
    check(re.fullmatch(r"[\w.-]*:[\w.-]*:[\w.-]+:\d+(\.\d+)*(-\w+)?", core["name"]), f"{name}: name {core['name']}")
    check(isinstance(core.get("description", ""), str), f"{name}: description")
    for fileset in core.get("filesets", {}).values():
        keys(fileset, CAPI2_FILESET, "fileset")
        strings(fileset["files"], "files")
    for target in core.get("targets", {}).values():
        keys(target, CAPI2_TARGET, "target")
        strings(target["filesets"], "filesets")
        check(set(target["filesets"]) <= set(core["filesets"]), f"{name}: no such fileset: {target['filesets']}")
        check(isinstance(target["toplevel"], str), f"{name}: toplevel")
        check("default_tool" not in target or target["default_tool"] in target["tools"], f"{name}: default_tool")
    for generator in core.get("generators", {}).values():
        keys(generator, CAPI2_GENERATOR, "generator")
        check("command" in generator, f"{name}: a generator without a command")
        check(all(isinstance(value, str) for value in generator.values()), f"{name}: generator {generator}")
    return core


def check_fusesoc(output):
    name = f"{output.top}.core"
    core = read_core(output.path(name))
    check(set(core["targets"]) == {"default", "lint", "synth"}, f"{name}: targets {sorted(core['targets'])}")
    for target in core["targets"].values():
        check(target["toplevel"] == output.top, f"{name}: toplevel {target['toplevel']}")
        rtl = [file for fileset in target["filesets"] if core["filesets"][fileset]["file_type"] == "systemVerilogSource"
               for file in core["filesets"][fileset]["files"]]
        output.check_files(rtl, name)
    check(core["filesets"]["constraints"] == {"file_type": "xdc", "files": [f"{output.top}.xdc"]}, f"{name}: constraints")
    check(core["targets"]["lint"]["tools"]["verilator"]["mode"] == "lint-only", f"{name}: lint")
    check_generator(output)


def check_generator(output):
    """Calls the generator as FuseSoC does: in an empty folder, with a GAPI file."""
    core = read_core(output.path("fred_generator.core"))
    check("filesets" not in core, "fred_generator.core: brings RTL to those who depend on it")
    entry = core["generators"]["fred_switch"]
    command = [entry["interpreter"], output.path(entry["command"])]

    def call(work, parameters):
        gapi = {"gapi": "1.0", "vlnv": "me:lib:top-net:1.0", "files_root": "/nowhere", "parameters": parameters}
        with open(f"{work}/gapi.yml", "w", encoding="utf-8") as file:
            yaml.safe_dump(gapi, file)
        return subprocess.run([*command, "gapi.yml"], cwd=work, env={**os.environ, "FRED": FRED}, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    with tempfile.TemporaryDirectory() as work:
        done = call(work, {"radix": 2, "ops": ["sum", "max"], "allow_slow": True, "vcs": 1, "ingress_depth": 2})
        check(done.returncode == 0, f"generator: {done.stdout}")
        made = read_core(f"{work}/top-net.core")
        check(made["name"] == "me:lib:top-net:1.0", f"generator: {made['name']}")
        with open(f"{work}/fred_switch/manifest.json", encoding="utf-8") as file:
            manifest = json.load(file)
        check(manifest["parameters"]["ops"] == ["sum", "max"] and manifest["parameters"]["allow_slow"], "generator: options")
        check(made["filesets"]["rtl"]["files"] == ["fred_switch/" + file["path"] for file in manifest["files"]],
              "generator: files")
        check(made["targets"]["default"]["toplevel"] == "fred_switch", "generator: toplevel")
    for parameters, text in (({"radix": 1}, "--radix 1"), ({"output": "x"}, "output"), ({"nosuch": 1}, "nosuch")):
        with tempfile.TemporaryDirectory() as work:
            done = call(work, parameters)
            check(done.returncode != 0 and text in done.stdout, f"generator: accepts {parameters}: {done.stdout}")
            check(os.listdir(work) == ["gapi.yml"], f"generator: {parameters} leaves {os.listdir(work)}")


BENDER = {"package", "remotes", "dependencies", "dev_dependencies", "sources", "export_include_dirs", "frozen", "workspace",
          "plugins", "vendor_package"}


def check_bender(output):
    bender = yaml.safe_load(output.text("Bender.yml"))
    check(set(bender) <= BENDER, f"Bender.yml: {sorted(set(bender) - BENDER)}")
    check(set(bender["package"]) <= {"name", "authors", "description"}, f"Bender.yml: package {bender['package']}")
    check(bender["package"]["name"] == output.top, f"Bender.yml: {bender['package']['name']}")
    check(all(isinstance(source, str) for source in bender["sources"]), "Bender.yml: sources")
    output.check_files(bender["sources"], "Bender.yml")


# ---- IP-XACT

NAMES = "name displayName? description?"
# Children of the elements that we write, in the order of the schema; ? optional, * any number, + at least one, | choice.
ORDER = {
    "component": "vendor library name version busInterfaces? indirectInterfaces? channels? remapStates? addressSpaces? "
                 "memoryMaps? model? componentGenerators? choices? fileSets? whiteboxElements? cpus? otherClockDrivers? "
                 "resetTypes? description? parameters? assertions? vendorExtensions?",
    "busInterfaces": "busInterface+",
    "busInterface": f"{NAMES} isPresent? busType abstractionTypes? master|slave|system|mirroredSlave|mirroredMaster|"
                    "mirroredSystem|monitor connectionRequired? bitsInLau? bitSteering? endianness? parameters? "
                    "vendorExtensions?",
    "abstractionTypes": "abstractionType+",
    "abstractionType": "viewRef* abstractionRef portMaps?",
    "portMaps": "portMap+",
    "portMap": "isPresent? logicalPort physicalPort|logicalTieOff isInformative?",
    "logicalPort": "name range?",
    "physicalPort": "name partSelect?",
    "partSelect": "range indices?",
    "range": "left right",
    "slave": "memoryMapRef? fileSetRefGroup*",
    "master": "addressSpaceRef?",
    "memoryMaps": "memoryMap+",
    "memoryMap": f"{NAMES} isPresent? addressBlock* memoryRemap* addressUnitBits? shared? vendorExtensions?",
    "addressBlock": f"{NAMES} accessHandles? isPresent? baseAddress typeIdentifier? range width usage? volatile? access? "
                    "parameters? register|registerFile* vendorExtensions?",
    "registerFile": f"{NAMES} accessHandles? isPresent? dim* addressOffset typeIdentifier? range register|registerFile* "
                    "parameters? vendorExtensions?",
    "register": f"{NAMES} accessHandles? isPresent? dim* addressOffset typeIdentifier? size volatile? access? field+ "
                "alternateRegisters? parameters? vendorExtensions?",
    "field": f"{NAMES} accessHandles? isPresent? bitOffset resets? typeIdentifier? bitWidth volatile? access? "
             "enumeratedValues? modifiedWriteValue? writeValueConstraint? readAction? testable? reserved? parameters? "
             "vendorExtensions?",
    "resets": "reset+",
    "reset": "value mask?",
    "model": "views? instantiations? ports?",
    "views": "view+",
    "view": f"{NAMES} isPresent? envIdentifier* componentInstantiationRef? designInstantiationRef? "
            "designConfigurationInstantiationRef?",
    "instantiations": "componentInstantiation|designInstantiation|designConfigurationInstantiation+",
    "componentInstantiation": f"{NAMES} isVirtual? language? libraryName? packageName? moduleName? architectureName? "
                              "configurationName? moduleParameters? defaultFileBuilder* fileSetRef* constraintSetRef* "
                              "whiteboxElementRefs? parameters? vendorExtensions?",
    "fileSetRef": "localName isPresent?",
    "ports": "port*",
    "port": f"{NAMES} isPresent? wire|transactional arrays? access? vendorExtensions?",
    "wire": "direction vectors? wireTypeDefs? domainTypeDefs? signalTypeDefs? drivers? constraintSets?",
    "vectors": "vector+",
    "vector": "left right",
    "drivers": "driver+",
    "driver": "range? defaultValue|clockDriver|singleShotDriver",
    "clockDriver": "clockPeriod clockPulseOffset clockPulseValue clockPulseDuration",
    "fileSets": "fileSet+",
    "fileSet": f"{NAMES} group* file* defaultFileBuilder* dependency* function* vendorExtensions?",
    "file": "name isPresent? fileType+ isStructural? isIncludeFile? logicalName? exportedName* buildCommand? dependency* "
            "define* imageType* description? vendorExtensions?",
}
VALUES = {
    "direction": "in|out|inout|phantom",
    "access": "read-only|write-only|read-write|writeOnce|read-writeOnce",
    "usage": "memory|register|reserved",
    "fileType": "systemVerilogSource",
    "modifiedWriteValue": "oneToClear|oneToSet|oneToToggle|zeroToClear|zeroToSet|zeroToToggle|clear|set|modify",
    "volatile": "true|false",
    "reserved": "true|false",
    "envIdentifier": r"[\w+*.]*:[\w+*.]*:[\w+*.]*",
    "version": r"\S+",
}
NUMBERS = {"left", "right", "baseAddress", "addressOffset", "size", "width", "dim", "bitOffset", "bitWidth", "value",
           "addressUnitBits", "clockPulseValue"}
NAMESPACE = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"

STREAM = {"TVALID": "m", "TREADY": "s", "TDATA": "m", "TKEEP": "m", "TLAST": "m", "TID": "m", "TDEST": "m", "TUSER": "m"}
LITE = {f"{channel}{signal}": side for channel, side, signals in (
    ("AW", "m", "ADDR"), ("W", "m", "DATA STRB"), ("AR", "m", "ADDR"), ("B", "s", "RESP"), ("R", "s", "DATA RESP"))
    for signal, side in [("VALID", side), ("READY", "s" if side == "m" else "m")] + [(s, side) for s in signals.split()]}


def local(element):
    check(element.tag.startswith(f"{{{NAMESPACE}}}"), f"ipxact: {element.tag} is of another namespace")
    return element.tag[len(NAMESPACE) + 2:]


def number(text):
    return int(text[2:], 16) if text.startswith("'h") else int(text)


def check_order(element):
    name = local(element)
    children = [local(child) for child in element]
    text = (element.text or "").strip()
    if name == "range" and not children:  # of an address block or register file
        number(text)
        return
    if name not in ORDER:
        check(not children, f"ipxact: {name} has {children}")
        check(name not in NUMBERS or number(text) >= 0, f"ipxact: {name} {text}")
        check(name not in VALUES or re.fullmatch(VALUES[name], text), f"ipxact: {name} {text!r}")
        return
    pattern = ""
    for item in ORDER[name].split():
        words, many = (item[:-1], item[-1]) if item[-1] in "?*+" else (item, "")
        pattern += f"((?:{words}),){many}"
    check(re.fullmatch(pattern, "".join(child + "," for child in children)), f"ipxact: {name} has {children}")
    for child in element:
        check_order(child)


def child(element, *path):
    for name in path:
        element = element.find(f"{{{NAMESPACE}}}{name}")
        if element is None:
            return None
    return element


def children(element, *path):
    for name in path[:-1]:
        element = child(element, name)
        if element is None:
            return []
    return element.findall(f"{{{NAMESPACE}}}{path[-1]}")


def text_of(element, *path):
    found = child(element, *path)
    return None if found is None else found.text


def unique(elements, where):
    names = [text_of(element, "name") for element in elements]
    check(len(set(names)) == len(names), f"ipxact: {where} with the same name")
    check(all(re.fullmatch(r"[A-Za-z_][\w.-]*", name) for name in names), f"ipxact: {where} {names}")
    return dict(zip(names, elements))


def check_interfaces(output, component, ports):
    """Every bit of every AXI port is in one interface, on the right side, with the widths of the flat vectors."""
    parameters, widths = output.manifest["parameters"], output.manifest["widths"]
    interfaces = unique(children(component, "busInterfaces", "busInterface"), "bus interfaces")
    wanted = [f"{side}_axis_{port}" for side in "sm" for port in range(parameters["radix"])] + ["s_axil"]
    check(list(interfaces) == wanted, f"ipxact: interfaces {list(interfaces)}")
    used = {}
    for name, interface in interfaces.items():
        stream = "axis" in name
        kind = "AXI4Stream" if stream else "AXI4-Lite"
        check(child(interface, "busType").get("name") == kind, f"ipxact: {name}: bus type")
        reference = child(interface, "abstractionTypes", "abstractionType", "abstractionRef")
        check(reference.get("name") == f"{kind}_rtl", f"ipxact: {name}: abstraction")
        mode = "master" if name.startswith("m_") else "slave"
        check(child(interface, mode) is not None, f"ipxact: {name} is no {mode}")
        signals = STREAM if stream else LITE
        maps = children(interface, "abstractionTypes", "abstractionType", "portMaps", "portMap")
        found = set()
        for item in maps:
            logical = text_of(item, "logicalPort", "name")
            physical = text_of(item, "physicalPort", "name")
            check(physical in ports, f"ipxact: {name}: there is no port {physical}")
            found.add(logical)
            if logical in ("ACLK", "ARESETn"):
                check(physical == {"ACLK": "clk_i", "ARESETn": "rst_ni"}[logical], f"ipxact: {name}: {logical}")
                continue
            check(logical in signals, f"ipxact: {name}: {kind} has no {logical}")
            direction, width = ports[physical]
            drives = signals[logical] == mode[0]
            check(direction == ("out" if drives else "in"), f"ipxact: {name}: direction of {logical}")
            check(physical == re.sub(r"_\d+$", "", name) + "_" + logical.lower(), f"ipxact: {name}: {physical}")
            part = child(item, "physicalPort", "partSelect", "range")
            high, low = (width - 1, 0) if part is None else (number(text_of(part, "left")), number(text_of(part, "right")))
            check(0 <= low <= high < width, f"ipxact: {name}: {physical}[{high}:{low}]")
            bits = child(item, "logicalPort", "range")
            logical_width = 1 if bits is None else number(text_of(bits, "left")) + 1
            check(logical_width == high - low + 1, f"ipxact: {name}: width of {logical}")
            if stream:
                port = int(name.rsplit("_", 1)[1])
                check(low == port * logical_width, f"ipxact: {name}: {physical}[{high}:{low}] is another port's")
            for bit in range(low, high + 1):
                check(used.setdefault((physical, bit), name) == name, f"ipxact: {physical}[{bit}] is used twice")
            if logical == "TDATA":
                check(logical_width == widths["tdata"], f"ipxact: {name}: TDATA has {logical_width} bits")
        check(found == set(signals) | {"ACLK", "ARESETn"}, f"ipxact: {name} has {sorted(found)}")
    for name, (_, width) in ports.items():
        outside = name in ("clk_i", "rst_ni", "irq_o") or name.endswith("_vc_ready")
        mapped = sum(1 for port, _ in used if port == name)
        check(mapped == (0 if outside else width), f"ipxact: {mapped} of {width} bits of {name} are in interfaces")
    check(child(interfaces["s_axil"], "slave", "memoryMapRef").get("memoryMapRef") == "registers", "ipxact: memory map")


def registers_of(component):
    """{name: address} with a name for every element of an array, and {name: element}."""
    addresses, elements = {}, {}

    def add(element, name, base, stride):
        dimensions = [number(item.text) for item in children(element, "dim")]
        count = 1
        for dimension in dimensions:
            count *= dimension
        for index in range(count):
            yield f"{name}[{index}]" if dimensions else name, base + index * stride

    memory_map = child(component, "memoryMaps", "memoryMap")
    check(text_of(memory_map, "addressUnitBits") == "8", "ipxact: addressUnitBits")
    ranges = []
    for block in children(memory_map, "addressBlock"):
        base, size = number(text_of(block, "baseAddress")), number(text_of(block, "range"))
        ranges.append((base, base + size))
        owners = [(block, "", base)]
        for owner, prefix, start in owners:  # which grows
            for group in children(owner, "registerFile"):
                first, stride = start + number(text_of(group, "addressOffset")), number(text_of(group, "range"))
                for name, address in add(group, prefix + text_of(group, "name"), first, stride):
                    owners.append((group, name + ".", address))
        for owner, prefix, start in owners:
            unique(children(owner, "register"), "registers")
            for element in children(owner, "register"):
                own = start + number(text_of(element, "addressOffset"))
                for name, address in add(element, prefix + text_of(element, "name"), own, 4):
                    check(base <= address and address + 4 <= base + size, f"ipxact: {name} is outside its block")
                    check(name not in addresses, f"ipxact: {name} is there twice")
                    addresses[name], elements[name] = address, element
    check(ranges == sorted(ranges) and all(a[1] <= b[0] for a, b in zip(ranges, ranges[1:])), "ipxact: blocks overlap")
    check(len(set(addresses.values())) == len(addresses), "ipxact: registers overlap")
    return addresses, elements


def check_fields(name, element):
    bits = set()
    unique(children(element, "field"), f"fields of {name}")
    for field in children(element, "field"):
        low, width = number(text_of(field, "bitOffset")), number(text_of(field, "bitWidth"))
        own = set(range(low, low + width))
        check(width > 0 and low + width <= 32 and not own & bits, f"ipxact: {name}: fields overlap")
        bits |= own
    return bits


def check_memory_map(output, component):
    manifest = output.manifest
    where, parameters, widths = manifest["registers"], manifest["parameters"], manifest["widths"]
    addresses, elements = registers_of(component)
    for name, element in elements.items():
        check_fields(name, element)
    for name in ("id", "version", "shape", "data", "latency", "hash", "types", "vcs", "error", "priority", "bound"):
        check(addresses[name.upper()] == where[name], f"ipxact: address of {name}")
    for port in range(parameters["radix"]):
        for vc in range(parameters["vcs"]):
            name = f"port_entry[{port}].PORT[{vc}]"
            wanted = where["port"]["base"] + port * where["port"]["stride"] + vc * where["port"]["vc_stride"]
            check(addresses[name] == wanted, f"ipxact: {name}")
    statuses = [name for name in addresses if "PORT[" in name]
    check(len(statuses) == parameters["radix"] * parameters["vcs"], "ipxact: too many ports")
    table = where["descriptor"]
    offsets = {name: [table[name]] for name in ("control", "status", "config", "colours")}
    for name, words in (("in_mask", "mask_words"), ("out_mask", "mask_words"), ("compat", "compat_words")):
        offsets[name] = [table[name] + 4 * word for word in range(table[words])]
    for descriptor in range(table["count"]):
        start = table["base"] + descriptor * table["stride"]
        for name, list_of in offsets.items():
            for word, offset in enumerate(list_of):
                entry = name.upper() + (f"_{word}" if len(list_of) > 1 else "")
                full = f"descriptor_entry[{descriptor}].{entry}"
                check(addresses.get(full) == start + offset, f"ipxact: address of {full}")
    masks = [bits for word in range(table["mask_words"]) for bits in check_fields(
        "IN_MASK", elements["descriptor_entry[0].IN_MASK" + (f"_{word}" if table["mask_words"] > 1 else "")])]
    check(len(masks) == parameters["radix"], "ipxact: bits of IN_MASK")
    if widths["route"] > 0:
        check(len(check_fields("COLOURS", elements["descriptor_entry[0].COLOURS"])) == widths["route"], "ipxact: COLOURS")
    tables, ports = where["alltoall"]["tables"], parameters["radix"]
    entries = [name for name in addresses if "ENTRY[" in name]
    check(len(entries) == tables * ports * ports, f"ipxact: {len(entries)} all-to-all entries")
    if tables:
        name = f"table_entry[{tables - 1}].step_entry[1].ENTRY[{ports - 1}]"
        check(addresses[name] == where["alltoall"]["base"] + (tables - 1) * where["alltoall"]["table_stride"]
              + where["alltoall"]["step_stride"] + (ports - 1) * where["alltoall"]["port_stride"], f"ipxact: {name}")
        check(text_of(elements[name], "access") == "write-only", "ipxact: entries are write only")
    check(max(addresses.values()) < 1 << where["address_bits"], "ipxact: an address has too many bits")
    # Addresses by `fred route`, which has them from elsewhere: those that set up a broadcast.
    known = {address: name for name, address in addresses.items()}
    arguments = [f"--{name.replace('_', '-')}={parameters[name]}" for name in ("radix", "middle", "descriptors",
                                                                                "alltoall_tables")]
    routed = json.loads(run([FRED, "route", *arguments, "--groups", "0,1", "--registers", "--json", "-"]))
    for write in routed["registers"][0]["writes"]:
        name = known[write["address"]].rsplit(".", 1)[-1]
        check(re.sub(r"\[\d+\]$", "", name) == write["name"], f"ipxact: {name} is {write['name']}")
        bits = sum(1 << bit for bit in check_fields(name, elements[known[write["address"]]]))
        check(write["data"] & ~bits == 0, f"ipxact: {name} has no bit for {write['data']:#x}")


def check_ipxact(output):
    component = ElementTree.fromstring(output.text(f"{output.top}.xml"))
    check(local(component) == "component", f"ipxact: {component.tag}")
    check_order(component)
    check(text_of(component, "name") == output.top, "ipxact: name")
    filesets = unique(children(component, "fileSets", "fileSet"), "file sets")
    output.check_files([text_of(file, "name") for file in children(filesets["rtl"], "file")], f"{output.top}.xml")
    view = child(component, "model", "views", "view")
    instantiation = child(component, "model", "instantiations", "componentInstantiation")
    check(text_of(view, "componentInstantiationRef") == text_of(instantiation, "name"), "ipxact: view")
    check(text_of(instantiation, "fileSetRef", "localName") in filesets, "ipxact: file set of the view")
    check(text_of(instantiation, "moduleName") == output.top, "ipxact: module")
    ports = {}
    for name, port in unique(children(component, "model", "ports", "port"), "ports").items():
        vector = child(port, "wire", "vectors", "vector")
        width = 1 if vector is None else number(text_of(vector, "left")) - number(text_of(vector, "right")) + 1
        ports[name] = (text_of(port, "wire", "direction"), width)
    wanted = {name: (direction[:-3], width) for name, (direction, width) in output.ports.items()}
    check(ports == wanted, f"ipxact: ports differ: {sorted(set(ports.items()) ^ set(wanted.items()))}")
    clock = next(port for port in children(component, "model", "ports", "port") if text_of(port, "name") == "clk_i")
    period = child(clock, "wire", "drivers", "driver", "clockDriver", "clockPeriod")
    check(period.get("units") == "ns" and float(period.text) == output.period, "ipxact: clock period")
    if "leaf" in output.manifest:
        check(child(component, "busInterfaces") is None and child(component, "memoryMaps") is None, "ipxact: AXI of a leaf")
        return
    check_interfaces(output, component, ports)
    check_memory_map(output, component)


CHECKS = {"sdc": check_sdc, "xdc": check_xdc, "vivado": check_vivado, "quartus": check_quartus, "openroad": check_openroad,
          "librelane": check_librelane, "fusesoc": check_fusesoc, "bender": check_bender, "ipxact": check_ipxact}


def check_provenance(output):
    """Every file of a flow names the command that writes it, where the format has a place for it."""
    for flow, files in output.manifest["flows"].items():
        for file in files:
            text = output.text(file["path"])
            silent = ("config.json", "fred_generator.core", "fred_generator.py")
            check(file["path"] in silent or f"{output.manifest['command']} --flow {flow}" in text, f"{file['path']}: command")
            check(output.folder not in text and not re.search(r"\b20\d\d-\d\d-\d\d", text), f"{file['path']}: place or date")


def main():
    folder, *names = sys.argv[1:]
    try:
        output = Output(folder)
        check(list(output.manifest["flows"]) == list(CHECKS), f"manifest: flows {list(output.manifest['flows'])}")
        for name in names or CHECKS:
            CHECKS[name](output)
        if not names:
            check_provenance(output)
    except (Wrong, KeyError, ValueError, TypeError, AttributeError, yaml.YAMLError, ElementTree.ParseError) as error:
        print(f"{type(error).__name__}: {error}" if not isinstance(error, Wrong) else error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

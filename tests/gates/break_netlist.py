#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks a mapped netlist on purpose: reads netlist.v as Yosys writes it, prints it with one fault.

  break_netlist.py netlist.v exchange CELL1 CELL2 PIN   exchanges what drives this input of two cells
  break_netlist.py netlist.v hold CELL                  a flip-flop's D becomes its own Q: it keeps its first value
  break_netlist.py netlist.v open CELL PIN              this input is connected to nothing
  break_netlist.py netlist.v random SEED                exchanges what drives one input of two random cells of a type

A cell is named by its type or by text in its name; the first that matches counts, for CELL2 the next one in that
module.
"""

import bisect
import random
import re
import sys

CELL = re.compile(r"^  (\w+) (\\\S+ |\w+) \(\n((?:    \.\w+\(.*\),?\n)+)  \);\n", re.MULTILINE)
PIN = re.compile(r"^    \.(\w+)\((.*)\),?$", re.MULTILINE)
OUTPUTS = ("Y", "YC", "YS", "Q")  # of the cells of osu018 and osu035


class Cell:
    """An instance: what it is, in which module, and for each pin where in the text the name of its net stands."""

    def __init__(self, match, module):
        self.type, self.name, self.module = match.group(1), match.group(2), module
        start = match.start(3)
        self.pins = {p.group(1): (start + p.start(2), start + p.end(2)) for p in PIN.finditer(match.group(3))}


def replaced(text, *changes):
    """The text with each span (begin, end) replaced."""
    for (begin, end), new in sorted(changes, reverse=True):
        text = text[:begin] + new + text[end:]
    return text


def exchanged(text, one, other, pin):
    a, b = one.pins[pin], other.pins[pin]
    if text[a[0]:a[1]] == text[b[0]:b[1]]:
        sys.exit("both cells have the same net there")
    return replaced(text, (a, text[b[0]:b[1]]), (b, text[a[0]:a[1]]))


def find(cells, text, other_than=None):
    for cell in cells:
        if cell is other_than or (other_than and cell.module != other_than.module):
            continue
        if cell.type == text or text in cell.name:
            return cell
    sys.exit(f"no such cell: {text}")


def exchange_random(text, cells, seed):
    rng = random.Random(seed)
    for _ in range(1000):
        one = rng.choice(cells)
        other = rng.choice([cell for cell in cells if (cell.type, cell.module) == (one.type, one.module)])
        pin = rng.choice([pin for pin in one.pins if pin not in OUTPUTS + ("CLK",)] or [""])
        if not pin:
            continue
        a, b = one.pins[pin], other.pins[pin]
        if text[a[0]:a[1]] != text[b[0]:b[1]]:
            print(f"{one.type} {one.name}and {other.name}, pin {pin}", file=sys.stderr)
            return exchanged(text, one, other, pin)
    sys.exit("no two cells of a type have different nets")


def main(path, kind, *arguments):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    modules = [match.start() for match in re.finditer(r"^module ", text, re.MULTILINE)]
    cells = [Cell(match, bisect.bisect(modules, match.start())) for match in CELL.finditer(text)]
    if kind == "exchange":
        one = find(cells, arguments[0])
        text = exchanged(text, one, find(cells, arguments[1], one), arguments[2])
    elif kind == "hold":
        cell = find(cells, arguments[0])
        q = text[slice(*cell.pins["Q"])]
        text = replaced(text, (cell.pins["D"], q))
    elif kind == "open":
        text = replaced(text, (find(cells, arguments[0]).pins[arguments[1]], ""))
    elif kind == "random":
        text = exchange_random(text, cells, arguments[0])
    else:
        sys.exit(__doc__)
    sys.stdout.write(text)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])

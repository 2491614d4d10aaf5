#!/usr/bin/env python3
"""The circuit diagrams of docs/hardware.md, drawn from this text.

    python3 docs/hardware/draw.py            draws every diagram beside this file
    python3 docs/hardware/draw.py --check    says which diagrams are not as this text draws them

Needs schemdraw 0.23 (pip install schemdraw==0.23): another version may place things differently.
"""

import sys
from pathlib import Path

import schemdraw
import schemdraw.elements as elm
from schemdraw.elements import Dot, Ground, Ic, IcPin, Label, Line, Resistor, SwitchReed, Vdd

HERE = Path(__file__).parent
SMALL = 10


class Chip:
    """A box with named pins, evenly placed on its sides; `pins` has the end of each pin's wire."""

    STUB = 0.5

    def __init__(self, d, name, at, size, left="", right="", top="", bottom="", name_at=0.5):
        (x, y), (w, h) = at, size
        d.add(elm.Rect(corner1=(0, 0), corner2=(w, h)).at(at).theta(0))
        text(d, (x + w / 2, y + h * name_at), name, 12, "center")
        self.pins = {}
        for names, place, out, align in [
            (left, lambda t: (x, y + h * (1 - t)), (-1, 0), "left"),
            (right, lambda t: (x + w, y + h * (1 - t)), (1, 0), "right"),
            (top, lambda t: (x + w * t, y + h), (0, 1), "center"),
            (bottom, lambda t: (x + w * t, y), (0, -1), "center"),
        ]:
            names = names.split()
            for number, pin in enumerate(names):
                px, py = place((number + 0.5) / len(names))
                end = (px + out[0] * self.STUB, py + out[1] * self.STUB)
                wire(d, (px, py), end)
                inset = 0.15 if out[0] else 0.3
                text(d, (px - out[0] * inset, py - out[1] * inset), pin, SMALL, align)
                self.pins[pin] = end

    def __getitem__(self, pin):
        return self.pins[pin]


def to(d, start, *ways):
    """A wire from `start` that goes to these x and y in turn: ("x", 3) or ("y", 2). Returns its end."""
    for axis, value in ways:
        end = (value, start[1]) if axis == "x" else (start[0], value)
        wire(d, start, end)
        start = end
    return start


def room(d, x, y):
    """Room for text up to here: the library does not count it."""
    d.add(Line().at((x, y)).to((x - 0.01, y)).color("white"))


def dot(d, at):
    d.add(Dot().at(at))


def ground(d, at):
    d.add(Ground().at(at))


def supply(d, at, name="3V3"):
    d.add(Vdd().at(at).label(name, fontsize=SMALL))


def wire(drawing, *points):
    """A wire from point to point."""
    for start, end in zip(points, points[1:]):
        drawing.add(Line().at(start).to(end))


def text(drawing, at, words, size=SMALL, align="left"):
    drawing.add(Label().at(at).theta(0).label(words, fontsize=size, halign=align, valign="center"))


def dots(drawing, at):
    text(drawing, at, "...", 18, "center")


def matrix(d):
    """Three ranks and three files of the matrix; the others are alike."""
    columns = [(3, "a", "GP8"), (7, "b", "GP9"), (11, "h", "GP15")]
    rows = [(0, "1", "GP0"), (-4, "2", "GP1"), (-8, "8", "GP7")]
    for y, rank, pin in rows:
        wire(d, (-0.4, y), (11, y))
        text(d, (-3.4, y), f"{pin}, rank {rank}", 12)
    for x, file, pin in columns:
        wire(d, (x, 1.6), (x, -11))
        text(d, (x, 2.1), f"file {file}", 12, "center")
        text(d, (x, -11.5), pin, 12, "center")
    for x, file, _ in columns:
        for y, rank, _ in rows:
            d.add(Dot().at((x - 2.6, y)))
            d.add(elm.Diode().at((x - 2.6, y)).to((x - 2.6, y - 2)).label("1N4148" if (x, y) == (3, 0) else "", "bottom", fontsize=SMALL))
            d.add(SwitchReed().at((x - 2.6, y - 2)).to((x, y - 2)).label(f"{file}{rank}", "bottom", fontsize=SMALL))
            d.add(Dot().at((x, y - 2)))
    dots(d, (9, 2.1))
    dots(d, (9, -11.5))
    dots(d, (-2.4, -6))


def shift_registers(d):
    """The chain: data travel to the left, to the controller."""
    controller = Chip(d, "controller", (-7.5, -3), (3.4, 5), name_at=1.07, right="3V3 MISO SCLK latch MOSI GND")
    before = controller["MISO"]
    clock, latch, tail = -2.4, -3.2, -4
    for x, rank in [(0, "rank 1"), (7.5, "rank 2"), (16.5, "rank 8")]:
        chip = Chip(d, f"74HC165\n{rank}", (x, 0), (5.6, 2.6), left="Q7", right="DS",
                    top="D0 D1 D2 D3 D4 D5 D6 D7", bottom="CP PL CE")
        if x == 16.5:
            dots(d, (15.1, 1.25))
            wire(d, (15.4, 1.3), chip["Q7"])
            wire(d, before, (14.8, 1.3))
        elif x:
            wire(d, before, chip["Q7"])
        else:
            to(d, before, ("x", -2.2), ("y", 1.3), ("x", -0.5))
        before = chip["DS"]
        dot(d, to(d, chip["CP"], ("y", clock)))
        dot(d, to(d, chip["PL"], ("y", latch)))
        ground(d, chip["CE"])
    to(d, controller["MOSI"], ("x", -3.1), ("y", tail), ("x", before[0] + 0.6), ("y", before[1]), ("x", before[0]))
    to(d, controller["SCLK"], ("x", -2.2), ("y", clock), ("x", 17.43))
    to(d, controller["latch"], ("x", -2.8), ("y", latch), ("x", 19.3))
    supply(d, to(d, controller["3V3"], ("y", 2.2)))
    ground(d, controller["GND"])
    reed(d, (0.35, 3.1), "a1", True)
    text(d, (1.2, 5), "one of 64: every input has\nits resistor and its reed", SMALL)


def reed(d, at, name, pull_up):
    """A reed to ground on an input above a chip."""
    x, y = at
    node = to(d, at, ("y", y + 0.8))
    if pull_up:
        dot(d, node)
        d.add(Resistor().at(node).to((x, y + 2.8)).label("10 kΩ", "top", fontsize=SMALL))
        supply(d, (x, y + 2.8))
    d.add(SwitchReed().at(node).to((x - 2.2, y + 0.8)).label(name, fontsize=SMALL))
    ground(d, (x - 2.2, y + 0.8))


def expanders(d):
    """Four port expanders on one bus."""
    controller = Chip(d, "controller", (-7, -1.5), (3.4, 4), name_at=1.08, right="3V3 SDA SCL GND")
    sda, scl = -1.6, -2.4
    for x, address, ranks, high in [(0, "0x20", "ranks 1 and 2", ""), (7.6, "0x21", "ranks 3 and 4", "A0"),
                                    (15.2, "0x22", "ranks 5 and 6", "A1"), (22.8, "0x23", "ranks 7 and 8", "A0 A1")]:
        chip = Chip(d, f"MCP23017 at {address}\n{ranks}", (x, 0.5), (7.2, 2.8),
                    top="GPA0 ... GPA7 GPB0 ... GPB7", bottom="SDA SCL A0 A1 A2 RESET")
        dot(d, to(d, chip["SDA"], ("y", sda)))
        dot(d, to(d, chip["SCL"], ("y", scl)))
        for pin in ("A0", "A1", "A2", "RESET"):
            if pin in high.split() or pin == "RESET":
                d.add(Vdd().at(chip[pin]).flip().label("3V3", "bottom", fontsize=8))
            else:
                ground(d, chip[pin])
    to(d, controller["SDA"], ("x", -2.4), ("y", sda), ("x", 23.4))
    to(d, controller["SCL"], ("x", -2.8), ("y", scl), ("x", 24.6))
    supply(d, to(d, controller["3V3"], ("y", 2.6)))
    ground(d, controller["GND"])
    for x, level in [(-2, sda), (-0.5, scl)]:
        dot(d, (x, level))
        d.add(Resistor().at((x, level)).to((x, level + 2)).label("2.2 kΩ" if x < -1 else "", "bottom", fontsize=SMALL))
        supply(d, (x, level + 2))
    reed(d, (0.6, 3.8), "a1", False)
    text(d, (1, 5.4), "one of 64: GPA0 to GPA7 are a to h of the lower rank, GPB0 to GPB7 of the upper one", SMALL)


def multiplexers(d, x):
    """Four CD74HC4067 below one another, sixteen sensors on each, their address lines joined. Returns the chips."""
    chips = []
    for number, ranks in enumerate(["ranks 1 and 2", "ranks 3 and 4", "ranks 5 and 6", "ranks 7 and 8"]):
        y = -6 * number
        chip = Chip(d, f"CD74HC4067\n{ranks}", (x, y), (5, 4), left="SIG E S0 S1 S2 S3", right="C0 C1 ... C15")
        chips.append(chip)
        if number == 0:
            sensor = Chip(d, "DRV5055 a1", (x + 7.5, 1), (5.4, 2.2), left="OUT", top="VCC", bottom="GND")
            to(d, chip["C0"], ("x", x + 6.4), ("y", sensor["OUT"][1]), ("x", sensor["OUT"][0]))
            supply(d, sensor["VCC"])
            ground(d, sensor["GND"])
            text(d, (x + 5.6, 5.4), "C0 to C7 are a to h of the lower\nrank, C8 to C15 of the upper one", SMALL)
            room(d, x + 13.6, 5.6)
    for number, pin in enumerate(["S0", "S1", "S2", "S3"]):
        rail = x - 1.2 - 0.5 * number
        for chip in chips:
            at = to(d, chip[pin], ("x", rail))
            dot(d, at)
        wire(d, (rail, chips[0][pin][1]), (rail, chips[-1][pin][1]))
    return chips


def hall_pi(d):
    """Multiplexers on a converter of four channels and more, on SPI."""
    chips = multiplexers(d, 0)
    adc = Chip(d, "MCP3208", (-9.5, -15.2), (3.6, 9), left="VDD VREF CLK DOUT DIN CS AGND DGND", right="CH0 CH1 CH2 CH3")
    pi = Chip(d, "Raspberry Pi", (-18, -16), (4, 12), name_at=1.03,
              right="3V3 GPIO11 GPIO9 GPIO10 GPIO8 GPIO17 GPIO27 GPIO22 GPIO23 GND")
    for number, chip in enumerate(chips):
        rail = (-5.2, -4.8, -4.4, -4.4)[number]
        to(d, adc[f"CH{number}"], ("x", rail), ("y", chip["SIG"][1]), ("x", chip["SIG"][0]))
        ground(d, chip["E"])
    for number, (pin, line) in enumerate([("CLK", "GPIO11"), ("DOUT", "GPIO9"), ("DIN", "GPIO10"), ("CS", "GPIO8")]):
        rail = -12.6 + 0.45 * (1.5 - number)
        to(d, pi[line], ("x", rail), ("y", adc[pin][1]), ("x", adc[pin][0]))
    for number, line in enumerate(["GPIO17", "GPIO27", "GPIO22", "GPIO23"]):
        rail, below = -1.2 - 0.5 * number, -19.2 - 0.5 * number
        to(d, pi[line], ("x", -13 + 0.4 * number), ("y", below), ("x", rail), ("y", chips[-1][f"S{number}"][1]))
    supply(d, to(d, pi["3V3"], ("y", -3.2)))
    ground(d, pi["GND"])
    for pin in ("VDD", "VREF"):
        to(d, adc[pin], ("x", -10.6), ("y", -5.4))
    supply(d, (-10.6, -5.4))
    for pin in ("AGND", "DGND"):
        to(d, adc[pin], ("x", -10.6), ("y", -15.8))
    ground(d, (-10.6, -15.8))


def hall_pico(d):
    """Multiplexers that share one input of the controller's own converter, enabled one at a time."""
    chips = multiplexers(d, 0)
    pico = Chip(d, "Raspberry Pi Pico", (-13, -17), (4.4, 13), name_at=1.03,
                right="3V3 GP26 GP6 GP7 GP8 GP9 GP2 GP3 GP4 GP5 GND")
    for chip in chips:
        dot(d, to(d, chip["SIG"], ("x", -6)))
    wire(d, (-6, chips[0]["SIG"][1]), (-6, chips[-1]["SIG"][1]))
    dot(d, to(d, pico["GP26"], ("x", -6)))
    for number, chip in enumerate(chips):
        rail = -5.4 + 0.5 * number
        to(d, pico[f"GP{6 + number}"], ("x", rail), ("y", chip["E"][1]), ("x", chip["E"][0]))
    for number in range(4):
        rail, below = -1.2 - 0.5 * number, -19.2 - 0.5 * number
        to(d, pico[f"GP{2 + number}"], ("x", -7.6 + 0.35 * number), ("y", below), ("x", rail), ("y", chips[-1][f"S{number}"][1]))
    supply(d, to(d, pico["3V3"], ("y", -3.2)))
    ground(d, pico["GND"])


def controls(d):
    """Lever and buttons, each between its line and ground."""
    pins = ["White's lever", "Black's lever", "White's button", "Black's button"]
    controller = Chip(d, "controller", (-4, -6.5), (4.6, 6.5), right="3V3 1 2 3 4 GND", name_at=1.07)
    supply(d, to(d, controller["3V3"], ("y", 1.3)))
    for number, name in enumerate(pins):
        y, x = controller[str(number + 1)][1], 3 + 2 * number
        node = to(d, controller[str(number + 1)], ("x", x))
        dot(d, node)
        d.add(Resistor().at((x, 0.4)).to((x, 2.4)).label("10 kΩ", "bottom", fontsize=SMALL))
        wire(d, node, (x, 0.4))
        supply(d, (x, 2.4))
        wire(d, node, (11, y))
        d.add(elm.Button().at((11, y)).to((13, y)))
        ground(d, to(d, (13, y), ("x", 13.6)))
        text(d, (14.4, y), name, 12)
    room(d, 18.5, 0)
    ground(d, controller["GND"])


def lamps(d):
    """Outputs of the same length as the chain of inputs: data travel to the right, away from the controller."""
    controller = Chip(d, "controller", (-7.5, -3), (3.4, 5), name_at=1.07, right="3V3 MOSI SCLK CE GND")
    before, clock, store = controller["MOSI"], -2.4, -3.2
    for x, rank in [(0, "rank 1"), (7.5, "rank 2"), (16.5, "rank 8")]:
        chip = Chip(d, f"74HC595\n{rank}", (x, 0), (5.6, 2.6), left="DS", right="Q7S", top="Q0 Q1 Q2 Q3 Q4 Q5 Q6 Q7",
                    bottom="SHCP STCP MR OE")
        if x == 16.5:
            dots(d, (15.1, 1.25))
            wire(d, (15.4, 1.3), chip["DS"])
            wire(d, before, (14.8, 1.3))
        elif x:
            wire(d, before, chip["DS"])
        else:
            to(d, before, ("x", -2.2), ("y", 1.3), ("x", -0.5))
        before = chip["Q7S"]
        dot(d, to(d, chip["SHCP"], ("y", clock)))
        dot(d, to(d, chip["STCP"], ("y", store)))
        d.add(Vdd().at(chip["MR"]).flip().label("3V3", "bottom", fontsize=8))
        ground(d, chip["OE"])
    to(d, controller["SCLK"], ("x", -2.2), ("y", clock), ("x", 17.2))
    to(d, controller["CE"], ("x", -2.8), ("y", store), ("x", 18.6))
    supply(d, to(d, controller["3V3"], ("y", 2.2)))
    ground(d, controller["GND"])
    d.add(Resistor().at((0.35, 3.1)).to((0.35, 5.1)).label("1 kΩ", "bottom", fontsize=SMALL))
    d.add(elm.LED().at((0.35, 5.1)).to((-1.65, 5.1)).label("a1", "bottom", fontsize=SMALL))
    ground(d, (-1.65, 5.1))
    text(d, (2.4, 4.6), "one of 64: a resistor and a lamp on every output", SMALL)


def magnets(d):
    """A piece on its square, cut through: where magnet, reed and Hall sensor are."""
    for x in (0, 13.5):
        box(d, (x, 0), (11, 0.9), "playing surface")
        box(d, (x, -3.2), (11, 0.5), "circuit board or carrier")
        box(d, (x + 3, 1), (5, 1.8), "")
        box(d, (x + 4.2, 1.05), (2.6, 0.8), "magnet")
        text(d, (x + 5.5, 2.3), "foot of the piece", SMALL, "center")
        wire(d, (x + 5.5, 3.8), (x + 5.5, 2.9))
        wire(d, (x + 5.5, -3.4), (x + 5.5, -4.4))
        text(d, (x + 5.7, 3.6), "middle of the square")
    d.add(SwitchReed().at((5.5, -1.9)).to((9.5, -1.9)))
    for x in (5.7, 9.3):
        wire(d, (x, -1.9), (x, -2.7))
    text(d, (0.3, -0.6), "a reed: its end below the middle, its contacts beside it")
    box(d, (13.5 + 4.9, -2.7), (1.2, 0.9), "")
    text(d, (13.8, -0.6), "a Hall sensor: its marked face up, below the middle")
    text(d, (13.6, -4.3), "dark pieces: north pole down\nlight pieces: south pole down")
    room(d, 25, 3)


def box(d, at, size, words):
    d.add(elm.Rect(corner1=(0, 0), corner2=size).at(at).theta(0))
    text(d, (at[0] + size[0] / 2, at[1] + size[1] / 2), words, SMALL, "center")


DRAWINGS = {
    "matrix": matrix,
    "shift-registers": shift_registers,
    "expanders": expanders,
    "hall-pico": hall_pico,
    "hall-raspberry-pi": hall_pi,
    "controls": controls,
    "lamps": lamps,
    "magnets": magnets,
}


def drawn(draw):
    """A diagram as SVG."""
    schemdraw.use("svg")
    drawing = schemdraw.Drawing(show=False)
    drawing.config(fontsize=12, unit=2, bgcolor="white", margin=0.4, inches_per_unit=0.4, lw=1.5)
    draw(drawing)
    return drawing.get_imagedata("svg")


def main():
    stale = []
    for name, draw in DRAWINGS.items():
        file, svg = HERE / f"{name}.svg", drawn(draw)
        if "--check" not in sys.argv:
            file.write_bytes(svg)
        elif not file.exists() or file.read_bytes() != svg:
            stale.append(file.name)
    if stale:
        sys.exit(f"not as docs/hardware/draw.py draws them: {', '.join(stale)}; run it")


if __name__ == "__main__":
    main()

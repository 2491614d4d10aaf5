#!/usr/bin/env python3
"""What a firmware image takes of a microcontroller, and the image as it lies in flash.

    ci/image.py IMAGE.elf [--flash BYTES] [--ram BYTES] [--bin FILE] [--uf2 FILE]

Fails when more flash or RAM is taken than the limits say (`-`: no limit). RAM is what has a fixed place; the stack is measured where the
image runs. Layout of the file: Executable and Linkable Format, 32 bits, System V ABI chapters 4 and 5.
"""
import argparse
import struct
import sys
from pathlib import Path

RAM = range(0x2000_0000, 0x4000_0000)  # Armv6-M Architecture Reference Manual, "The system address map"
LOAD = 1

RP2040 = 0xE48BFF56  # its family: github.com/microsoft/uf2, utils/uf2families.json
UF2_HAS_FAMILY = 0x2000
UF2_PAGE = 256


def segments(elf):
    """(address when running, address in flash, its bytes, its size when running) of everything that takes memory."""
    if elf[:6] != b"\x7fELF\x01\x01":
        raise SystemExit("not an ELF file of a 32-bit little-endian machine")
    start, = struct.unpack_from("<I", elf, 28)
    size, count = struct.unpack_from("<HH", elf, 42)
    for number in range(count):
        kind, offset, runs, lies, in_file, in_memory = struct.unpack_from("<6I", elf, start + number * size)
        if kind == LOAD and in_memory > 0:
            yield runs, lies, elf[offset:offset + in_file], in_memory


def in_flash(parts):
    """Everything from the first byte in flash to the last; what is between is erased flash."""
    stored = [(lies, data) for _, lies, data, _ in parts if data]
    first, last = min(lies for lies, _ in stored), max(lies + len(data) for lies, data in stored)
    image = bytearray(b"\xff" * (last - first))
    for lies, data in stored:
        image[lies - first:lies - first + len(data)] = data
    return bytes(image)


def uf2(start, image):
    """The image in blocks that each say where they belong: https://github.com/microsoft/uf2, "File format"."""
    image += b"\xff" * (-len(image) % UF2_PAGE)
    count = len(image) // UF2_PAGE
    blocks = []
    for number in range(count):
        page = image[number * UF2_PAGE:(number + 1) * UF2_PAGE]
        head = (0x0A324655, 0x9E5D5157, UF2_HAS_FAMILY, start + number * UF2_PAGE, UF2_PAGE, number, count, RP2040)
        blocks.append(struct.pack("<8I476sI", *head, page, 0x0AB16F30))
    return b"".join(blocks)


def limit(text):
    return None if text == "-" else int(text)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("elf", type=Path)
    arguments.add_argument("--flash", type=limit, metavar="BYTES", help="the most it may take of flash")
    arguments.add_argument("--ram", type=limit, metavar="BYTES", help="the most it may take of RAM")
    arguments.add_argument("--bin", type=Path, metavar="FILE", help="where the image is written as it lies in flash")
    arguments.add_argument("--uf2", type=Path, metavar="FILE", help="where it is written as an RP2040 takes it over USB")
    wanted = arguments.parse_args()

    parts = list(segments(wanted.elf.read_bytes()))
    image = in_flash(parts)
    ram = sum(size for runs, _, _, size in parts if runs in RAM)
    print(f"{wanted.elf.stem}: {len(image)} bytes of flash, {ram} of RAM before the stack")
    if wanted.bin:
        wanted.bin.write_bytes(image)
    if wanted.uf2:
        wanted.uf2.write_bytes(uf2(min(lies for _, lies, data, _ in parts if data), image))
    for name, taken, most in [("flash", len(image), wanted.flash), ("RAM", ram, wanted.ram)]:
        if most is not None and taken > most:
            sys.exit(f"{wanted.elf}: {taken} bytes of {name}, and at most {most} are allowed")


if __name__ == "__main__":
    main()

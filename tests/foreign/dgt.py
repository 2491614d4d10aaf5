"""Reads a DGT board as a program would that knows nothing of this repository: pyserial opens the port, a parser of its own reads
the messages, python-chess holds the pieces. Prints one JSON object: what the board is and what was seen until the board has gone.
"""

import json
import sys

import chess
import serial

PIECES = " PRNBKQprnbkq"


def messages(port):
    """The messages of a port, each as its id and its data."""
    buffer = bytearray()
    while True:
        try:
            got = port.read(max(1, port.in_waiting))
        except (OSError, serial.SerialException):
            return
        if not got:
            return
        buffer += got
        while len(buffer) >= 3:
            size = buffer[1] * 128 + buffer[2]
            if len(buffer) < size:
                break
            yield buffer[0], bytes(buffer[3:size])
            del buffer[:size]


def put(board, number, code):
    square = chess.square(number % 8, 7 - number // 8)
    board.remove_piece_at(square)
    if 0 < code < len(PIECES):
        board.set_piece_at(square, chess.Piece.from_symbol(PIECES[code]))


def bcd(byte):
    return byte // 16 * 10 + byte % 16


def main():
    seen = {"first": None, "updates": 0, "levers": 0, "clocks": 0}
    board = chess.BaseBoard.empty()
    lever = None
    port = serial.Serial(sys.argv[1], 9600, timeout=30)
    # Changes from now on, every square, the clock, then who it is and what it says of itself.
    port.write(bytes([0x4B, 0x42, 0x41, 0x4D, 0x45, 0x55, 0x46, 0x4C, 0x47]))
    for kind, data in messages(port):
        if kind == 0x86:
            for number, code in enumerate(data):
                put(board, number, code)
            seen["first"] = seen["first"] or board.board_fen()
        elif kind == 0x8E:
            put(board, *data)
            seen["updates"] += 1
        elif kind == 0x8D:
            right = (data[0] & 15) * 3600 + bcd(data[1]) * 60 + bcd(data[2])
            left = (data[3] & 15) * 3600 + bcd(data[4]) * 60 + bcd(data[5])
            seen["times"] = [left, right]
            seen["clocks"] += 1
            seen["levers"] += lever is not None and lever != data[6] & 2
            lever = data[6] & 2
        elif kind == 0x93:
            seen["version"] = list(data)
        elif kind == 0x91:
            seen["serial"] = data.decode()
        elif kind == 0xA2:
            seen["long"] = data.decode()
        elif kind == 0x90:
            seen["address"] = data[0] * 128 + data[1]
        elif kind == 0xA0:
            seen["battery"] = data[0]
        elif kind == 0x92:
            seen["words"] = data.decode()
    seen["last"] = board.board_fen()
    print(json.dumps(seen))


main()

"""python-mchess (github.com/domschl/python-mchess), from which most programs have their ChessLink, as the driver of our simulated one."""

import json
import os
import queue
import sys

import bench


def meet(checkout):
    sys.path.insert(0, os.path.join(checkout, "mchess"))
    bench.without_modem_lines()
    from chess_link_agent import ChessLinkAgent

    told = queue.Queue()
    with bench.directory() as where, bench.simulated("chesslink", 3) as (port, board):
        os.chdir(where)
        with open("chess_link_config.json", "w") as file:
            json.dump({"transport": "chess_link_usb", "address": port, "autodetect": False}, file)
        agent = ChessLinkAgent(told, {"ply_vis_delay": 80, "max_plies_board": 3})
        if bench.check("it takes our board for a ChessLink", agent.agent_ready(), True):
            bench.plays(board)
        os.chdir("/")
    seen = list(told.queue)
    fens = [one["fen"].split(" ")[0] for one in seen if one.get("cmd") == "raw_board_position"]
    bench.check("which side its cable is on", [one["orientation"] for one in seen if one.get("cmd") == "new_game"], [True])
    bench.in_order("every state", fens, bench.positions())

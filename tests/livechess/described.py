"""Stands in for Lichess, and holds every push against the description that Lichess publishes of its interface: a checkout of
github.com/lichess-org/api is given, and PyYAML and jsonschema are needed. What is wrong with a request is a line that begins with
`-`; one that begins with `+` says how many games of which tables came. An answer is what the description gives as its example.

    python3 described.py --peer DIR --port 9663 --requests 5
"""

import argparse
import json
import pathlib
import re
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

import jsonschema
import yaml

options = argparse.ArgumentParser()
options.add_argument("--peer", type=pathlib.Path, required=True)
options.add_argument("--port", type=int, required=True)
options.add_argument("--requests", type=int, required=True, help="ends after so many")
options = options.parse_args()


def whole(file):
    """A file of the description, with everything that it refers to in its place."""

    def put(value):
        if isinstance(value, list):
            return [put(one) for one in value]
        if not isinstance(value, dict):
            return value
        if isinstance(value.get("$ref"), str) and not value["$ref"].startswith("#"):
            return whole((file.parent / value["$ref"]).resolve())
        return {key: put(one) for key, one in value.items()}

    return put(yaml.safe_load(file.read_text()))


TEMPLATE = "/api/broadcast/round/{broadcastRoundId}/push"
index = options.peer / "doc/specs/lichess-api.yaml"
push = whole((index.parent / yaml.safe_load(index.read_text())["paths"][TEMPLATE]["$ref"]).resolve())["post"]
most = int(re.search(r"up to (\d+) games", push["requestBody"]["description"])[1])
taken = push["responses"]["200"]["content"]["application/json"]
example = taken["examples"]["default"]["value"]
jsonschema.validate(example, taken["schema"])
seen, wrong = 0, 0


def complaints(path, headers, body):
    before, after = TEMPLATE.split("{broadcastRoundId}")
    if not (path.startswith(before) and path.endswith(after)):
        yield f"the path is {path}"
        return
    [id_] = [one["schema"] for one in push["parameters"] if one["name"] == "broadcastRoundId"]
    try:
        jsonschema.validate(path[len(before):-len(after)], id_)
    except jsonschema.ValidationError as error:
        yield f"the round: {error.message}"
    kind = headers.get("content-type", "").split(";")[0].strip()
    if kind not in push["requestBody"]["content"]:
        yield f"the body is {kind}"
    if not re.fullmatch(r"Bearer \S+", headers.get("authorization", "")):
        yield "there is no token"
    games = [game for game in re.split(r"\n\n(?=\[)", body.strip()) if game]
    if not 1 <= len(games) <= most:
        yield f"{len(games)} games"
    for game in games:
        if game.count("[Event ") != 1:
            yield f"games run together: {game[:200]!r}"


class Lichess(BaseHTTPRequestHandler):
    def do_POST(self):
        global seen, wrong
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        found = list(complaints(self.path, self.headers, body))
        for what in found:
            print("-", what, flush=True)
        seen, wrong = seen + 1, wrong + len(found)
        tables = re.findall(r'^\[Board "(\d+)"\]$', body, re.M)
        print("+", len(tables), "games, of the tables", " ".join(tables), flush=True)
        answer = json.dumps(example).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", options.port), Lichess)
while seen < options.requests:
    server.handle_request()
sys.exit(1 if wrong else 0)

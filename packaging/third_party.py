#!/usr/bin/env python3
"""What others wrote of a program in a package: their licences, and a bill of materials in CycloneDX.

    packaging/third_party.py PACKAGE TARGET copyright|sbom

PACKAGE is one of this workspace (daemon, firmware-linux), TARGET a target triple. Reads cargo's own description of what is
built; the same sources give the same bytes.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONSOLE = ROOT / "daemon" / "console" / "vendor"
# Debian systems have these once for all.
COMMON = {"GNU GENERAL PUBLIC LICENSE": "GPL-3", "Apache License": "Apache-2.0"}
TEXTS = re.compile(r"(licen[cs]e|copying|notice|unlicense)", re.IGNORECASE)


def built(package, target):
    """The package, and every crate that is linked into it, by name and version."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
    tree = json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    nodes = {node["id"]: node for node in tree["resolve"]["nodes"]}
    crates = {crate["id"]: crate for crate in tree["packages"]}
    first = next(crate["id"] for crate in crates.values() if crate["name"] == package and crate["source"] is None)
    found, waiting = {first}, [first]
    while waiting:
        for needed in nodes[waiting.pop()]["deps"]:
            is_linked = any(kind["kind"] is None for kind in needed["dep_kinds"])
            if is_linked and needed["pkg"] not in found:
                found.add(needed["pkg"])
                waiting.append(needed["pkg"])
    others = sorted((crates[one] for one in found - {first}), key=lambda crate: (crate["name"], crate["version"]))
    return crates[first], others


def shortened(text):
    """A licence that every Debian system has is named instead."""
    for title, name in COMMON.items():
        if title in text[:300] and len(text) > 8_000:
            return f"/usr/share/common-licenses/{name}"
    return text


def copyright_file(program, crates):
    """In words: what the package is under, each crate's licence, and each different text once."""
    theirs = [crate for crate in crates if crate["source"] is not None]
    lines = [
        f"{program['name']} {program['version']}: {program['license']}. The whole text of the GNU General Public License, version 3,",
        "is on Debian systems in /usr/share/common-licenses/GPL-3.",
        "",
        "The program contains these crates of others:",
        "",
    ]
    texts = {}
    for crate in theirs:
        lines.append(f"{crate['name']} {crate['version']}: {crate['license']}")
        for file in sorted(Path(crate["manifest_path"]).parent.iterdir()):
            if file.is_file() and TEXTS.match(file.name):
                text = shortened(file.read_text(errors="replace").strip())
                texts.setdefault(" ".join(text.split()), (text, []))[1].append(f"{crate['name']} {crate['version']}")
    if program["name"] == "daemon":
        for file in sorted(CONSOLE.glob("LICENSE.*")):
            text = shortened(file.read_text().strip())
            texts.setdefault(" ".join(text.split()), (text, []))[1].append(f"{file.suffix[1:]}, in the console")
    for text, names in texts.values():
        lines += ["", "-" * 78, "For " + ", ".join(names) + ":", "", text]
    return "\n".join(lines) + "\n"


def component(crate):
    name = f"pkg:cargo/{crate['name']}@{crate['version']}"
    licence = (crate["license"] or "").replace("/", " OR ")
    return {
        "type": "library",
        "bom-ref": name,
        "name": crate["name"],
        "version": crate["version"],
        "purl": name,
        "licenses": [{"expression": licence}],
    }


def sbom(program, crates):
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {**component(program), "type": "application"}},
        "components": [component(crate) for crate in crates],
    }
    return json.dumps(bill, indent=1) + "\n"


def main():
    match sys.argv[1:]:
        case [package, target, "copyright"]:
            sys.stdout.write(copyright_file(*built(package, target)))
        case [package, target, "sbom"]:
            sys.stdout.write(sbom(*built(package, target)))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()

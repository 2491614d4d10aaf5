#!/usr/bin/env python3
"""What may enter the dependency tree, by deny.toml: licences, banned crates, sources and wildcards. Needs no network but cargo's.

cargo-deny checks the same file and security advisories besides; no package registry has it ready to run. Takes no arguments.
"""
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = tomllib.loads((ROOT / "deny.toml").read_text())
CRATES_IO = ("registry+https://github.com/rust-lang/crates.io-index", "sparse+https://index.crates.io/")


def packages():
    """Every package that is built for any of the targets, once."""
    found = {}
    for target in RULES["graph"]["targets"]:
        command = ["cargo", "metadata", "--locked", "--all-features", "--format-version", "1", "--filter-platform", target]
        tree = json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
        used = {node["id"] for node in tree["resolve"]["nodes"]}
        found |= {package["id"]: package for package in tree["packages"] if package["id"] in used}
    return list(found.values())


def permits(expression, allowed):
    """Whether an SPDX expression can be met with the licences `allowed`."""
    expression = expression.replace("/", " OR ")
    names = re.compile(r"[A-Za-z0-9.+-]+(?: WITH [A-Za-z0-9.-]+)?")
    words = {"OR": "or", "AND": "and"}
    return eval(names.sub(lambda word: words.get(word[0], str(word[0] in allowed)), expression), {"__builtins__": {}})


def faults(package, allow, exceptions, banned):
    name, source, licence = package["name"], package["source"], package["license"]
    if licence is None or not permits(licence, allow | exceptions.get(name, set())):
        yield f"its licence, {licence}, is not allowed"
    if name in banned:
        yield f"it is banned: {banned[name]}"
    if source is not None and source not in CRATES_IO:
        yield f"it comes from {source}"
    for needed in package["dependencies"]:
        if source is None and needed["req"] == "*" and not needed.get("path"):
            yield f"it takes any version of {needed['name']}"


def main():
    allow = set(RULES["licenses"]["allow"])
    exceptions = {one["crate"]: set(one["allow"]) for one in RULES["licenses"]["exceptions"]}
    banned = {one["crate"]: one["reason"] for one in RULES["bans"]["deny"]}
    all_packages = packages()
    wrong = [f"{p['name']} {p['version']}: {fault}" for p in all_packages for fault in faults(p, allow, exceptions, banned)]
    print("\n".join(wrong) or f"{len(all_packages)} packages: licences, sources and versions are as deny.toml has them")
    return bool(wrong)


if __name__ == "__main__":
    # The reader of expressions, held against what it must tell apart.
    assert permits("MIT OR Apache-2.0", {"MIT"}) and not permits("MIT AND Apache-2.0", {"MIT"})
    assert permits("(MIT OR Apache-2.0) AND Unicode-3.0", {"MIT", "Unicode-3.0"}) and permits("Unlicense/MIT", {"MIT"})
    assert not permits("GPL-3.0-or-later", {"GPL-3.0"}) and not permits("Apache-2.0 WITH LLVM-exception", {"Apache-2.0"})
    sys.exit(main())

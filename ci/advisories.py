#!/usr/bin/env python3
"""What is known against the packages that are built, by the lock files and RustSec's advisory database.

    ci/advisories.py                 warns when the table of SECURITY.md is older than 90 days
    ci/advisories.py --write DIR     makes the table anew from a checkout of github.com/rustsec/advisory-db, today's by preference

The table is dated by the newest advisory that the checkout holds. Versions are matched as cargo does it, by the package
`semantic-version` (pip), which only `--write` needs.
"""
import datetime
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "SECURITY.md"
LOCKS = ["Cargo.lock", "fuzz/Cargo.lock"]
DAYS = 90
TABLE = re.compile(r"(?<=<!-- advisories -->\n).*?(?=<!-- end -->)", re.S)
DATED = re.compile(r"advisories up to (\d{4}-\d\d-\d\d)")


def locked():
    """The versions of every package from a registry, and which lock files have it."""
    found = {}
    for lock in LOCKS:
        for package in tomllib.loads((ROOT / lock).read_text())["package"]:
            if "source" in package:
                found.setdefault((package["name"], package["version"]), []).append(lock)
    return found


def advisories(database, name):
    for page in sorted((database / "crates" / name).glob("RUSTSEC-*.md")):
        head, title = re.match(r"```toml\n(.*?)```\s*#?\s*(.*?)\n", page.read_text(), re.S).groups()
        yield tomllib.loads(head), title.strip()


def concerns(advisory, version):
    """Whether an advisory is about this version: it has not been withdrawn, and no range says that the version is well."""
    from semantic_version import NpmSpec, Version

    well = advisory["versions"].get("patched", []) + advisory["versions"].get("unaffected", [])
    # As npm writes them: no space behind an operator, one between two conditions.
    ranges = (NpmSpec(re.sub(r"([<>=^~]) +", r"\1", re.sub(r", *", " ", one))) for one in well)
    return "withdrawn" not in advisory["advisory"] and not any(Version(version) in one for one in ranges)


def newest(database):
    dates = re.compile(r"^date *= *[\"'](.*?)[\"']", re.M)
    pages = (dates.search(page.read_text()) for page in database.glob("crates/*/RUSTSEC-*.md"))
    return max(found[1] for found in pages if found)


def table(database):
    rows = []
    packages = locked()
    for (name, version), locks in sorted(packages.items()):
        for advisory, title in advisories(database, name):
            if concerns(advisory, version):
                about = advisory["advisory"]
                kind = about.get("informational", "vulnerability")
                rows.append(f"| {name} {version} | {about['id']} | {kind} | {title} | {', '.join(locks)} |")
    head = f"{len(packages)} packages of {len(LOCKS)} lock files, advisories up to {newest(database)}:"
    columns = ["", "| package | advisory | kind | what | built by |", "|---|---|---|---|---|"]
    return "\n".join([head, *columns, *rows] if rows else [f"{head} none."]) + "\n"


def main():
    page = PAGE.read_text()
    if sys.argv[1:2] == ["--write"] and len(sys.argv) == 3:
        page = TABLE.sub(lambda _: table(Path(sys.argv[2])), page)
        PAGE.write_text(page)
    elif len(sys.argv) > 1:
        sys.exit(__doc__)
    dated = datetime.date.fromisoformat(DATED.search(page)[1])
    age = (datetime.date.today() - dated).days
    late = f"WARNING: older than {DAYS} days; make it anew with ci/advisories.py --write" if age > DAYS else "not older than it may be"
    print(f"known advisories: the table of SECURITY.md is {age} days old, {late}")


if __name__ == "__main__":
    main()

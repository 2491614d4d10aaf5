#!/usr/bin/env python3
"""Prints the packages of this workspace that may be published: those that do not say `publish = false`."""
import json
import subprocess

command = ["cargo", "metadata", "--locked", "--no-deps", "--format-version", "1"]
packages = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["packages"]
print(*sorted(package["name"] for package in packages if package["publish"] != []), sep="\n")

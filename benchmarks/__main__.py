"""Run benchmarks: `python -m benchmarks [name ...] [--write]`.

--write renews benchmarks/RESULTS.md: all of it, or only the sections of the benchmarks that were named.
"""

from __future__ import annotations

import datetime
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"
HEAD = f"""# Measured figures

Made by `make bench` on {os.cpu_count()} cores; each section gives its command, date and commit. Machines are
shared and noisy: read the ratios, not the seconds.

"""
NOT_BENCHMARKS = {"__main__", "command", "machine", "peers", "watched"}
ONLY_NAMED = {"scale"}
"""Benchmarks of an hour, which are not run with all others."""


def main() -> None:
    names = [word for word in sys.argv[1:] if not word.startswith("-")]
    write = "--write" in sys.argv
    known = [module.name for module in pkgutil.iter_modules([str(HERE)]) if module.name not in NOT_BENCHMARKS]
    sections = {}
    for name in names or [name for name in known if name not in ONLY_NAMED]:
        print(f"== {name}", flush=True)
        # A process each: the highest memory of one is not that of the next.
        program = [sys.executable, "-m", f"benchmarks.{name}"]
        printed = subprocess.run(program, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        print(printed, flush=True)
        title = (importlib.import_module(f"benchmarks.{name}").__doc__ or name).strip()
        if "|---" not in printed:
            printed = f"```text\n{printed}\n```"
        command = f"`python -m benchmarks.{name}`, {datetime.date.today()}, commit {commit()}"
        sections[name] = f"## {name}\n\n{title}\n\n{command}\n\n{printed}\n"
    if write:
        kept = written()
        if not names:
            kept = {name: text for name, text in kept.items() if name in ONLY_NAMED}
        both = sorted((kept | sections).items())
        text = HEAD + "\n".join(section for name, section in both if name in known)
        RESULTS.write_text(text, encoding="utf-8")


def commit() -> str:
    """Return the commit that is measured."""
    git = ["git", "-C", str(HERE), "rev-parse", "--short", "HEAD"]
    return subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()


def written() -> dict[str, str]:
    """Return the sections of the file as it is."""
    parts = re.split(r"^## (\w+)\n", RESULTS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {
        name: f"## {name}\n{text.rstrip()}\n" for name, text in zip(parts[1::2], parts[2::2], strict=True)
    }


if __name__ == "__main__":
    main()

"""Run all benchmarks: `python -m benchmarks [name ...] [--write]`; --write renews benchmarks/RESULTS.md."""

from __future__ import annotations

import contextlib
import datetime
import importlib
import io
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
NOT_BENCHMARKS = {"__main__", "machine"}


def main() -> None:
    names = [word for word in sys.argv[1:] if not word.startswith("-")]
    write = "--write" in sys.argv
    sys.argv = sys.argv[:1]  # benchmarks have options of their own, and take their defaults here
    known = [module.name for module in pkgutil.iter_modules([str(HERE)]) if module.name not in NOT_BENCHMARKS]
    sections = []
    for name in names or known:
        module = importlib.import_module(f"benchmarks.{name}")
        print(f"== {name}", flush=True)
        captured = io.StringIO()
        with contextlib.redirect_stdout(captured):
            module.main()
        print(captured.getvalue(), flush=True)
        title = (module.__doc__ or name).strip()
        printed = captured.getvalue().strip()
        if "|---" not in printed:
            printed = f"```text\n{printed}\n```"
        sections.append(f"## {name}\n\n{title}\n\n`python -m benchmarks.{name}`\n\n{printed}\n")
    if write:
        git = ["git", "-C", str(HERE), "rev-parse", "--short", "HEAD"]
        commit = subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
        head = (
            "# Measured figures\n\n"
            f"Made by `make bench` on {datetime.date.today()} at commit {commit}, {os.cpu_count()} cores. "
            "Machines are shared and noisy: read the ratios, not the seconds.\n\n"
        )
        (HERE / "RESULTS.md").write_text(head + "\n".join(sections), encoding="utf-8")


if __name__ == "__main__":
    main()

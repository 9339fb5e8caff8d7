"""Writes a small container of each kind, for `fuzz_containers`: `python -m tests.fuzz.seeds FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.small_containers import KINDS


def main() -> None:
    """Write the files, named by their kinds."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, kind in KINDS.items():
        kind.make(folder / name)


if __name__ == "__main__":
    main()

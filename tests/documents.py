"""Code blocks of the project's own documents."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]

FENCE = re.compile(r"^```(\w+) *([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the file that it shows (if any), its text, and the line of its start."""

    language: str
    file: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page in order."""
    content = page.read_text(encoding="utf-8")
    return [
        Block(match[1], match[2], match[3], content.count("\n", 0, match.start()) + 1)
        for match in FENCE.finditer(content)
    ]


def commands_of(block: Block) -> list[str]:
    """Return the shell commands of a block, continuation lines joined, comments removed."""
    if block.language not in ("sh", "bash", "console"):
        return []
    lines = block.text.replace("\\\n", " ").splitlines()
    found = [re.sub(r"\s+# .*$", "", line).strip() for line in lines]
    return [command for command in found if command and not command.startswith("#")]


def commands(page: Path) -> list[str]:
    """Return the shell commands of a page."""
    return [command for block in blocks(page) for command in commands_of(block)]

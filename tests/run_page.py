"""Run a page of the documentation as a reader would: its blocks in order, in the current folder.

python -m tests.run_page PAGE

Commands run in this process (those of README.md, which users try first, in processes of their own), Python
snippets share their names, and blocks that show a file write it.
"""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

from tests.commands import run, run_process
from tests.documents import Block, blocks, commands_of

SET_UP = re.compile(r"^(make|pip|pre-commit|cd|python -m benchmarks)\b")
"""Commands that set a machine up or measure it; they are not run."""


def redirections(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Take `< file` and `> file` out of a command."""
    arguments, files = [], {}
    rest = iter(words)
    for word in rest:
        if word in ("<", ">"):
            files[word] = next(rest)
        else:
            arguments.append(word)
    return arguments, files


def run_command(command: str, *, in_process: bool) -> None:
    """Run a command; any end but success ends the page."""
    words = shlex.split(command)
    if words[0] != "tunesmith":
        raise SystemExit(f"nothing here knows how to run {command!r}")
    arguments, files = redirections(words[1:])
    given = Path(files["<"]).read_bytes() if "<" in files else b""
    done = (run if in_process else run_process)(*arguments, stdin=given)
    if done.returncode != 0:
        raise SystemExit(f"{command}\n{done.stderr}")
    if ">" in files:
        Path(files[">"]).write_text(done.stdout, encoding="utf-8")


def run_block(page: Path, block: Block) -> None:
    """Run or write one block."""
    if block.file:
        Path(block.file).write_text(block.text, encoding="utf-8")
    elif block.language == "python":
        code = compile("\n" * block.line + block.text, str(page), "exec")
        exec(code, sys.modules["__main__"].__dict__)
    else:
        for command in commands_of(block):
            if not SET_UP.match(command):
                run_command(command, in_process=page.name != "README.md")


if __name__ == "__main__":
    for each in blocks(Path(sys.argv[1])):
        run_block(Path(sys.argv[1]), each)

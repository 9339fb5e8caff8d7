"""Run pages of the documentation as a reader would: their blocks in order, each page in a folder of its own.

python -m tests.run_page MEMORY

Each line of standard input is a page, a folder and a file for what is printed, separated by tabs; the answer
is the exit code. A page runs in a fork of this process, which has imported all that pages need. Commands run
in that process (those of README.md, which users try first, in processes of their own), Python snippets share
their names, and blocks that show a file write it; a Python file is run as well. What commands made that begin
several pages is remembered in the folder MEMORY.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
import shlex
import sys
import traceback
from functools import partial
from pathlib import Path

from tests.commands import run, run_process
from tests.documents import Block, blocks, commands_of
from tests.remembered import run_or_repeat

import tunesmith

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


def run_block(page: Path, block: Block, memory: Path) -> None:
    """Run or write one block."""
    if block.file:
        Path(block.file).write_text(block.text, encoding="utf-8")
    if block.language == "python":
        code = compile("\n" * block.line + block.text, str(page), "exec")
        exec(code, sys.modules["__main__"].__dict__)
    elif not block.file:
        for command in commands_of(block):
            if SET_UP.match(command):
                continue
            if page.name == "README.md":
                run_command(command, in_process=False)
            else:
                run_or_repeat(command, memory, partial(run_command, command, in_process=True))


def run_page(page: Path, memory: Path) -> int:
    """Run a page, and return its exit code."""
    try:
        for each in blocks(page):
            run_block(page, each, memory)
    except SystemExit as end:
        if isinstance(end.code, str):
            sys.stderr.write(end.code)
        return 1 if end.code else 0
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def run_in_fork(page: Path, folder: Path, log: Path, memory: Path) -> int:
    """Run a page in a fork of this process."""
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with log.open("wb") as stream:
        for descriptor in (1, 2):
            os.dup2(stream.fileno(), descriptor)
    os.chdir(folder)
    code = run_page(page, memory)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    for module in pkgutil.walk_packages(tunesmith.__path__, "tunesmith."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for line in sys.stdin:
        page, *places = line.rstrip("\n").split("\t")
        print(run_in_fork(Path(page), *map(Path, places), Path(sys.argv[1])), flush=True)

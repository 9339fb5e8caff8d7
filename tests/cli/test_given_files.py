"""No command writes what it is to read: every path of every command has a role, and roles are checked."""

from __future__ import annotations

import importlib
import inspect
import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run

from tunesmith.cli.flags import expanded
from tunesmith.cli.given_files import role_of
from tunesmith.cli.subcommands import Deferred, Subcommands
from tunesmith.file_roles import Reads, Writes, itself
from tunesmith.leftovers import temporary_name


def commands() -> Iterator[tuple[str, Deferred]]:
    for name, command in Subcommands().commands.items():
        inner = getattr(command, "commands", None)
        for second, own in (inner or {"": command}).items():
            yield f"{name} {second}".strip(), own


COMMANDS = dict(commands())


class Called:
    """A command, its parameters with their roles, and calls of it with placeholders for what it requires."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder
        self.command = COMMANDS[name].load()
        taken = expanded(importlib.import_module(COMMANDS[name].module).run)
        self.parameters = inspect.signature(taken).parameters
        self.roles: dict[str, list[Any]] = {}
        for parameter in self.parameters.values():
            found = role_of(parameter.annotation)
            self.roles[parameter.name] = list(found) if isinstance(found, tuple) else [found]

    def having(self, kind: type) -> list[tuple[str, Any]]:
        """The parameters with a role of a kind."""
        return [
            (name, role) for name, roles in self.roles.items() for role in roles if isinstance(role, kind)
        ]

    def words(self, **given: object) -> list[str]:
        """Return a command line with values, and placeholders for what else is required."""
        options, arguments = list[str](), list[str]()
        names = [each.name for each in self.command.params if each.param_type_name == "argument"]
        last = max((number for number, name in enumerate(names, 1) if name in given), default=0)
        for parameter in self.command.params:
            name = parameter.name
            before = name in names[:last]  # an argument before one that is given
            if not (name in given or parameter.required or before):
                continue
            value = str(given[name]) if name in given else self._placeholder(name)
            if name in names:
                arguments.append(value)
            else:
                options += [parameter.opts[-1], value]
        return [*self.name.split(), *arguments, *options]

    def values(self, **given: object) -> dict[str, Any]:
        """Return the values of all parameters of a call."""
        words = self.words(**given)[len(self.name.split()) :]
        return dict(self.command.make_context(self.name, words).params)

    def _placeholder(self, name: str) -> str:
        kind = str(self.parameters[name].annotation)
        numbers = ("1" for number in ("int", "float") if kind.startswith(f"typing.Annotated[{number}"))
        return next(numbers, str(self.folder / f"some.{name}"))


def files_of(called: Called, name: str, role: Writes, value: Path) -> list[Path]:
    return list(role.files(str(value), called.values(**{name: value})))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_path_of_a_command_has_a_role(name: str, tmp_path: Path) -> None:
    called = Called(name, tmp_path)
    for parameter in called.parameters.values():
        if "Path" in str(parameter.annotation):
            what = f"{name}: mark the type of {parameter.name} with Reads(), Writes() or InFolder()"
            assert called.roles[parameter.name] != [None], what


def test_files_that_are_taken_as_text_have_roles_too() -> None:
    for name, option in (
        *(("lm compile", "arpa"), ("lm compile", "classes"), ("forest convert", "output_file")),
        *((f"tune {kind}", "start") for kind in ("model", "online", "nbest", "forests")),
        *(("tune nbest", "history"), ("tune forests", "history"), ("rerank", "feature_files")),
    ):
        assert Called(name, Path()).roles[option] != [None], (name, option)


@pytest.mark.parametrize("name", [name for name in COMMANDS if Called(name, Path()).having(Writes)])
def test_no_command_writes_its_input(name: str, tmp_path: Path) -> None:
    called = Called(name, tmp_path)
    for (reads, _), (writes, role) in itertools.product(called.having(Reads), called.having(Writes)):
        if reads == writes:
            continue
        output = tmp_path / "shared"
        if role.is_folder(str(output), called.values(**{writes: output})):
            output.mkdir(exist_ok=True)
            files = [output / "file"]
            inputs = [output, output / "file"]
        else:
            if reads == "lexicon" and role.files is itself:
                output = tmp_path / "shared.e2f"
            files = files_of(called, writes, role, output)
            inputs = [tmp_path / "shared"] if reads == "lexicon" else files[:1]
        for file in files:
            file.write_text("precious\n")
        for given in inputs:
            value = f"x={given}" if reads == "feature_files" else given
            words = called.words(**{reads: value, writes: output})
            before = sorted(tmp_path.rglob("*"))
            done = run(*words, folder=tmp_path)
            assert done.returncode == 2, (words, done.stderr)
            assert "choose another" in done.stderr, (words, done.stderr)
            assert sorted(tmp_path.rglob("*")) == before
            assert all(file.read_text() == "precious\n" for file in files)
        for file in files:
            file.unlink()
        if output.is_dir():
            output.rmdir()


@pytest.mark.parametrize("name", [name for name in COMMANDS if len(Called(name, Path()).having(Writes)) > 1])
def test_two_outputs_are_different_files(name: str, tmp_path: Path) -> None:
    called, output = Called(name, tmp_path), tmp_path / "shared"
    for (one, role), (other, second) in itertools.combinations(called.having(Writes), 2):
        if role.files is not itself or second.files is not itself:
            continue  # a prefix; the names of its files have suffixes
        words = called.words(**{one: output, other: output})
        done = run(*words, folder=tmp_path)
        assert (done.returncode, "another output" in done.stderr) == (2, True), (words, done.stderr)


@pytest.mark.parametrize("link", ["symlink_to", "hardlink_to"])
def test_links_to_an_input_are_the_input(link: str, tmp_path: Path) -> None:
    (tmp_path / "lists").write_text("0 ||| a ||| f= 1 ||| 0\n")
    getattr(tmp_path / "out", link)(tmp_path / "lists")
    (tmp_path / "weights").write_text("f 1\n")
    done = run("rerank", "--candidates", "lists", "--weights", "weights", "-o", "out", folder=tmp_path)
    assert done.returncode == 2
    assert "out is an input too" in done.stderr
    assert (tmp_path / "lists").read_text() == "0 ||| a ||| f= 1 ||| 0\n"


def test_streams_and_devices_are_never_lost(tmp_path: Path) -> None:
    (tmp_path / "lists").write_text("0 ||| a ||| f= 1 ||| 0\n")
    (tmp_path / "weights").write_text("f 1\n")
    given = ("rerank", "--candidates", "lists", "--weights", "weights")
    for output in ("-", os.devnull):
        assert run(*given, "-o", output, folder=tmp_path).returncode == 0
    assert run("weights", "convert", "-", "-", folder=tmp_path, stdin="f 1\n").returncode == 0


def test_a_file_of_a_model_is_no_output(small_model: Path, small_corpus: Path, tmp_path: Path) -> None:
    before = (small_model / "lm.bin").read_bytes()
    done = run("table", "build", small_model, "-o", small_model / "lm.bin", folder=tmp_path)
    assert done.returncode == 2
    assert "lm.bin is a file of the model" in done.stderr
    (tmp_path / "text").write_text("a\n")
    done = run("classes", "text", "-k", 2, "-o", small_model / "lm.bin", folder=tmp_path)
    assert (done.returncode, "lm.bin is a file of the model" in done.stderr) == (2, True)
    assert (small_model / "lm.bin").read_bytes() == before
    other = small_model / "earlier.bin"
    for _ in range(2):  # the second time it is there, but the model does not name it
        done = run("table", "build", small_model, "-o", other, folder=tmp_path)
        assert done.returncode != 2, done.stderr
    other.unlink(missing_ok=True)


def test_what_a_killed_command_left_of_an_output_is_removed_by_the_next(tmp_path: Path) -> None:
    host = temporary_name(tmp_path / "x").name.split("-")[1]
    gone, kept = f".out.4194305-{host}", f".other.4194305-{host}"  # no process has a number above 4194304
    for name in (gone, kept):
        (tmp_path / name).touch()
    (tmp_path / "text").write_text("a b\n")
    done = run("corpus", "tokenize", "text", "-o", "out", "--language", "en", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([kept, "text", "out"])

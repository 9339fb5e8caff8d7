"""No command writes what it is to read: every path of every command has a role, and roles are checked."""

from __future__ import annotations

import importlib
import inspect
import itertools
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.test_forest_commands import forest
from tests.commands import run

from tunesmith.cli.flags import expanded
from tunesmith.cli.given_files import role_of
from tunesmith.cli.recorded_files import KINDS, kind_of
from tunesmith.cli.subcommands import Deferred, Subcommands
from tunesmith.file_roles import Reads, Writes, itself
from tunesmith.forest.writers import write_forests
from tunesmith.leftovers import temporary_name
from tunesmith.model.model import START_FILE
from tunesmith.runs.kind import FORMATS


def commands() -> Iterator[tuple[str, Deferred]]:
    for name, command in Subcommands().commands.items():
        inner = getattr(command, "commands", None)
        for second, own in (inner or {"": command}).items():
            yield f"{name} {second}".strip(), own


COMMANDS = dict(commands())

REPLACED = {"forest convert": "0.gz", "extract grammars": "grammar.0.gz", "export": "moses.ini"}
"""A name that a command replaces in a folder, if it does not own all in it."""

WHITELIST = "rule-identity(only={})"
TOKENIZE = ("corpus", "tokenize", "--language", "en")
AS_TEXT = {"feature_files": "x={}", "templates": WHITELIST, "template": WHITELIST, "template_list": WHITELIST}
"""How files are named by the values of parameters that are texts."""


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
        *(("lm compile", "arpa"), ("lm compile", "class_file"), ("forest convert", "output_file")),
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
            files = [output / REPLACED.get(name, "file")]
            inputs = [output, files[0]]
        else:
            if reads == "lexicon" and role.files is itself:
                output = tmp_path / "shared.e2f"
            files = files_of(called, writes, role, output)
            inputs = [tmp_path / "shared"] if reads == "lexicon" else files[:1]
        for file in files:
            file.write_text("precious\n")
        for given in inputs:
            value = AS_TEXT.get(reads, "{}").format(given)
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


@pytest.fixture
def text(tmp_path: Path) -> Path:
    (tmp_path / "text").write_text("a\n")
    return tmp_path / "text"


def refused(*words: object, folder: Path, kept: Path, why: str) -> None:
    """Check that a call is refused and that a file of the folder is as before."""
    before = kept.read_bytes()
    done = run(*words, folder=folder)
    assert (done.returncode, why in done.stderr) == (2, True), (words, done.stderr)
    assert kept.read_bytes() == before


@pytest.fixture
def own_model(small_model: Path, tmp_path: Path) -> Path:
    """A copy of a model, to which files may be added."""
    return Path(shutil.copytree(small_model, tmp_path / "model"))


def test_parts_outside_of_a_model_are_read_with_it(own_model: Path, text: Path, tmp_path: Path) -> None:
    part = tmp_path / "outside.lm"
    part.write_bytes((own_model / "lm.bin").read_bytes())
    features = json.loads((own_model / "features.json").read_text())
    features["language_models"][0]["path"] = "../outside.lm"
    (own_model / "features.json").write_text(json.dumps(features))
    call = ("decode", own_model, "-i", text, "-o")
    refused(*call, part, folder=tmp_path, kept=part, why="is a file of the input")
    (tmp_path / "link").symlink_to(part)
    refused(*call, tmp_path / "link", folder=tmp_path, kept=part, why="is a file of the input")
    other = tmp_path / "other"
    other.mkdir()
    part.rename(other / "outside.lm")
    (own_model / "features.json").write_text(
        json.dumps(features).replace("../outside.lm", "../other/outside.lm")
    )
    call = ("pack", own_model, "-o", other)
    refused(*call, folder=tmp_path, kept=other / "outside.lm", why="is in the folder of the output")


def test_whitelists_of_templates_are_inputs(small_model: Path, text: Path, tmp_path: Path) -> None:
    (tmp_path / "list").write_text("RuleId_a_b\n")
    call = (
        "decode",
        small_model,
        "-i",
        text,
        "--template",
        "target-bigrams,rule-identity(least=1, only = list)",
    )
    refused(*call, "-o", "list", folder=tmp_path, kept=tmp_path / "list", why="list is an input too")


@pytest.mark.parametrize("name", sorted(KINDS))
def test_records_of_other_runs_are_no_outputs(name: str, text: Path, tmp_path: Path) -> None:
    kind = kind_of(name)
    record = tmp_path / kind.record
    record.write_text(json.dumps({"format": name}))
    refused(*TOKENIZE, text, "-o", record, folder=tmp_path, kept=record, why=f"of the {kind.noun}")
    record.write_text("{}")  # a file of a user's
    assert run(*TOKENIZE, text, "-o", record, folder=tmp_path).returncode == 0


def test_files_of_other_runs_are_no_outputs(text: Path, tmp_path: Path) -> None:
    rounds = tmp_path / "run" / "rounds"
    rounds.mkdir(parents=True)
    (tmp_path / "run" / "run.json").write_text('{"format": "tunesmith-tuning"}')
    for place in (tmp_path / "run" / "weights.json", rounds / "0.weights.json"):
        place.write_text("{}\n")
    weights = tmp_path / "run" / "weights.json"
    refused(*TOKENIZE, text, "-o", weights, folder=tmp_path, kept=weights, why="of the tuning run")


def test_translations_may_be_written_into_the_folder_of_the_model_again(own_model: Path, text: Path) -> None:
    for _ in range(2):  # the second time the file is there, but it is not one of the model
        done = run("decode", own_model, "-i", text, "-o", own_model / "out", folder=own_model.parent)
        assert done.returncode == 0, done.stderr


def test_the_kinds_of_all_runs_are_known() -> None:
    for name in KINDS:
        assert kind_of(name).format == name
    assert KINDS.keys() == FORMATS.keys() - {"tunesmith-model"}


def test_weights_are_installed_in_a_model_again_and_again(
    own_model: Path, text: Path, tmp_path: Path
) -> None:
    (tmp_path / "w.json").write_text((own_model / START_FILE).read_text())
    weights = own_model / "weights.json"
    weights.unlink(missing_ok=True)
    refused_first = run(*TOKENIZE, text, "-o", weights, folder=tmp_path)
    assert (refused_first.returncode, weights.exists()) == (2, False)
    for _ in range(2):
        done = run("weights", "convert", "w.json", weights, "--model", own_model, folder=tmp_path)
        assert done.returncode == 0, done.stderr
    refused(*TOKENIZE, text, "-o", weights, folder=tmp_path, kept=weights, why="of the model")
    part = own_model / "lm.bin"
    call = ("weights", "convert", "w.json", part, "--model", own_model)
    refused(*call, folder=tmp_path, kept=part, why="of the model")


def test_folders_of_forests_may_have_other_files(tmp_path: Path, text: Path) -> None:
    write_forests(tmp_path / "f.bin", [("0", forest("x")), ("1", forest("y"))])
    (tmp_path / "w").write_text("a 1\nb 1\nx 1\ny 1\nlm 1\n")
    for _ in range(2):  # the second time the files are there
        done = run("forest", "convert", "f.bin", "-o", "graphs/", folder=tmp_path)
        assert done.returncode == 0, done.stderr
        shutil.copy(tmp_path / "f.bin", tmp_path / "graphs" / "f.bin")
        done = run("forest", "convert", "graphs/f.bin", "-o", "graphs/", folder=tmp_path)
        assert done.returncode == 0, done.stderr
        call = ("forest", "nbest", "graphs", "--weights", "w", "--missing-weight", "0", "-o")
        done = run(*call, "graphs/lists.nb", folder=tmp_path)
        assert done.returncode == 0, done.stderr
    one = tmp_path / "graphs" / "1.gz"
    refused(*call, "graphs/1.gz", folder=tmp_path, kept=one, why="is a file of the input")
    call = ("forest", "convert", "graphs/1.gz", "-o", "graphs/")
    refused(*call, folder=tmp_path, kept=one, why="is in the folder of the output")


def test_grammars_may_be_added_to_the_folder_of_their_text(small_hiero: Path, tmp_path: Path) -> None:
    (tmp_path / "input").write_text("a\n")
    for _ in range(2):
        words = ("extract", "grammars", "--input", "input", "-o", ".", "--model", small_hiero)
        assert "choose another" not in run(*words, folder=tmp_path).stderr


def test_export_says_itself_that_a_folder_is_not_empty(own_model: Path, tmp_path: Path) -> None:
    done = run("export", own_model, "-o", tmp_path, folder=tmp_path)
    assert (done.returncode, "is not empty" in done.stderr) == (1, True), done.stderr

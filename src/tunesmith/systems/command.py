"""Any decoder that is a command: weights and sentences in, n-best lists out."""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import BinaryIO, Self

from tunesmith.candidates.pool import Pool
from tunesmith.candidates.readers import READERS
from tunesmith.decode.input.base import detect
from tunesmith.errors import InputError, OptionError
from tunesmith.files import COMPRESSIONS, PathLike, open_write, read_chunks, read_lines
from tunesmith.folders import temporary_folder
from tunesmith.metrics.base import Metric
from tunesmith.systems.candidates import Candidates
from tunesmith.systems.external.command_line import CommandLine
from tunesmith.systems.external.processes import end_process, how_it_ended, last_lines, start_process
from tunesmith.systems.external.weight_files import WEIGHT_FILES
from tunesmith.systems.external_system import ExternalSystem, check_source
from tunesmith.systems.lists import ListSystem
from tunesmith.texts import Texts
from tunesmith.weights import Weights

__all__ = ["CommandSystem"]

LISTS = "lists-"
"""Prefix of the folders of lists."""
_OURS = re.compile(rf"{LISTS}[a-z0-9_]{{8}}")
"""Their names, as `mkdtemp` makes them."""


class CommandSystem(ExternalSystem):
    """A shell command that is run in the current folder for each new set of weights.

    Placeholders in the command stand for file names, quoted for the shell:

    - `{weights}`: the weights, one `name value` per line, as cdec and Joshua read them,
    - `{weights_json}`: the same as JSON, as `Weights.write` has it,
    - `{weights_moses}`: the weights that `start` names, as `Label= v v v`, all on one line,
    - `{weights_sparse}`: all other weights, one `name value` per line,
    - `{source}`: the sentences; without it, they are given on standard input,
    - `{nbest}`: where the command writes lists, also with a suffix: `{nbest}.gz`; without it, standard output
      is read,

    and `{size}` for the length of lists. `{{weights}}` stands for `{weights}` itself; all other braces stay.

    Lists are in any format that `Pool.read` knows, best first; their ids are numbers of sentences, from 0.
    `scratch` is a folder for this decoder only [default: a temporary one]: it contains the files of the
    placeholders and `log`, the output of the command; error messages include the end of it.
    """

    def __init__(
        self,
        command: str,
        source: PathLike,
        *,
        start: Weights,
        scratch: PathLike | None = None,
        format: str | None = None,  # noqa: A002 - the word users know
    ) -> None:
        if format is not None:
            _ = READERS[format]  # an OptionError if there is none
        check_source(source)
        self._lines: Sequence[str] = Texts.of(read_lines(source))
        super().__init__(start, source, len(self._lines))
        self._command = CommandLine(command)
        self._source = Path(source).resolve()
        self._format = format
        self._given = None if scratch is None else Path(scratch).resolve()
        self._temporary: TemporaryDirectory[str] | None = None
        self._lists: ListSystem | None = None
        self._places: dict[int, int] = {}

    @property
    def details(self) -> Mapping[str, object]:
        digest = hashlib.blake2b(digest_size=16)
        for chunk in read_chunks(self._source):
            digest.update(chunk)
        return {
            "decoder command": self._command.text,
            "nbest_format": self._format,
            "features": sorted(self._start),
            "source": digest.hexdigest(),
        }

    def use(self, weights: Mapping[str, float], sentences: Iterable[int] | None = None) -> Self:
        self._lists = None
        return super().use(weights, sentences)

    def candidates(
        self, sentence: int, size: int, metric: Metric, references: Sequence[Texts]
    ) -> Candidates | None:
        """Return a list of the one run over all sentences in use; only its scores follow the weights."""
        if self._lists is None:
            pool = self.use(self.weights, sorted(self.sentences)).nbest(size)
            self._places = {self.sentences[int(name)]: place for place, name in enumerate(pool.ids)}
            self._lists = ListSystem(pool).use(self.weights)
        place = self._places.get(sentence)
        return None if place is None else self._lists.candidates(place, size, metric, references)

    def source_words(self, sentence: int) -> int:
        """Return the number of words, or of columns of a lattice, within a `<seg>` if there is one."""
        line = self._lines[sentence]
        try:
            return detect(line).parse(line).columns
        except (InputError, OptionError):  # text for another decoder, which may look like ours
            return len(line.split())

    def close(self) -> None:
        """Remove the files, if they are in a temporary folder."""
        if self._temporary is not None:
            self._temporary.cleanup()
            self._temporary = None

    @property
    def _scratch(self) -> Path:
        if self._given is not None:
            return self._given
        self._temporary = self._temporary or temporary_folder("tunesmith-command-")
        return Path(self._temporary.name)

    def _run(self, size: int) -> Pool:
        lists, weights = self._new_folder(), Weights(dict(self.weights.items()))
        source = self._text()
        values = {"size": str(size), "source": shlex.quote(str(source))}
        values["nbest"] = shlex.quote(str(lists / "nbest"))
        for name in self._command.names.intersection(WEIGHT_FILES):
            file = WEIGHT_FILES[name]
            path = self._scratch / file.name
            file.write(weights, frozenset(self._start), path)
            values[name] = shlex.quote(str(path))
        said = self._execute(self._command.filled(values), lists, source)
        path = _only_file(lists, said)
        try:
            pool = Pool.read(path, format=self._format, allow_missing=True)
        except InputError as error:
            raise InputError(error.message + said, path=error.path, line=error.line) from None
        shutil.rmtree(lists)  # it is large, and the pool has all of it
        return pool

    def _new_folder(self) -> Path:
        """Return a new folder for lists, and remove the folders of other runs.

        It is new each time: if Tunesmith is killed, the decoder may survive and write to the old one.
        """
        try:
            self._scratch.mkdir(parents=True, exist_ok=True)
            for old in self._scratch.iterdir():
                if _OURS.fullmatch(old.name) and not old.is_symlink():
                    shutil.rmtree(old, ignore_errors=True)
            return Path(mkdtemp(prefix=LISTS, dir=self._scratch))
        except OSError as error:
            raise InputError(f"cannot write: {error.strerror}", path=error.filename) from error

    def _execute(self, command: str, lists: Path, source: Path) -> str:
        """Run the command, and return the end of its log; an InputError if it failed."""
        with ExitStack() as stack:
            log = stack.enter_context(_opened(self._scratch / "log", "w+b"))
            written, text = log, subprocess.DEVNULL
            if "nbest" not in self._command.names:
                written = stack.enter_context(_opened(lists / "nbest", "wb"))
            if "source" not in self._command.names:
                sentences = stack.enter_context(_opened(source, "rb"))
                text = sentences.fileno()
            process = start_process(command, stdin=text, stdout=written, stderr=log)
            try:
                code = process.wait()
            except BaseException:  # Ctrl-C must not leave a decoder behind
                end_process(process)
                raise
            said = last_lines(log)
        if code != 0:
            raise InputError(f"the decoder {how_it_ended(code)}; its command is {command!r}{said}")
        return said

    def _text(self) -> Path:
        """Return the file of the sentences in use: the source, or a copy of some of it or uncompressed."""
        is_all = self.sentences == range(len(self))
        if is_all and ("source" in self._command.names or self._source.suffix not in COMPRESSIONS):
            return self._source
        copy = self._scratch / "source"
        with open_write(copy) as stream:
            if is_all:
                stream.writelines(read_chunks(self._source))
            else:
                stream.writelines(f"{self._lines[sentence]}\n".encode() for sentence in self.sentences)
        return copy


def _opened(path: Path, mode: str) -> BinaryIO:
    try:
        return path.open(mode)  # type: ignore[return-value]
    except OSError as error:
        raise InputError(f"cannot open: {error.strerror}", path=path) from error


def _only_file(folder: Path, said: str) -> Path:
    """Return the file of lists that the command wrote; none, several or an empty one is an InputError."""
    files = sorted(folder.glob("nbest*"))
    if len(files) > 1:
        names = ", ".join(file.name for file in files)
        raise InputError(f"the decoder wrote {len(files)} files of lists, {names}; expected one", path=folder)
    if not files or files[0].stat().st_size == 0:
        raise InputError(f"the decoder exited with code 0 but wrote no list{said}")
    return files[0]

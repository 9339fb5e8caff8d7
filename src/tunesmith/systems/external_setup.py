"""How workers start an external decoder over the sentences of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

from tunesmith.checksums import checksum
from tunesmith.errors import OptionError
from tunesmith.files import PathLike
from tunesmith.systems.command import CommandSystem
from tunesmith.systems.external_system import ExternalSystem, check_source
from tunesmith.systems.process import ProcessSystem
from tunesmith.systems.sentences import check_length, read_references
from tunesmith.systems.setup import Setup
from tunesmith.texts import Texts
from tunesmith.weights import Weights, WeightStore

__all__ = ["ExternalSetup"]


@dataclass(frozen=True)
class ExternalSetup(Setup):
    """A command, sentences, references, and the names of its dense features; made by `of`.

    The protocol is `mira`, a process per worker that is sent changes of weights with each sentence, or
    `nbest`, a command that is run once per shard and iteration (see `CommandSystem`), with lists in a
    `format`.
    """

    command: str
    source: Path
    references: tuple[Path, ...]
    dense: tuple[str, ...]
    protocol: Literal["mira", "nbest"] = "mira"
    format: str | None = None

    @classmethod
    def of(
        cls,
        command: str,
        source: PathLike,
        references: Sequence[PathLike],
        start: WeightStore,
        protocol: str = "mira",
        format: str | None = None,  # noqa: A002 - the word users know
    ) -> Self:
        """Return the setup; dense are the features that `start` records as dense, or all of it."""
        if protocol not in ("mira", "nbest"):
            raise OptionError("{} must be nbest or mira, not {found!r}", "decoder_protocol", found=protocol)
        if not command.strip():
            raise OptionError("the command of the decoder is empty")
        check_source(source)
        dense = tuple(start.about.get("dense", ())) or tuple(start)
        paths = tuple(Path(path).absolute() for path in references)
        known: Literal["mira", "nbest"] = "mira" if protocol == "mira" else "nbest"
        return cls(command, Path(source).absolute(), paths, dense, known, format)

    def open(self, size: int | None = None, fold: int | None = None) -> ExternalSystem:
        start = Weights(dict.fromkeys(self.dense, 0.0))
        if self.protocol == "mira":
            return ProcessSystem(self.command, self.source, start=start)
        return CommandSystem(self.command, self.source, start=start, format=self.format)

    def read_references(self) -> tuple[Texts, ...]:
        references = read_references(list(self.references))
        check_length(len(self.system), self.source, references, self.references[0])
        return references

    def place(self, sentence: int) -> str:
        return f"{self.source}:{sentence + 1}"

    @property
    def details(self) -> Mapping[str, object]:
        return {
            "decoder command": self.command,
            "decoder_protocol": self.protocol,
            "nbest_format": self.format,
            "features": list(self.dense),
            "source": checksum(self.source),
            "references": [checksum(reference) for reference in self.references],
        }

    @property
    def start(self) -> Mapping[str, float]:
        raise OptionError("a decoder command needs {}: a file with a weight for each feature", "start")

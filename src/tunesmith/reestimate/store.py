"""The store of derivations: one file per block of sentences, and how they were made."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

from tunesmith.decode.base import AnyDecoder
from tunesmith.json_files import check_fields, record_of
from tunesmith.locks import LOCK
from tunesmith.named_files import own_file
from tunesmith.options import determinants
from tunesmith.passes.text import PassText
from tunesmith.reestimate.background import Background
from tunesmith.reestimate.block_counts import BlockCounts
from tunesmith.reestimate.derivation_file import DerivationFile
from tunesmith.reestimate.derivation_text import PIECE
from tunesmith.runs.kind import RunKind
from tunesmith.runs.store import MADE_BY, WEIGHTS, Pieces, Store

__all__ = [
    "KIND",
    "TABLES",
    "DerivationStore",
    "forest_name",
    "remove_derivations",
    "settings_of",
    "store_record",
]

TABLES = ".tables"
"""Folder of the tables without rare pairs, until all oracles are found."""


class Blocks(Pieces[BlockCounts]):
    """The files of blocks, which the record has by number."""

    noun = "derivations"
    type_of_counts = BlockCounts

    def to_dict(self) -> dict[str, Any]:
        """Return `complete`, and `blocks` in order."""
        blocks = {str(block): asdict(self.counts[block]) for block in sorted(self.counts)}
        return {"complete": self.complete, "blocks": blocks}

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """Return the blocks of a record; see `State`."""
        check_fields(record, {"complete": bool, "blocks": dict[str, object]})
        counts = {cls.number(name): record_of(BlockCounts, each) for name, each in record["blocks"].items()}
        return cls(counts, complete=record["complete"])


def _check(record: dict[str, Any]) -> None:
    check_fields(record, {"method": str, "text": dict[str, object]})
    check_fields(record["text"], {"empty": int})
    if "background" in record:
        record_of(Background, record["background"])


KIND: RunKind[Pieces[BlockCounts]] = RunKind(
    "tunesmith-derivations",
    "derivations.json",
    Blocks.noun,
    title=Blocks.noun,
    state=Blocks,
    files=r"(derivations|forests)\.\d{5,}",
    folders={TABLES: r"\.?(whole|fold\d+)\.(rules\.)?\d+\.bin|\.(whole|fold\d+)\.lock"},
    settings=MADE_BY,
    check=_check,
    remedy="make the derivations again",
)


def forest_name(block: int) -> str:
    """Return the name of the file of a block's forests, if they are kept."""
    return f"forests.{block:05}"


class DerivationStore(Store[BlockCounts]):
    """The derivations of a text; `record` says by which method, model, weights and search they were made."""

    kind = KIND
    command = "`tunesmith reestimate`"

    def open_files(self) -> Iterator[DerivationFile]:
        """Open the files, one after another."""
        return (DerivationFile.open(path) for path in self.files)

    @property
    def bytes(self) -> int:
        """The size of the files of derivations."""
        return sum(path.stat().st_size for path in self.files)


def settings_of(options: Any) -> dict[str, Any]:
    """Return the options that derivations depend on, and the length of blocks."""
    return {**determinants(options), "block": PIECE}


def store_record(method: str, decoder: AnyDecoder, text: PassText, made: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of a store: its method, model, weights and text."""
    return {
        "method": method,
        "model": str(decoder.model.directory),
        "weights": {name: decoder.weights[name] for name in decoder.feature_names},
        "text": {
            "source": str(text.source),
            "target": str(text.target),
            "pairs": len(text),
            "empty": text.counts.empty,
        },
        MADE_BY: dict(made),
    }


def remove_derivations(folder: Path) -> None:
    """Remove a folder of derivations, all that it has of them; what else is there stays."""
    if not KIND.is_in(folder):
        return
    KIND.clear(folder)
    for name in (WEIGHTS, KIND.record, LOCK):
        own_file(folder, name).unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # it has other files
        folder.rmdir()

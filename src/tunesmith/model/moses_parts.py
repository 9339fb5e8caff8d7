"""A model of Moses as a directory of ours: its parts, weights and settings, and the file that lists them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write
from tunesmith.weights import Weights

__all__ = [
    "FEATURES_FILE",
    "WEIGHTS_FILE",
    "ImportedModel",
    "LanguageModelPart",
    "PhrasePart",
    "ReorderingPart",
]

FEATURES_FILE, WEIGHTS_FILE = "features.json", "weights.json"
FORMAT, VERSION = "tunesmith-moses-features", 1


@dataclass(frozen=True)
class PhrasePart:
    """A phrase table: the feature's name, its file in the directory, and options kept from `Moses`."""

    name: str
    path: str
    width: int
    table_limit: int


@dataclass(frozen=True)
class ReorderingPart:
    """A reordering model, whose probabilities are the `columns` of each phrase table's."""

    name: str
    type: str
    columns: tuple[int, int]


@dataclass(frozen=True)
class LanguageModelPart:
    """A language model; `arpa` is the text file it came from, `path` its compiled form in the directory."""

    name: str
    order: int
    arpa: str
    path: str | None


@dataclass(frozen=True)
class ImportedModel:
    """What a moses.ini says, with tables in mapped form.

    `penalties` are the features without files by name: Distortion, WordPenalty, PhrasePenalty,
    UnknownWordPenalty. Weights have the names of Moses' n-best lists, so that weights tuned on lists fit.
    """

    directory: Path
    phrase_tables: tuple[PhrasePart, ...]
    reordering: tuple[ReorderingPart, ...]
    language_models: tuple[LanguageModelPart, ...]
    penalties: Mapping[str, str]
    settings: Mapping[str, int]
    weights: Weights

    def write(self) -> None:
        """Write the list of parts and the weights into the directory."""
        record = asdict(self)
        del record["directory"], record["weights"]
        text = json.dumps({"format": FORMAT, "version": VERSION, **record}, indent=1, ensure_ascii=False)
        with open_write(self.directory / FEATURES_FILE) as stream:
            stream.write(text.encode() + b"\n")
        self.weights.write(self.directory / WEIGHTS_FILE)

    @classmethod
    def read(cls, directory: PathLike) -> ImportedModel:
        """Read what `write` wrote."""
        folder = Path(directory)
        path = folder / FEATURES_FILE
        if not path.is_file():
            raise InputError(f"has no {FEATURES_FILE}; expected a folder made by import", path=folder)
        try:
            record: dict[str, Any] = json.loads(path.read_bytes())
            if (record.pop("format"), record.pop("version")) != (FORMAT, VERSION):
                raise InputError(f"expected format {FORMAT!r} version {VERSION}", path=path)
            return cls(
                folder,
                tuple(PhrasePart(**part) for part in record["phrase_tables"]),
                tuple(
                    ReorderingPart(p["name"], p["type"], tuple(p["columns"])) for p in record["reordering"]
                ),
                tuple(LanguageModelPart(**part) for part in record["language_models"]),
                dict(record["penalties"]),
                dict(record["settings"]),
                Weights.read(folder / WEIGHTS_FILE),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"is not a list of features: {error}", path=path) from None

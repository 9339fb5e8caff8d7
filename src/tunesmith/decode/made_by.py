"""All that the translations of a text depend on, for the record of what is made of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from tunesmith.checksums import checksum
from tunesmith.decode.base import AnyDecoder
from tunesmith.files import PathLike
from tunesmith.model.jackknife import JackknifeOptions
from tunesmith.model.manifest import Manifest, this_version
from tunesmith.options import determinants
from tunesmith.types import IntArray

__all__ = ["digest_of_record", "made_by"]


class ChosenText(Protocol):
    """Two tokenized files, and the rows of them that are translated, by fold."""

    @property
    def source(self) -> Path: ...
    @property
    def target(self) -> Path: ...
    @property
    def rows(self) -> IntArray: ...
    @property
    def fold_of(self) -> IntArray: ...
    @property
    def is_other(self) -> bool:
        """Whether it is not the model's training text."""
        ...


def made_by(
    decoder: AnyDecoder,
    text: ChosenText,
    settings: Mapping[str, Any],
    *,
    folds: JackknifeOptions | None = None,
    files: Mapping[str, PathLike] | None = None,
) -> dict[str, Any]:
    """Return what the result depends on; `settings` are options of it, `files` further inputs by name."""
    model = decoder.model
    parts = [
        {name: record.sha256 for name, record in Manifest.read(folder).files.items()}
        for folder in (model.directory, model.home)
    ]
    rows = text.rows.tobytes() + text.fold_of.tobytes()
    return {
        "model": digest_of_record({"files": parts, "record": model.record}),
        "weights": digest_of_record(dict(sorted(decoder.weights.items()))),
        "templates": [repr(template) for template in decoder.templates],
        **{f"search_{name}": value for name, value in determinants(decoder.options).items()},
        **settings,
        "jackknife_lm": None if folds is None else folds.jackknife_lm,
        "source": checksum(text.source) if text.is_other else None,
        "target": checksum(text.target) if text.is_other else None,
        "sentences": hashlib.blake2b(rows, digest_size=16).hexdigest(),
        **{name: checksum(Path(path)) for name, path in (files or {}).items()},
        "tunesmith": this_version(),
    }


def digest_of_record(record: Mapping[str, object]) -> str:
    """Return the BLAKE2b digest of an object as JSON, of 128 bits."""
    return hashlib.blake2b(json.dumps(record, sort_keys=True).encode(), digest_size=16).hexdigest()

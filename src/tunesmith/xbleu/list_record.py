"""What a store says about how its lists or forests were made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.checksums import checksum
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.files import PathLike
from tunesmith.model.jackknife import JackknifeOptions
from tunesmith.model.manifest import Manifest, this_version
from tunesmith.model.part_checksums import part_checksums
from tunesmith.options import determinants
from tunesmith.passes.text import PassText
from tunesmith.xbleu.left_out import LeftOutModels
from tunesmith.xbleu.list_text import TextOptions

__all__ = ["recorded_weights", "sparse_digest", "store_record"]


def store_record(
    decoder: PhraseDecoder,
    text: PassText,
    options: TextOptions,
    folds: JackknifeOptions | None,
    weights: Mapping[str, float] | PathLike | None,
    shape: Mapping[str, Any],
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    """Return what a store says about itself; `made_by` is all that its lists or forests depend on.

    `shape` says what a list or forest is, `settings` are the options that it depends on.
    """
    model = decoder.model
    files = [
        {name: record.sha256 for name, record in Manifest.read(folder).files.items()}
        for folder in (model.directory, model.home)
    ]
    search = determinants(decoder.options)
    made_by = {
        "model": _digest({"files": files, "record": model.record}),
        "weights": _digest(dict(sorted(decoder.weights.items()))),
        "templates": [repr(template) for template in decoder.templates],
        **{f"search_{name}": value for name, value in search.items()},
        **settings,
        "jackknife_lm": None if folds is None else folds.jackknife_lm,
        "source": checksum(text.source) if text.is_other else None,
        "target": checksum(text.target) if text.is_other else None,
        "sentences": hashlib.blake2b(
            text.rows.tobytes() + text.fold_of.tobytes(), digest_size=16
        ).hexdigest(),
        "tunesmith": this_version(),
    }
    given = None if weights is None or isinstance(weights, Mapping) else str(Path(weights).absolute())
    names, counts = np.unique(text.fold_of, return_counts=True)
    return {
        "model": str(model.directory),
        "parts": part_checksums(model),
        "weights": {
            "file": given,
            "digest": made_by["weights"],
            "values": {name: decoder.weights[name] for name in decoder.feature_names},
            "sparse": sparse_digest(decoder.weights, decoder.feature_names),
        },
        **shape,
        "search": search,
        "jackknife": options.jackknife,
        "folds": {str(fold): count for fold, count in zip(names.tolist(), counts.tolist(), strict=True)},
        "text": {
            "source": str(text.source),
            "target": str(text.target),
            "pairs": len(text),
            **asdict(text.counts),
        },
        "made_by": made_by,
    }


def recorded_weights(record: Mapping[str, Any]) -> dict[str, float] | None:
    """Return the weights of the dense features of the lists' scores; None if the store is older.

    Features that the scores leave out are not among them.
    """
    weights = record.get("weights")
    values = weights.get("values") if isinstance(weights, dict) else None
    if values is None:
        return None
    left_out = set(LeftOutModels.recorded(record).features)
    return {name: value for name, value in values.items() if name not in left_out}


def sparse_digest(weights: Mapping[str, float], dense: Collection[str]) -> str:
    """Return a digest of the weights of features that are not dense; nothing if all are 0."""
    known = frozenset(dense)
    sparse = {name: value for name, value in weights.items() if value and name not in known}
    return _digest(dict(sorted(sparse.items()))) if sparse else ""


def _digest(record: Mapping[str, object]) -> str:
    return hashlib.blake2b(json.dumps(record, sort_keys=True).encode(), digest_size=16).hexdigest()

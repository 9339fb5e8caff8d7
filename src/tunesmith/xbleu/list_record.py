"""What a store says about how its lists or forests were made."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.decode.made_by import digest_of_record, made_by
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.files import PathLike
from tunesmith.model.jackknife import JackknifeOptions
from tunesmith.model.part_checksums import part_checksums
from tunesmith.options import determinants
from tunesmith.passes.text import PassText
from tunesmith.runs.store import MADE_BY
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
    model, search = decoder.model, determinants(decoder.options)
    made = made_by(decoder, text, settings, folds=folds)
    given = None if weights is None or isinstance(weights, Mapping) else str(Path(weights).absolute())
    names, counts = np.unique(text.fold_of, return_counts=True)
    return {
        "model": str(model.directory),
        "parts": part_checksums(model),
        "weights": {
            "file": given,
            "digest": made["weights"],
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
        MADE_BY: made,
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
    return digest_of_record(dict(sorted(sparse.items()))) if sparse else ""

"""What a store says about how its derivations were made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tunesmith.checksums import checksum
from tunesmith.decode.base import AnyDecoder
from tunesmith.files import PathLike
from tunesmith.model.jackknife import JackknifeOptions
from tunesmith.model.manifest import Manifest, this_version
from tunesmith.options import determinants
from tunesmith.passes.text import PassText
from tunesmith.reestimate.derivation_text import PIECE

__all__ = ["made_by", "store_record"]


def made_by(
    decoder: AnyDecoder,
    text: PassText,
    options: Any,
    *,
    files: Mapping[str, PathLike] | None = None,
    folds: JackknifeOptions | None = None,
) -> dict[str, Any]:
    """Return all that derivations depend on; `files` are further inputs by name."""
    model = decoder.model
    parts = [
        {name: record.sha256 for name, record in Manifest.read(folder).files.items()}
        for folder in (model.directory, model.home)
    ]
    return {
        "model": _digest({"files": parts, "record": model.record}),
        "weights": _digest(dict(sorted(decoder.weights.items()))),
        "templates": [repr(template) for template in decoder.templates],
        **{f"search_{name}": value for name, value in determinants(decoder.options).items()},
        **determinants(options),
        "block": PIECE,
        "jackknife_lm": None if folds is None else folds.jackknife_lm,
        "source": checksum(text.source) if text.is_other else None,
        "target": checksum(text.target) if text.is_other else None,
        "sentences": hashlib.blake2b(
            text.rows.tobytes() + text.fold_of.tobytes(), digest_size=16
        ).hexdigest(),
        **{name: checksum(Path(path)) for name, path in (files or {}).items()},
        "tunesmith": this_version(),
    }


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
        "made_by": dict(made),
    }


def _digest(record: Mapping[str, object]) -> str:
    return hashlib.blake2b(json.dumps(record, sort_keys=True).encode(), digest_size=16).hexdigest()

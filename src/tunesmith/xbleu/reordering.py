"""A trained reordering model: a folder with its weights by feature name, its word lists and its history."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tunesmith.errors import InputError, OptionError
from tunesmith.features.record import check_lists, template_of, template_record
from tunesmith.features.sparse_reordering import SparseReordering
from tunesmith.files import PathLike, open_write
from tunesmith.json_files import check_fields, check_format, check_record, read_json
from tunesmith.named_files import own_file
from tunesmith.tables.reordering import ReorderingSpec
from tunesmith.weights import WeightStore

__all__ = ["REORDERING", "WEIGHTS", "TrainedReordering"]

_OPTIONAL = {"gamma": float | None, "replaces": list[str], "orientation_weight": float}
REORDERING, WEIGHTS = "reordering.json", "weights"
FORMAT, VERSION = "tunesmith-reordering", 1


@dataclass(frozen=True, eq=False)
class TrainedReordering:
    """The template that gives features to a phrase and its orientation, and their weights gamma phi.

    The score of a phrase is gamma phi . u(orientation, phrase, block on top of the stack), in the unit of log
    p(e) of training, whatever the scale of the decoder's weights; beside them the weight of each orientation
    is 1 / gamma. `record` is the content of `reordering.json`: the template, the names of the orientations,
    and how the model was made.
    """

    directory: Path
    template: SparseReordering
    weights: WeightStore
    record: dict[str, Any]

    @classmethod
    def open(cls, path: PathLike) -> TrainedReordering:
        """Open a finished model; anything else is an InputError."""
        folder = Path(path)
        file = folder / REORDERING
        if not file.is_file():
            raise InputError(
                f"has no {REORDERING}; expected a folder that `tunesmith xbleu train` has finished",
                path=folder,
            )
        record = read_json(file, "a record of a reordering model")
        try:
            check_format(record, FORMAT, VERSION, "train it again", path=file)
            check_fields(record, {"orientations": list[str], "template": dict[str, object]}, _OPTIONAL)
            if record.get("decoder_weights") is not None:
                check_record("decoder_weights", dict[str, float], record["decoder_weights"])
            template = template_of(record["template"])
            if not isinstance(template, SparseReordering):
                raise ValueError(f"the template {record['template']['name']!r:.60} is not of orientations")
            template = template.with_lists(folder)
            check_lists(template, record["template"])
        except (KeyError, TypeError, ValueError, AttributeError, OptionError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"is damaged ({error!s:.200}); train it again", path=file) from None
        return cls(folder, template, WeightStore.open(folder / WEIGHTS, regular=True), dict(record))

    @property
    def orientations(self) -> tuple[str, ...]:
        """The names of the classes of orientations, in the order of the dense features."""
        return tuple(self.record["orientations"])

    @property
    def orientation_weight(self) -> float:
        """The weight that each orientation had in training, which is 1 in models of earlier versions."""
        return float(self.record.get("orientation_weight", 1.0))

    @property
    def decoder_weights(self) -> dict[str, float] | None:
        """The weights of the decoder whose lists it was trained on; None if they are not recorded."""
        found = self.record.get("decoder_weights")
        return None if found is None else dict(found)

    @property
    def digest(self) -> str:
        """Hash of what scores depend on: the template, with its name and word lists, and the weights."""
        found = hashlib.sha256(json.dumps(template_record(self.template), sort_keys=True).encode())
        found.update((self.directory / WEIGHTS).read_bytes())
        return found.hexdigest()

    def renamed(self, name: str) -> TrainedReordering:
        """Return the same model under another name, which begins the names of its features. O(features)."""
        template = replace(self.template, name=name)
        old = len(self.template.name)
        weights = WeightStore()
        weights.set([name + each[old:] for each in self.weights], list(self.weights.values()))
        return replace(self, template=template, weights=weights)

    @classmethod
    def write(
        cls, folder: Path, template: SparseReordering, weights: WeightStore, made: Mapping[str, Any]
    ) -> TrainedReordering:
        """Write a model whose word lists are in the folder already; the record comes last."""
        record = {
            "format": FORMAT,
            "version": VERSION,
            "template": template_record(template),
            "orientations": list(ReorderingSpec(template.model, template.orientations).labels),
            **made,
        }
        weights.save(own_file(folder, WEIGHTS), about={})
        with open_write(own_file(folder, REORDERING)) as stream:
            stream.write((json.dumps(record, indent=1, ensure_ascii=False) + "\n").encode())
        return cls(folder, template, weights, record)

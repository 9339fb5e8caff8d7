"""Reordering models in the phrase decoder: lexicalized ones, and those trained for expected BLEU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tunesmith import _native
from tunesmith.features.sparse_reordering import SparseReordering
from tunesmith.model.model import Model
from tunesmith.tables.reordering import ReorderingSpec

__all__ = ["OpenReordering", "add_reordering", "open_reordering"]


@dataclass(frozen=True, eq=False)
class OpenReordering:
    """A trained reordering model: its template, the weights of its features, and rows of the model's tables.

    Several native models may share it.
    """

    template: SparseReordering
    weights: _native.MappedWeights
    rows: tuple[_native.PairScores | None, ...] = ()

    def feature(self) -> _native.TrainedReorderingFeature:
        """Return a native feature; each native model needs its own."""
        made = _native.TrainedReorderingFeature(self.template.native_parts(), self.weights)
        for rows in self.rows:
            made.add_rows(rows)
        return made


def open_reordering(model: Model) -> list[OpenReordering]:
    """Open the trained reordering models of a model."""
    return [
        OpenReordering(
            model.trained_template(number),
            model.trained_weights(number),
            tuple(_native.PairScores(str(model.directory / path)) if path else None for path in part.rows),
        )
        for number, part in enumerate(model.trained_reordering)
    ]


def add_reordering(native: _native.DecoderModel, model: Model, trained: Sequence[OpenReordering]) -> None:
    """Add the lexicalized models, then the trained ones; call it after adding tables.

    The first trained model has one state with all lexicalized ones, which saves most of its cost.
    """
    specs = [(ReorderingSpec.parse(moves.type).native, moves) for moves in model.reordering]
    for number, each in enumerate(trained):
        feature = each.feature()
        for spec, moves in specs if number == 0 else ():
            native.require_reordering(spec, moves.columns[0])
            feature.join(spec, moves.name, moves.columns[0])
        native.add_feature(feature)
    for spec, moves in () if trained else specs:
        native.add_reordering(spec, moves.name, moves.columns[0])

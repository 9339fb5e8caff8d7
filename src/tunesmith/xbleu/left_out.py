"""Attached reordering models whose scores lists leave out, since a training adds them anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.errors import OptionError, suggest
from tunesmith.tables.reordering import ReorderingSpec
from tunesmith.xbleu.reordering import TrainedReordering

__all__ = ["LeftOutModels"]

LEFT_OUT, DIGESTS = "left_out", "left_out_digests"
"""Keys in the record of a store."""


@dataclass(frozen=True)
class LeftOutModels:
    """The weight of each orientation, by model: feature NAME_ORIENTATION of the decoder that made the lists.

    Candidates are found and ordered by the whole score. Only the score that is stored with a candidate is
    without these features.
    """

    weights: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)
    """By model; stores of earlier versions have none."""

    @classmethod
    def of(cls, decoder: PhraseDecoder, names: Sequence[str]) -> LeftOutModels:
        """Return the models of a decoder with these names; a name that it has not is an OptionError."""
        numbers = {part.name: number for number, part in enumerate(decoder.model.trained_reordering)}
        found, digests = {}, {}
        for name in dict.fromkeys(names):
            if name not in numbers:
                known = suggest(name, numbers) if numbers else ", nor any other"
                raise OptionError(
                    "{}: {model} has no trained reordering model {name!r}{known}; `tunesmith xbleu attach`"
                    " adds one",
                    "retrain",
                    model=decoder.model.directory,
                    name=name,
                    known=known,
                )
            template = decoder.model.trained_template(numbers[name])
            labels = ReorderingSpec(template.model, template.orientations).labels
            found[name] = {label: float(decoder.weights[f"{name}_{label}"]) for label in labels}
            folder = decoder.model.directory / decoder.model.trained_reordering[numbers[name]].folder
            digests[name] = TrainedReordering.open(folder).digest
        return cls(found, digests)

    @classmethod
    def recorded(cls, record: Mapping[str, Any]) -> LeftOutModels:
        """Return what the record of a store says."""
        return cls(record.get(LEFT_OUT, {}), record.get(DIGESTS, {}))

    @property
    def features(self) -> list[str]:
        """The names of the features."""
        return [f"{name}_{label}" for name, labels in self.weights.items() for label in labels]

    @property
    def shape(self) -> dict[str, Any]:
        """What the record of a store says about these models; nothing if there are none."""
        weights = {name: dict(labels) for name, labels in self.weights.items()}
        return {LEFT_OUT: weights, DIGESTS: dict(self.digests)} if weights else {}

    @property
    def settings(self) -> dict[str, Any]:
        """What lists depend on; nothing if there are no such models."""
        return {"retrain": sorted(self.weights)} if self.weights else {}

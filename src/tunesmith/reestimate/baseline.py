"""The model that is re-estimated: its table, its weights, and how it was trained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tunesmith.align import Aligner
from tunesmith.errors import InputError
from tunesmith.extract.phrases import LONGEST_PHRASE, OrientationEvents
from tunesmith.files import PathLike
from tunesmith.model.manifest import Manifest
from tunesmith.model.model import LanguageModelPart, Model
from tunesmith.model.parts.names import ALIGNER, COUNTS, PHRASES
from tunesmith.reestimate.table import check_scores
from tunesmith.tables import PhraseTable
from tunesmith.weights import Weights, open_weights

__all__ = ["Baseline"]

_LENGTH = 7
"""Of the longest extracted phrase, if the model does not record it."""


@dataclass(frozen=True)
class Baseline:
    """A model with one phrase table; `RuleBaseline` is one with rules."""

    model: Model
    training: Manifest
    """Of the directory that the model was trained in."""

    @classmethod
    def open(cls, directory: PathLike) -> Baseline:
        """Open a model; one that cannot be re-estimated is an InputError."""
        model = Model.open(directory)
        if not model.phrase_tables:
            raise InputError("has no phrase table", path=directory)
        if len(model.phrase_tables) > 1:
            raise InputError(
                f"has {len(model.phrase_tables)} phrase tables; expected one, such as `tunesmith table merge`"
                " makes of several",
                path=directory,
            )
        check_scores(model.phrase_table())
        return cls(model, Manifest.read(model.home))

    @property
    def table(self) -> PhraseTable:
        """The phrase table."""
        return self.model.phrase_table()

    @property
    def table_path(self) -> Path:
        """The file of the phrase table."""
        return Path(self.model.anchored().phrase_tables[0].path)

    @property
    def scoring(self) -> dict[str, Any]:
        """The options of training that scores depend on; {} if they are not recorded."""
        return self._options(PHRASES)

    @property
    def max_phrase_length(self) -> int:
        """Longest extracted phrase, in words."""
        found = self._options(COUNTS).get("max_phrase_length")
        return (
            found if isinstance(found, int) else max(_LENGTH, min(self.table.longest_source, LONGEST_PHRASE))
        )

    @property
    def orientation_events(self) -> OrientationEvents:
        """How the orientations of the table were counted: as Moses does, if that is not recorded."""
        found: OrientationEvents = self._options(COUNTS).get("orientation_events", "moses")
        return found

    @property
    def has_aligner(self) -> bool:
        """Whether `aligner` returns one: not if the model was trained with given alignments."""
        return (self.model.home / ALIGNER).is_file()

    def aligner(self) -> tuple[Aligner, str]:
        """Return the word aligner of the training, and how its two directions are symmetrized."""
        path = self.model.home / ALIGNER
        if not self.has_aligner:
            raise InputError(
                "has no word aligner, as it was trained with given alignments: name those of the tuning text"
                " by {}, or give {} a number",
                "tune_alignment",
                "table_weight",
                path=self.model.home,
            )
        return Aligner.open(path), str(self._options(ALIGNER).get("symmetrize", "grow-diag-final-and"))

    def bilingual_lm(self) -> tuple[int, LanguageModelPart]:
        """Return the number and the record of the bilingual language model."""
        for number, part in enumerate(self.model.language_models):
            if part.tokens == "bilingual" and part.classes is None:
                return number, part
        raise InputError(
            "has no bilingual language model to re-train: train the model with `tunesmith train"
            " --bilingual-lm-order 5`, or omit {}",
            "bilingual_lm",
            path=self.model.directory,
        )

    def weights(self, given: Mapping[str, float] | PathLike | None) -> Weights:
        """Return weights of all features: given ones, and the model's own of those without."""
        own = dict(self.model.weights)
        if given is None:
            return Weights(own)
        known = given if isinstance(given, Mapping) else open_weights(given)
        if not any(name in known for name in own):
            raise InputError(
                f"has no weight of the model {self.model.directory}; expected weights that were tuned for it",
                path=None if isinstance(given, Mapping) else given,
            )
        return Weights({name: float(known.get(name, value)) for name, value in own.items()})

    def _options(self, file: str) -> dict[str, Any]:
        for step in self.training.steps.values():
            if file in step.outputs:
                return step.options
        return {}

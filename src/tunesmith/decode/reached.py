"""Results of forced decoding, and its coverage of a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from tunesmith.decode.translation import Phrase, Translation
from tunesmith.forest import Forest

__all__ = ["ForcedResult", "Reached"]


@dataclass(frozen=True)
class ForcedResult:
    """A sentence pair, and its best derivation if one was found.

    `stage` is the number, from 1, of the stage that found it; dropping words is the last stage.
    """

    source: str
    target: str
    stage: int | None = None
    translation: Translation | None = None

    @property
    def found(self) -> bool:
        """Whether the target was reached."""
        return self.translation is not None

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        """The phrases in target order, or the rules (see `Translation.phrases`)."""
        return self.translation.phrases if self.translation else ()

    @property
    def segments(self) -> tuple[Phrase, ...]:
        """The target in pieces, each with its source words."""
        return self.translation.segments if self.translation else ()

    @property
    def alignment(self) -> tuple[tuple[int, int], ...]:
        """The links of words within the phrases."""
        return self.translation.alignment if self.translation else ()

    @property
    def features(self) -> Mapping[str, float]:
        """The features of the derivation."""
        return self.translation.features if self.translation else {}

    @property
    def score(self) -> float | None:
        """The score of the derivation."""
        return self.translation.score if self.translation else None

    @property
    def forest(self) -> Forest | None:
        """All derivations of the target that the search kept, if requested."""
        return self.translation.forest if self.translation else None


@dataclass(frozen=True)
class Reached:
    """Number of sentence pairs reached, and of their target words."""

    sentences: int = 0
    words: int = 0
    all_sentences: int = 0
    all_words: int = 0
    stages: Mapping[int, int] = field(default_factory=dict)
    """Sentence pairs by the number, from 1, of the stage that found them."""

    @classmethod
    def of(cls, results: Iterable[ForcedResult]) -> Reached:
        """Count results."""
        reached = cls()
        for result in results:
            reached = reached.plus(result)
        return reached

    def plus(self, result: ForcedResult) -> Reached:
        """Return the counts with one more result."""
        words = sum(1 for word in result.target.split(" ") if word)
        total = replace(self, all_sentences=self.all_sentences + 1, all_words=self.all_words + words)
        if result.stage is None:
            return total
        stages = {**self.stages, result.stage: self.stages.get(result.stage, 0) + 1}
        return replace(total, sentences=self.sentences + 1, words=self.words + words, stages=stages)

    @property
    def sentence_share(self) -> float:
        """The fraction of sentence pairs reached; 0 without pairs."""
        return self.sentences / self.all_sentences if self.all_sentences else 0.0

    @property
    def word_share(self) -> float:
        """The fraction of target words in sentence pairs that were reached."""
        return self.words / self.all_words if self.all_words else 0.0

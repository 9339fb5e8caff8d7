"""What the training of a model is told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tunesmith.align import ALIGNMENT_MODELS, SYMMETRIZATIONS
from tunesmith.errors import OptionError, suggest
from tunesmith.extract.reordering import ReorderingSpec
from tunesmith.extract.scoring import PhraseSmoothing
from tunesmith.lm.estimate import MAX_ORDER
from tunesmith.memory import parse_bytes

__all__ = ["TrainingOptions"]


@dataclass(frozen=True)
class TrainingOptions:
    """Parallel text and how to make a model of it; the defaults are those of the usual Moses training.

    Text is taken as given unless `tokenize` and `case` say otherwise; `alignment` are word alignments of
    just this text, instead of aligning it. `threads`, `memory` and `temporary` change no result.
    """

    source: Path
    target: Path
    alignment: Path | None = None
    documents: Path | None = None
    # text
    source_language: str | None = None
    target_language: str | None = None
    tokenize: str = "none"
    case: str = "keep"
    max_length: int = 80
    ratio: float = 9.0
    deduplicate: bool = False
    # alignment
    aligner: str = "diagonal"
    symmetrize: str = "grow-diag-final-and"
    # language model
    lm_order: int = 5
    lm_text: tuple[Path, ...] = ()
    lm_prune: tuple[int, ...] = ()
    bilingual_lm_order: int = 0
    # phrases
    max_phrase_length: int = 7
    smoothing: PhraseSmoothing | None = None
    min_count: int = 0
    reordering: tuple[str, ...] = ("hier-mslr-bidirectional-fe",)
    folds: int = 0
    # rules
    grammar: str = "on-demand"
    max_rule_span: int = 10
    loose_phrases: bool = False
    # word classes
    classes: tuple[int, ...] = ()
    # resources
    threads: int | None = None
    memory: str = "2G"
    temporary: Path | None = None

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if (value := getattr(self, name)) not in choices:
                raise OptionError(f"{name} cannot be {value!r}{suggest(str(value), filter(None, choices))}")
        _ = ALIGNMENT_MODELS[self.aligner], parse_bytes(self.memory)
        for model in self.reordering:
            ReorderingSpec.parse(model)
        for name, order in (("lm_order", self.lm_order), ("bilingual_lm_order", self.bilingual_lm_order)):
            if not (name == "lm_order") <= order <= MAX_ORDER:
                raise OptionError(f"{name} must be at most {MAX_ORDER}, not {order}")
        if self.tokenize != "none" and not (self.source_language and self.target_language):
            raise OptionError("tokenizing needs the languages of both sides, such as 'de' and 'en'")
        if self.tokenize != "none" and self.alignment is not None:
            raise OptionError(
                "an alignment is of tokenized text: give that text, and do not tokenize it again"
            )
        if self.folds == 1 or self.folds < 0:
            raise OptionError(f"folds must be 0 (none) or at least 2, not {self.folds}")


_CHOICES = {
    "tokenize": ("none", "moses"),
    "case": ("keep", "lower", "true"),
    "grammar": ("on-demand", "global"),
    "symmetrize": SYMMETRIZATIONS,
    "smoothing": (None, "good-turing", "kneser-ney"),
}

"""What the training of a model is told."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from tunesmith.align import ALIGNMENT_MODELS, SYMMETRIZATIONS
from tunesmith.corpus.prepare import PrepareOptions
from tunesmith.errors import InputError, OptionError, suggest
from tunesmith.extract.glue import ItgForm
from tunesmith.extract.phrases import LONGEST_PHRASE
from tunesmith.extract.reordering import ReorderingSpec
from tunesmith.extract.scoring import PhraseSmoothing
from tunesmith.files import PathLike
from tunesmith.lm.estimate import MAX_ORDER
from tunesmith.memory import parse_bytes
from tunesmith.threads import thread_count

__all__ = ["TrainingOptions"]


@dataclass(frozen=True)
class TrainingOptions:
    """Parallel text and how to make a model of it; the defaults are those of the usual Moses training.

    - `alignment`: word alignments of just this text, instead of aligning it; `documents`: an id a line.
    - `tokenize` ("none", "moses") and `case` ("keep", "lower", "true") prepare raw text; the languages are
      for the tokenizer. Pairs with more than `max_length` words on a side, or more unlike than `ratio`, are
      left out; `deduplicate` keeps each pair once.
    - `aligner` ("diagonal", "hmm", "ibm1") and `symmetrize`.
    - `lm_order`; `lm_text`: more target text, prepared as the target side; `lm_prune`: thresholds by order;
      `skip_marks` leaves `<s>`, `</s>` and `<unk>` in the text out of language models, else they are errors;
      `bilingual_lm_order`: the order of a model over bilingual tokens, 0 for none; `class_lm_order`: that of
      models over target classes, one for each number of `classes`.
    - `max_phrase_length`, `smoothing` (None, "good-turing", "kneser-ney"), `min_count`, `reordering` models;
      `folds`: keep phrase counts by so many folds.
    - `grammar` ("on-demand", "global"), `max_rule_span`, `loose_phrases`: hierarchical rules.
    - `itg_form` ("normal", "plain"): one derivation of each order of phrases, or all (see `itg_grammar`).
    - `classes`: numbers of word classes, of both sides.
    - `threads`, `memory` and `temporary` (a folder for scratch files) change no result.
    """

    source: Path
    target: Path
    alignment: Path | None = None
    documents: Path | None = None
    source_language: str | None = None
    target_language: str | None = None
    tokenize: Literal["none", "moses"] = "none"
    case: Literal["keep", "lower", "true"] = "keep"
    max_length: int = 80
    ratio: float = 9.0
    deduplicate: bool = False
    aligner: str = "diagonal"
    symmetrize: str = "grow-diag-final-and"
    lm_order: int = 5
    lm_text: tuple[Path, ...] = ()
    lm_prune: tuple[int, ...] = ()
    skip_marks: bool = False
    bilingual_lm_order: int = 0
    class_lm_order: int = 0
    max_phrase_length: int = 7
    smoothing: PhraseSmoothing | None = None
    min_count: int = 0
    reordering: tuple[str, ...] = ("hier-mslr-bidirectional-fe",)
    folds: int = 0
    grammar: Literal["on-demand", "global"] = "on-demand"
    max_rule_span: int = 10
    loose_phrases: bool = False
    itg_form: ItgForm = "normal"
    classes: tuple[int, ...] = ()
    threads: int | None = None
    memory: str = "2G"
    temporary: Path | None = None

    def __post_init__(self) -> None:
        for name in ("source", "target", "alignment", "documents", "temporary"):
            self._set(name, _path(getattr(self, name)))
        for name in ("lm_text", "lm_prune", "reordering", "classes"):
            self._set(name, _several(getattr(self, name)))
        self._set("lm_text", tuple(Path(each) for each in self.lm_text))
        self._set("reordering", () if self.reordering == ("none",) else self.reordering)
        self._check_choices()
        self._check_numbers()
        self._check_files()
        _ = self.preparation

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @property
    def preparation(self) -> PrepareOptions:
        """How the text is prepared."""
        return PrepareOptions(
            self.source_language,
            self.target_language,
            self.tokenize,
            self.case,
            max_length=self.max_length,
            ratio=self.ratio,
            deduplicate="pair" if self.deduplicate else "no",
        )

    def _check_choices(self) -> None:
        for name, choices in _CHOICES.items():
            if (value := getattr(self, name)) not in choices:
                raise OptionError(f"{name} cannot be {value!r}{suggest(str(value), filter(None, choices))}")
        _ = ALIGNMENT_MODELS[self.aligner], parse_bytes(self.memory), thread_count(self.threads)
        for model in self.reordering:
            ReorderingSpec.parse(model)
        if self.tokenize != "none" and self.alignment is not None:
            raise OptionError(
                "an alignment is of tokenized text: give that text, and do not tokenize it again"
            )
        if self.documents is not None and not self.folds:
            raise OptionError("documents are for folds: say how many folds, such as 10")

    def _check_numbers(self) -> None:
        for name, least, most in _RANGES:
            value = getattr(self, name)
            for number in value if isinstance(value, tuple) else (value,):
                if not (isinstance(number, int) and least <= number <= most):
                    raise OptionError(f"{name} must be a whole number from {least} to {most}, not {number!r}")
        if self.folds == 1:
            raise OptionError("folds must be 0 (none) or at least 2, not 1")
        if self.class_lm_order and not self.classes:
            raise OptionError("a language model of classes needs classes: say how many, such as 80")
        if list(self.lm_prune) != sorted(self.lm_prune) or self.lm_prune[:1] not in ((), (0,)):
            raise OptionError(f"lm_prune must start with 0 and not fall, as {list(self.lm_prune)} does")
        if len(self.lm_prune) > self.lm_order:
            raise OptionError(f"lm_prune has {len(self.lm_prune)} thresholds for order {self.lm_order}")

    def _check_files(self) -> None:
        for path in (self.source, self.target, self.alignment, self.documents, *self.lm_text):
            if path is None:
                continue
            if not path.exists():
                raise InputError("no such file", path=path)
            if not path.is_file():
                raise InputError("is not a regular file: training reads its text more than once", path=path)
        if self.temporary is not None and not self.temporary.is_dir():
            raise InputError("the folder for temporary files does not exist", path=self.temporary)


def _path(given: PathLike | None) -> Path | None:
    return None if given is None else Path(given)


def _several(given: Any) -> tuple[Any, ...]:
    """Return one value as a tuple of one."""
    one = isinstance(given, str | os.PathLike) or not isinstance(given, Iterable)
    return (given,) if one else tuple(given)


_CHOICES: dict[str, tuple[str | None, ...]] = {
    "tokenize": ("none", "moses"),
    "case": ("keep", "lower", "true"),
    "grammar": ("on-demand", "global"),
    "itg_form": get_args(ItgForm),
    "symmetrize": SYMMETRIZATIONS,
    "smoothing": (None, "good-turing", "kneser-ney"),
}

_MANY = (1 << 31) - 1
_RANGES = (
    ("max_length", 1, _MANY),
    ("lm_order", 1, MAX_ORDER),
    ("bilingual_lm_order", 0, MAX_ORDER),
    ("class_lm_order", 0, MAX_ORDER),
    ("lm_prune", 0, _MANY),
    ("max_phrase_length", 1, LONGEST_PHRASE),
    ("min_count", 0, _MANY),
    ("folds", 0, 1 << 14),
    ("max_rule_span", 1, 31),
    ("classes", 1, _MANY),
)

"""The options of training a model."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from tunesmith.align import ALIGNMENT_MODELS, SYMMETRIZATIONS
from tunesmith.corpus.characters import Characters
from tunesmith.corpus.prepare import PrepareOptions
from tunesmith.corpus.side import SEGMENTATION, name_programs
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.glue import ItgForm
from tunesmith.extract.phrases import LONGEST_PHRASE, CountingOptions, OrientationEvents, check_events_used
from tunesmith.extract.scoring import NO_REORDERING, PhraseSmoothing, ScoringOptions
from tunesmith.extract.suffix_array import LONGEST_SPAN
from tunesmith.file_roles import InFolder, Reads
from tunesmith.files import PathLike
from tunesmith.lm.estimate import MAX_ORDER
from tunesmith.memory import parse_bytes
from tunesmith.options import check_options, option, same_option
from tunesmith.tables.reordering import ReorderingSpec
from tunesmith.threads import thread_count

__all__ = ["TrainingOptions"]

_MANY = (1 << 31) - 1
_PANELS = {
    "Preparation of the text": (
        "source_language",
        "target_language",
        "tokenize",
        "case",
        "max_length",
        "ratio",
        "deduplicate",
        "source_segmenter",
        "source_joiner",
        "source_join_with",
        "target_segmenter",
        "target_joiner",
        "target_join_with",
        "characters",
    ),
    "Word alignment": ("aligner", "symmetrize"),
    "Language models": (
        "lm",
        "text_lm",
        "lm_order",
        "lm_text",
        "lm_prune",
        "skip_marks",
        "bilingual_lm_order",
        "class_lm_order",
    ),
    "Phrases": ("max_phrase_length", "smoothing", "min_count", "reordering", "orientation_events"),
    "Rules, and limits of the search": (
        "grammar",
        "distortion_limit",
        "span_limit",
        "max_rule_span",
        "loose_phrases",
        "rule_breadth",
        "itg_form",
    ),
}
"""Parts of the help of `tunesmith train`, and the options that each shows."""


@dataclass(frozen=True)
class TrainingOptions:
    """Options of training; the defaults are those of the usual Moses training."""

    panels: ClassVar[Mapping[str, str | None]] = {
        name: title for title, names in _PANELS.items() for name in names
    }

    source: Annotated[Path, Reads()] = option(help="Source side, one sentence per line.")
    target: Annotated[Path, Reads()] = option(help="Target side, with the same number of lines.")
    alignment: Annotated[Path | None, Reads()] = option(
        None, help="Word alignments of this text, one line `0-0 1-2` per pair [default: align it]."
    )
    documents: Annotated[Path | None, Reads()] = option(
        None, help="Document ids, one per line: folds keep documents together."
    )
    source_language: str | None = same_option(PrepareOptions, "source_language")
    target_language: str | None = same_option(PrepareOptions, "target_language")
    tokenize: Literal["none", "moses"] = same_option(PrepareOptions, "tokenize", "none")
    case: Literal["keep", "lower", "true"] = same_option(PrepareOptions, "case", "keep")
    max_length: int = same_option(PrepareOptions, "max_length")
    ratio: float = same_option(PrepareOptions, "ratio")
    deduplicate: Literal["no", "pair", "source", "target"] = same_option(PrepareOptions, "deduplicate")
    source_segmenter: str | None = same_option(PrepareOptions, "source_segmenter")
    source_joiner: str | None = same_option(PrepareOptions, "source_joiner")
    source_join_with: str | None = same_option(PrepareOptions, "source_join_with")
    target_segmenter: str | None = same_option(PrepareOptions, "target_segmenter")
    target_joiner: str | None = same_option(PrepareOptions, "target_joiner")
    target_join_with: str | None = same_option(PrepareOptions, "target_join_with")
    characters: Characters = same_option(PrepareOptions, "characters")
    aligner: tuple[str, ...] = option(
        ("hmm",),
        help="Word aligner: {tunesmith.align:ALIGNMENT_MODELS}; diagonal is the fastest, ibm4 the slowest."
        " phrase, itg: several aligners, such as hmm,ibm4,diagonal; phrase pairs are counted in the"
        " alignments of each.",
        choices=ALIGNMENT_MODELS,
        joined=True,
    )
    symmetrize: str = option(
        "grow-diag-final-and",
        help="How the alignments of both directions are combined: {choices}.",
        choices=SYMMETRIZATIONS,
    )
    lm: Annotated[tuple[Path, ...], Reads()] = option(
        (),
        help="Language model to use as it is, beside the one of the text: an ARPA file or a compiled one; may"
        " be repeated. They are the features LM1, LM2, ..., or with --no-text-lm LM0, LM1, ...",
    )
    text_lm: bool = option(
        True,
        help="Estimate a language model from the target side, the feature LM0.",
        flag="--text-lm/--no-text-lm",
    )
    lm_order: int = option(5, help="Order of the language model, {least} to {most}.", least=1, most=MAX_ORDER)
    lm_text: Annotated[tuple[Path, ...], Reads()] = option(
        (),
        help="More text for the language model of the text, in the same form as the target file: training"
        " tokenizes and cases it in the same way; may be repeated.",
    )
    lm_prune: tuple[int, ...] = option(
        (),
        help="Drop n-grams seen at most this often; repeat for each order, from 1 on.",
        least=0,
        most=_MANY,
    )
    skip_marks: bool = option(
        False, help="Skip `<s>`, `</s>`, `<unk>` in the text of language models; otherwise they are errors."
    )
    bilingual_lm_order: int = option(
        0, help="Order of a language model over bilingual tokens; 0 is none.", least=0, most=MAX_ORDER
    )
    class_lm_order: int = option(
        0,
        help="Order of language models over target word classes; 0 is none.",
        least=0,
        most=MAX_ORDER,
    )
    max_phrase_length: int = option(
        7, help="Longest phrase of the table, in words.", least=1, most=LONGEST_PHRASE
    )
    smoothing: PhraseSmoothing | None = same_option(ScoringOptions, "smoothing")
    min_count: int = same_option(ScoringOptions, "min_count")
    reordering: tuple[str, ...] = same_option(ScoringOptions, "reordering")
    orientation_events: OrientationEvents = same_option(CountingOptions, "orientation_events")
    folds: int = option(
        0,
        help="Keep counts by this many folds of the text, so that it can be translated as if it were new text"
        " (jackknifing); 0 is none.",
        least=0,
        most=1 << 14,
    )
    grammar: Literal["on-demand", "global"] = option(
        "on-demand",
        help="hiero: on-demand (the rules of a sentence are extracted when it is decoded, from a suffix"
        " array) or global (all rules are extracted in training, into a table).",
    )
    distortion_limit: int | None = option(
        None,
        help="phrase: longest jump in decoding, in source words; -1 is unlimited [default: from the text].",
        least=-1,
        most=_MANY,
    )
    span_limit: int | None = option(
        None,
        help="hiero: maximum source words that a rule covers in decoding; 0 is unlimited [default:"
        " --max-rule-span if given, else from the text].",
        least=0,
        most=_MANY,
    )
    max_rule_span: int | None = option(
        None,
        help="hiero: maximum source words that a rule covers in extraction, {least} to {most} [default:"
        " --span-limit].",
        least=1,
        most=LONGEST_SPAN,
    )
    loose_phrases: bool | None = option(
        None,
        help="hiero: allow unaligned words at the edges of rules, or not [default: from the text].",
        flag="--loose-phrases/--tight-phrases",
    )
    rule_breadth: int | None = option(
        None,
        help="hiero, on demand: extract this many target sides per source side, the most frequent ones; 0 is"
        " all [default: 40].",
        least=0,
        most=_MANY,
    )
    itg_form: ItgForm = option(
        "normal", help="itg: normal (one derivation per order of phrases) or plain (all derivations)."
    )
    classes: tuple[int, ...] = option(
        (),
        help="Learn word classes of both sides, this many, such as 80, for features and language models of"
        " classes; may be repeated.",
        least=1,
        most=_MANY,
    )
    threads: int | None = option(
        None, help="Number of threads [default: all cores]; results do not depend on it.", matters=False
    )
    memory: str = option("2G", help="Memory for sorting, before it uses the disk.", matters=False)
    temporary: Annotated[Path | None, InFolder()] = option(
        None, help="Folder of temporary files [default: in the model's].", matters=False
    )

    def __post_init__(self) -> None:
        for name in ("source", "target", "alignment", "documents", "temporary"):
            self._set(name, _path(getattr(self, name)))
        for name in ("aligner", "lm", "lm_text", "lm_prune", "reordering", "classes"):
            self._set(name, _several(getattr(self, name)))
        for name in ("lm", "lm_text"):
            self._set(name, tuple(Path(each) for each in getattr(self, name)))
        self._set("reordering", () if self.reordering == (NO_REORDERING,) else self.reordering)
        name_programs(self)
        check_options(self, "training")
        _ = parse_bytes(self.memory), thread_count(self.threads), self.preparation
        self._check_combinations()
        self._check_files()

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
            deduplicate=self.deduplicate,
            **{name: getattr(self, name) for name in SEGMENTATION},
            characters=self.characters,
        )

    @property
    def joined_aligners(self) -> tuple[str, ...]:
        """Aligners besides the first; phrase pairs are counted in their alignments, too."""
        return self.aligner[1:] if self.alignment is None else ()

    def _check_combinations(self) -> None:
        models = ReorderingSpec.listed(self.reordering)
        check_events_used("training", self.orientation_events, models)
        if not self.aligner or len(set(self.aligner)) < len(self.aligner):
            found = ",".join(self.aligner) or "none"
            raise OptionError(
                "training: {} must be one or several different aligners, not {found}", "aligner", found=found
            )
        if self.tokenize != "none" and self.alignment is not None:
            raise OptionError("training: {} needs tokenized text: leave {} at none", "alignment", "tokenize")
        for name in SEGMENTATION:
            if getattr(self, name) is not None and self.alignment is not None:
                raise OptionError("training: {} needs tokenized text: omit {}", "alignment", name)
        if self.documents is not None and not self.folds:
            raise OptionError("training: {} need {}: give a number, such as 10", "documents", "folds")
        if self.folds == 1:
            raise OptionError("training: {} must be 0 (none) or at least 2, not 1", "folds")
        if self.class_lm_order and not self.classes:
            raise OptionError("training: {} needs {}: give a number, such as 80", "class_lm_order", "classes")
        self._check_language_models()

    def _check_language_models(self) -> None:
        if not self.text_lm and not self.lm:
            raise OptionError("training: without {}, a language model is needed: give {}", "text_lm", "lm")
        for name in () if self.text_lm else ("lm_text", "lm_prune"):
            if getattr(self, name):
                raise OptionError(
                    "training: {} is for the language model of the training text, which {} turns off",
                    name,
                    "text_lm",
                )
        prune = list(self.lm_prune)
        if prune != sorted(prune) or prune[:1] not in ([], [0]):
            raise OptionError(
                "training: {} must start with 0 and not fall, not {found}", "lm_prune", found=prune
            )
        if len(prune) > self.lm_order:
            raise OptionError(
                "training: {} has {found} thresholds for {} {order}",
                "lm_prune",
                "lm_order",
                found=len(prune),
                order=self.lm_order,
            )

    def _check_files(self) -> None:
        for path in (self.source, self.target, self.alignment, self.documents, *self.lm, *self.lm_text):
            if path is None:
                continue
            if not path.exists():
                raise InputError("no such file", path=path)
            if not path.is_file():
                raise InputError("is not a regular file; training reads its text more than once", path=path)
        if self.temporary is not None and not self.temporary.is_dir():
            raise InputError("the folder for temporary files does not exist", path=self.temporary)


def _path(given: PathLike | None) -> Path | None:
    return None if given is None else Path(given)


def _several(given: Any) -> tuple[Any, ...]:
    """Return one value as a tuple of one."""
    one = isinstance(given, str | os.PathLike) or not isinstance(given, Iterable)
    return (given,) if one else tuple(given)

"""One side of parallel text: how raw lines become tokens, and how tokens become text again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tunesmith.corpus.clean import lowercase, space_lines
from tunesmith.corpus.recase import Recaser
from tunesmith.corpus.segment import Segmenter, program_name
from tunesmith.corpus.tokenize import Tokenizer, detokenize
from tunesmith.corpus.truecase import Truecaser, detruecase
from tunesmith.errors import OptionError
from tunesmith.texts import Texts

__all__ = ["SEGMENTATION", "SIDES", "Case", "Forms", "Side", "SideName", "name_programs", "side_of"]

Case: TypeAlias = Literal["lower", "true", "keep"]
SideName: TypeAlias = Literal["source", "target"]
Forms: TypeAlias = Mapping[int, str]
"""Words of a line in the case that they are known to have, by position."""
SIDES: tuple[SideName, ...] = ("source", "target")
SEGMENTATION = tuple(f"{side}_{part}" for side in SIDES for part in ("segmenter", "joiner", "join_with"))
"""The options of segmenters."""


@dataclass(frozen=True)
class Side:
    """The preparation of one side: tokenizer, then segmenter, then case; and its inverse.

    Without a `tokenizer` and a `segmenter` the text is tokenized already. Case "true" needs a `truecaser`,
    and the inverse of case "lower" a `recaser`.
    """

    tokenizer: Tokenizer | None = None
    case: Case = "keep"
    truecaser: Truecaser | None = None
    segmenter: Segmenter | None = None
    recaser: Recaser | None = None

    def prepare(self, lines: Texts, threads: int | None = None) -> Texts:
        """Return raw lines as training sees them: spaced, tokenized and cased."""
        return self.cased(self.split(lines, threads))

    def split(self, lines: Texts, threads: int | None = None) -> Texts:
        """Return the tokens of raw lines, in their original case."""
        return self.tokenized(space_lines(lines)[0], threads)

    def tokenized(self, lines: Texts, threads: int | None = None) -> Texts:
        """Return the tokens of spaced lines (see `space_lines`), in their original case."""
        tokens = lines if self.tokenizer is None else self.tokenizer.tokenize(lines, threads)
        return tokens if self.segmenter is None else self.segmenter.apply(tokens)

    def cased(self, tokens: Texts) -> Texts:
        """Return tokens in the case of the model."""
        if self.truecaser is not None:
            return self.truecaser.apply(tokens)
        return lowercase(tokens) if self.case == "lower" else tokens

    @property
    def joins(self) -> bool:
        """Whether tokenization can be undone: it is known, and the segmenter has an inverse."""
        return self.tokenizer is not None if self.segmenter is None else self.segmenter.joins

    def restore(self, lines: Texts, known: Sequence[Forms] = ()) -> Texts:
        """Return tokenized lines as readable text, the inverse of `prepare` as far as there is one.

        The recaser chooses the case of lowercased words, except those whose capitals are `known`, per line;
        with case "true" the first word of each sentence is capitalized. Then tokens are joined. What cannot
        be undone stays (see `joins`).
        """
        text = lines
        if self.case == "true":
            text = Texts.of(detruecase(text))
        elif self.case == "lower" and self.recaser is not None:
            text = self.recaser.apply(text)
        if self.case == "lower" and any(known):
            text = Texts.of(_with_forms(line, forms) for line, forms in zip(text, known, strict=True))
        if self.segmenter is not None:
            text = self.segmenter.invert(text)
        if self.tokenizer is not None:
            text = Texts.of(detokenize(text, self.tokenizer.language))
        return text


def _with_forms(line: str, forms: Forms) -> str:
    """Return a line with the known forms of its words; those without capitals say nothing of the case."""
    words = line.split(" ")
    for at, form in forms.items():
        if form != form.lower() == words[at].lower():
            words[at] = form
    return " ".join(words)


def side_of(options: Mapping[str, Any], side: SideName) -> Side:
    """Return the preparation that options describe, without models of case.

    A side without a language is not tokenized by Moses' rules.
    """
    split, join, join_with = (options.get(f"{side}_{part}") for part in ("segmenter", "joiner", "join_with"))
    if split is None and (join is not None or join_with is not None):
        given = "joiner" if join is not None else "join_with"
        raise OptionError("prepare: {} needs {}", f"{side}_{given}", f"{side}_segmenter")
    if join is not None and join_with is not None:
        raise OptionError("prepare: give {} or {}, not both", f"{side}_joiner", f"{side}_join_with")
    language = options.get(f"{side}_language")
    characters = options.get("characters", "keep")  # models of earlier versions do not record it
    return Side(
        None
        if options["tokenize"] == "none" or language is None
        else Tokenizer(language, characters=characters),
        options["case"],
        segmenter=None if split is None else Segmenter(split, join, join_with),
    )


def name_programs(options: Any) -> None:
    """Replace functions among the options of segmenters by their names."""
    for option in SEGMENTATION:
        if not option.endswith("_with"):
            object.__setattr__(options, option, program_name(getattr(options, option), option))

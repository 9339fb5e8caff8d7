"""One side of parallel text: how raw lines become tokens, and how tokens become text again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tunesmith.corpus.clean import lowercase, space_lines
from tunesmith.corpus.tokenize import Tokenizer, detokenize
from tunesmith.corpus.truecase import Truecaser, detruecase
from tunesmith.texts import Texts

__all__ = ["Case", "Side"]

Case: TypeAlias = Literal["lower", "true", "keep"]


@dataclass(frozen=True)
class Side:
    """The preparation of one side: tokenization, then casing; and its inverse.

    Without a `tokenizer` the text is tokenized already. Case "true" needs a `truecaser`.
    """

    tokenizer: Tokenizer | None = None
    case: Case = "keep"
    truecaser: Truecaser | None = None

    def prepare(self, lines: Texts, threads: int | None = None) -> Texts:
        """Return raw lines as training sees them: spaced, tokenized and cased."""
        return self.cased(self.tokenized(space_lines(lines)[0], threads))

    def tokenized(self, lines: Texts, threads: int | None = None) -> Texts:
        """Return the tokens of spaced lines (see `space_lines`), in their original case."""
        return lines if self.tokenizer is None else self.tokenizer.tokenize(lines, threads)

    def cased(self, tokens: Texts) -> Texts:
        """Return tokens in the case of the model."""
        if self.truecaser is not None:
            return self.truecaser.apply(tokens)
        return lowercase(tokens) if self.case == "lower" else tokens

    @property
    def joins(self) -> bool:
        """Whether the tokenization can be undone: whether it is known."""
        return self.tokenizer is not None

    def restore(self, lines: Texts) -> Texts:
        """Return tokenized lines as readable text, the inverse of `prepare` as far as there is one.

        With case "true" the first word of each sentence is capitalized. Lines of an unknown tokenization stay
        tokenized (see `joins`).
        """
        text = lines
        if self.case == "true":
            text = Texts.of(detruecase(text))
        if self.tokenizer is not None:
            text = Texts.of(detokenize(text, self.tokenizer.language))
        return text

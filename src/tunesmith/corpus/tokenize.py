"""Tokenization by the rules of Moses: what sacremoses computes, in native code.

Only the rules are implemented here; language data (character classes, abbreviations) are read from
sacremoses on demand.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.corpus.characters import Characters, clean_characters
from tunesmith.errors import OptionError
from tunesmith.options import check_options, option
from tunesmith.texts import Texts
from tunesmith.threads import thread_count

__all__ = ["Tokenizer", "detokenize"]

_CODE_POINTS = 0x110000
_UNPADDED = ".'`,-"
_LAST_SPACE = 0x3000
_APOSTROPHES = {
    "en": _native.Apostrophes.SPLIT_BEFORE,
    "fr": _native.Apostrophes.SPLIT_AFTER,
    "it": _native.Apostrophes.SPLIT_AFTER,
}
_BLOCK = 1000
"""Lines per task of a sacremoses process."""


@dataclass(frozen=True)
class Tokenizer:
    """Splits words and punctuation, as `sacremoses.MosesTokenizer(language).tokenize` does.

    Before that, `characters="clean"` makes characters of entities and removes invisible ones, which Moses'
    rules make tokens of (see `clean_line`).

    `protected` are regular expressions of text that is not split; with them sacremoses itself is run, which
    is twenty times slower. Otherwise O(characters).
    """

    language: str
    split_dashes: bool = option(False, help="a-b becomes a @-@ b.", flag="--split-dashes")
    escape: bool = option(
        False, help="Write characters that are special to Moses as entities.", flag="--escape"
    )
    protected: tuple[str, ...] = ()
    characters: Characters = option(
        "clean",
        help="clean: entities (&amp;) become characters, soft hyphens and zero width characters are removed;"
        " keep: as in Moses, where they become tokens.",
    )

    def __post_init__(self) -> None:
        check_options(self, "tokenizer")
        _check_language(self.language)
        for pattern in self.protected:
            try:
                re.compile(pattern)
            except re.error as error:
                message = f"tokenizer: {pattern!r} is not a regular expression: {error}"
                raise OptionError(message) from None

    def __call__(self, line: str) -> str:
        """Return the tokens of a line, separated by spaces."""
        return self.tokenize([line])[0]

    def tokenize(self, lines: Iterable[str], threads: int | None = None) -> Texts:
        """Tokenize lines; the result does not depend on the number of threads."""
        texts = Texts.of(lines)
        if self.characters == "clean":
            texts = clean_characters(texts)
        if self.protected:
            return self._tokenize_protected(texts, thread_count(threads))
        native = _native_tokenizer(self.language, self.split_dashes, self.escape)
        return Texts(*native.tokenize(texts.blob, texts.offsets, thread_count(threads)))

    def _tokenize_protected(self, texts: Texts, processes: int) -> Texts:
        lines = list(texts)
        blocks = [lines[begin : begin + _BLOCK] for begin in range(0, len(lines), _BLOCK)]
        work = functools.partial(_tokenize_by_sacremoses, self)
        if processes == 1 or len(blocks) < 2:
            return Texts.of(line for block in blocks for line in work(block))
        with ProcessPoolExecutor(processes) as pool:
            return Texts.of(line for block in pool.map(work, blocks) for line in block)


def detokenize(lines: Iterable[str], language: str, *, unescape: bool = True) -> list[str]:
    """Detokenize by sacremoses' rules; entities become characters again."""
    from sacremoses import MosesDetokenizer

    _check_language(language)
    joiner = MosesDetokenizer(language)
    return [joiner.detokenize(line.split(" "), return_str=True, unescape=unescape) for line in lines]


def _check_language(language: str) -> None:
    # Names such as `english` find abbreviations in sacremoses, but miss the rules of the language.
    if not re.fullmatch(r"[a-z]{2,3}", language):
        raise OptionError(
            "{} must be a code such as 'en' or 'fr', not {language!r}", "language", language=language
        )


def _tokenize_by_sacremoses(tokenizer: Tokenizer, lines: list[str]) -> list[str]:
    moses = _sacremoses(tokenizer.language)
    return [
        " ".join(
            moses.tokenize(
                line,
                aggressive_dash_splits=tokenizer.split_dashes,
                escape=tokenizer.escape,
                protected_patterns=tokenizer.protected,
            )
        )
        for line in lines
    ]


@functools.cache
def _sacremoses(language: str) -> Any:
    from sacremoses import MosesTokenizer

    return MosesTokenizer(language)


@functools.lru_cache(maxsize=16)
def _native_tokenizer(language: str, split_dashes: bool, escape: bool) -> _native.Tokenizer:
    moses = _sacremoses(language)
    numeric = set(moses.NUMERIC_ONLY_PREFIXES)
    return _native.Tokenizer(
        _character_classes(moses),
        [word for word in moses.NONBREAKING_PREFIXES if word not in numeric],
        sorted(numeric),
        _APOSTROPHES.get(language, _native.Apostrophes.ALONE),
        split_dashes,
        escape,
    )


def _character_classes(moses: Any) -> npt.NDArray[np.uint8]:
    """Return one byte of class bits per code point, from the sets of sacremoses.

    The class "padded" is that of its pattern: neither alphanumeric nor white space nor one of .'`,-
    """
    classes = np.zeros(_CODE_POINTS, dtype=np.uint8)
    classes[_codes(moses.IsAlnum)] |= _native.CLASS_ALNUM
    classes[_codes(moses.IsAlpha)] |= _native.CLASS_ALPHA
    classes[_codes(moses.IsN)] |= _native.CLASS_NUMBER
    classes[_codes(moses.IsLower)] |= _native.CLASS_LOWER
    padded = np.ones(_CODE_POINTS, dtype=np.bool_)
    padded[_codes(moses.IsAlnum + _UNPADDED)] = False
    padded[[code for code in range(_LAST_SPACE + 1) if chr(code).isspace()]] = False
    classes[padded] |= _native.CLASS_PADDED
    return classes


def _codes(characters: str) -> npt.NDArray[np.int64]:
    return np.frombuffer(characters.encode("utf-32-le"), dtype="<u4").astype(np.int64)

"""Truecasing by Moses' rules: words get their most frequent case within sentences."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write, read_lines
from tunesmith.texts import Texts

__all__ = ["CasingCounts", "Truecaser", "detruecase", "sentence_starts"]

_ENDS = frozenset(".:?!")
"""Tokens that end a sentence."""

_DELAYS = frozenset(["(", "[", '"', "'", "&apos;", "&quot;", "&#91;", "&#93;"])
"""Tokens that may precede the first word of a sentence."""

_MARKUP = re.compile(r"<\S")
_COUNT = re.compile(r"\((\d+)(?:/(\d+))?\)")


class CasingCounts:
    """Incrementally counts the forms of words that are not at the start of a sentence."""

    def __init__(self) -> None:
        self._forms: Counter[str] = Counter()

    def add(self, lines: Iterable[str]) -> None:
        """Count the words of tokenized lines."""
        for line in lines:
            tokens = line.split(" ")
            plain = tokens[0] not in _DELAYS and "<" not in line and _ENDS.isdisjoint(tokens[:-1])
            self._forms.update(tokens[1:] if plain else _inner_words(tokens))

    def truecaser(self) -> Truecaser:
        """Return a truecaser of all that was counted."""
        has_letters = _letters().search
        casings: dict[str, dict[str, int]] = {}
        for form, count in self._forms.items():
            if form not in _DELAYS and has_letters(form):
                casings.setdefault(form.lower(), {})[form] = count
        return Truecaser(casings)


@dataclass(frozen=True)
class Truecaser:
    """`casings[lowercased word]` has the counts of the forms of a word; the best form is the most frequent.

    The first word of a sentence gets its best form. Elsewhere a form seen in training is kept, and any
    other form of a known word becomes the best one. Unknown words are kept. Ties go to the form seen first.
    """

    casings: dict[str, dict[str, int]]

    @classmethod
    def train(cls, lines: Iterable[str]) -> Truecaser:
        """Count the forms of tokenized text in its original case."""
        counts = CasingCounts()
        counts.add(lines)
        return counts.truecaser()

    @functools.cached_property
    def best(self) -> dict[str, str]:
        """The best form of each word."""
        return {word: max(forms, key=forms.__getitem__) for word, forms in self.casings.items()}

    @functools.cached_property
    def known(self) -> frozenset[str]:
        """All forms that were counted."""
        return frozenset(form for forms in self.casings.values() for form in forms)

    def apply(self, lines: Iterable[str]) -> Texts:
        """Truecase tokenized lines. O(tokens): each form is looked up once."""
        first = _Memo(lambda token: self.best.get(token.lower(), token))
        inner = _Memo(lambda token: token if token in self.known else first[token])
        return Texts.of(_recase(line, first.__getitem__, inner.__getitem__) for line in lines)

    def __call__(self, line: str) -> str:
        """Truecase one line."""
        return self.apply([line])[0]

    def save(self, path: PathLike) -> None:
        """Write Moses' text format: `best (count/total) other (count)`, one word per line."""
        with open_write(path) as stream:
            self.write(stream)

    def write(self, stream: BinaryIO) -> None:
        """Write the same to an open file."""
        for forms in self.casings.values():
            ordered = sorted(forms, key=forms.__getitem__, reverse=True)
            fields = [f"{ordered[0]} ({forms[ordered[0]]}/{sum(forms.values())})"]
            fields += [f"{form} ({forms[form]})" for form in ordered[1:]]
            stream.write((" ".join(fields) + "\n").encode())

    @classmethod
    def load(cls, path: PathLike) -> Truecaser:
        """Read a file written by `save`, Moses or sacremoses."""
        casings: dict[str, dict[str, int]] = {}
        for number, line in enumerate(read_lines(path), 1):
            fields = [field for field in line.split(" ") if field]
            counts = [_COUNT.fullmatch(field) for field in fields[1::2]]
            if not fields or len(fields) % 2 or not all(counts):
                raise InputError(
                    f"found {line[:60]!r}; expected forms and counts, such as 'the (5/7) The (2)'",
                    path=path,
                    line=number,
                )
            forms = casings.setdefault(fields[0].lower(), {})
            forms.update(
                (form, int(count[1])) for form, count in zip(fields[::2], counts, strict=True) if count
            )
        return cls(casings)


def detruecase(lines: Iterable[str]) -> list[str]:
    """Capitalize the first word of each sentence of tokenized lines."""
    return [_recase(line, lambda token: token[:1].upper() + token[1:], str) for line in lines]


def sentence_starts(tokens: Sequence[str]) -> Iterator[tuple[str | None, int]]:
    """Yield the position of each first word, with the token that ends the sentence before it, if any.

    Opening quotes and brackets may precede a first word.
    """
    if tokens and tokens[0] not in _DELAYS and _ENDS.isdisjoint(tokens[:-1]) and tokens[0] not in _ENDS:
        yield None, 0  # most lines are one plain sentence
        return
    place: str | None = None
    start = True
    for at, token in enumerate(tokens):
        if start and token not in _DELAYS and token not in _ENDS:
            yield place, at
            start = False
        if token in _ENDS:
            place, start = token, True


def _inner_words(tokens: list[str]) -> list[str]:
    """Return the words that training counts: neither sentence-initial words nor markup."""
    words = []
    first = True
    has_letters = _letters().search
    for token in tokens:
        if _is_markup(token) or token in _DELAYS:
            continue
        if not first and token in _ENDS:
            first = True
            continue
        if not first and has_letters(token):
            words.append(token)
        first = False
    return words


def _recase(line: str, first: Callable[[str], str], inner: Callable[[str], str]) -> str:
    tokens = line.split(" ")
    if tokens[0] not in _DELAYS and _ENDS.isdisjoint(tokens[:-1]):  # most lines are one plain sentence
        return " ".join([first(tokens[0]), *map(inner, tokens[1:])])
    start = True
    for at, token in enumerate(tokens):
        tokens[at] = first(token) if start else inner(token)
        start = token in _ENDS or (start and token in _DELAYS)
    return " ".join(tokens)


class _Memo(dict[str, str]):
    """Cache of a function as a dict: look-ups of known words run no Python code."""

    def __init__(self, function: Callable[[str], str]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, word: str) -> str:
        self[word] = answer = self._function(word)
        return answer


def _is_markup(token: str) -> bool:
    """Return whether a token has a tag: a `<` and a character, and behind them a `>`."""
    begin = _MARKUP.search(token)
    return begin is not None and token.rfind(">") >= begin.end()


@functools.cache
def _letters() -> re.Pattern[str]:
    """Return the pattern of a cased letter, from sacremoses' tables."""
    from sacremoses import MosesTruecaser

    return re.compile(f"[{MosesTruecaser.Lowercase_Letter}{MosesTruecaser.Uppercase_Letter}]")

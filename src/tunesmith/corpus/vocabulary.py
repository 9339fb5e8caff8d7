"""Words as numbers."""

from __future__ import annotations

from collections.abc import Iterable

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.texts import Texts

__all__ = ["Vocabulary"]


class Vocabulary:
    """Words numbered from 0 in order of insertion; append-only."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self.native = _native.Vocabulary()
        for word in words:
            self.add(word)

    def __len__(self) -> int:
        return len(self.native)

    def __contains__(self, word: str) -> bool:
        return self.native.find(word) >= 0

    def find(self, word: str) -> int:
        """Return the number of a word, or -1."""
        return self.native.find(word)

    def add(self, word: str) -> int:
        """Return the number of a word; a new word is added."""
        try:
            return self.native.add(word)
        except (TypeError, UnicodeEncodeError):
            raise InputError(f"the word {word!r} is not a string that UTF-8 can encode") from None

    def __getitem__(self, number: int) -> str:
        return self.native.word(number)

    def words(self) -> Texts:
        """Return all words, in the order of their numbers."""
        return Texts(*self.native.texts())

    def __reduce__(self) -> tuple[object, ...]:
        return (Vocabulary, (list(self.words()),))

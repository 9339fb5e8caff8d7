"""How much of a text a model knows: words and phrases of the source, words of the references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from tunesmith.errors import InputError
from tunesmith.extract.grammar import RuleTable
from tunesmith.extract.suffix_array import SuffixIndex
from tunesmith.model.model import Model

__all__ = ["Coverage", "Known", "measure_coverage"]

LONGEST = 7
"""Longest source phrases that are counted, in words."""
SHOWN = 10
"""Most frequent unknown words that are kept."""


@dataclass(frozen=True)
class Known:
    """The phrases of a length in a text: occurrences and different ones, and how many of them are known."""

    length: int
    tokens: int
    known_tokens: int
    types: int
    known_types: int

    @property
    def share_of_tokens(self) -> float:
        """The share of the occurrences that are known; 1 if there are none."""
        return self.known_tokens / self.tokens if self.tokens else 1.0

    @property
    def share_of_types(self) -> float:
        """The share of the different phrases that are known; 1 if there are none."""
        return self.known_types / self.types if self.types else 1.0


@dataclass(frozen=True)
class Coverage:
    """What a model knows of a text.

    `source` counts source phrases by length, 1 first; `unknown` are the most frequent words without a
    translation of their own, and their counts. `reference` counts words that the language model knows, and
    `perplexity` is that of the first reference.
    """

    sentences: int
    source: tuple[Known, ...]
    unknown: tuple[tuple[str, int], ...]
    reference: Known | None = None
    perplexity: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


def measure_coverage(
    model: Model, sentences: Sequence[str], references: Sequence[Sequence[str]] = ()
) -> Coverage:
    """Return what a model knows of tokenized sentences, and of their references if any.

    A source phrase is known if a table has translations of it, or if it occurs in an index of the training
    text. O(words * length) queries.
    """
    is_known = _finder(model)
    words = [sentence.split() for sentence in sentences]
    by_length, missing = [], Counter[str]()
    for length in range(1, LONGEST + 1):
        counts = Counter(_ngrams(words, length))
        known = {phrase for phrase in counts if is_known(phrase)}
        if length == 1:
            missing.update({phrase: count for phrase, count in counts.items() if phrase not in known})
        by_length.append(_known(length, counts, known))
    most = tuple(sorted(missing.items(), key=lambda each: (-each[1], each[0]))[:SHOWN])
    if not references:
        return Coverage(len(sentences), tuple(by_length), most)
    if not model.language_models:
        raise InputError("has no language model that could score references", path=model.directory)
    lm = model.language_model()
    counts = Counter(word for reference in references for line in reference for word in line.split())
    perplexity = lm.perplexity(list(references[0])).including_unknown if references[0] else None
    return Coverage(
        len(sentences),
        tuple(by_length),
        most,
        _known(1, counts, {word for word in counts if word in lm}),
        perplexity,
    )


def _ngrams(sentences: Iterable[Sequence[str]], length: int) -> Iterable[str]:
    return (
        " ".join(words[begin : begin + length])
        for words in sentences
        for begin in range(len(words) - length + 1)
    )


def _known(length: int, counts: Counter[str], known: set[str]) -> Known:
    return Known(length, counts.total(), sum(counts[each] for each in known), len(counts), len(known))


def _finder(model: Model) -> Callable[[str], bool]:
    """Return whether any table or index of the model has a phrase."""
    finders: list[Callable[[str], bool]] = [
        model.phrase_table(number).__contains__ for number in range(len(model.phrase_tables))
    ]
    for number, part in enumerate(model.rules):
        if part.source not in ("table", "index"):
            continue
        source = model.rule_source(number)
        if isinstance(source, SuffixIndex):
            finders.append(partial(_occurs, source))
        elif isinstance(source, RuleTable):
            finders.append(partial(_has_rules, source))
    if not finders:
        raise InputError("has no phrases or rules of its own: they come with the input", path=model.directory)
    return lambda phrase: any(find(phrase) for find in finders)


def _occurs(index: SuffixIndex, phrase: str) -> bool:
    gap = "[X]" in phrase.split(" ")  # a pattern, not a word of the text
    return not gap and len(index.occurrences(phrase, max_span=LONGEST, samples=1)) > 0


def _has_rules(table: RuleTable, phrase: str) -> bool:
    return bool(table.rules(phrase))

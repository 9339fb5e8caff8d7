"""Recasing: lowercased text gets the case of the text that a recaser was trained on (Lita et al. 2003).

A form is a word in some case. The path of forms c_1 ... c_n of the lowercased words w_1 ... w_n maximizes

    prod_i p(c_i | w_i, c_{i-1}, w_{i+1}),   p(c | w, l, r) ~ p(c | w, l) p(c | w, r) / p(c | w)

with the previous form l and the next word r as independent evidence, found by the Viterbi algorithm over the
forms of each word: O(words x forms^2). Conditional probabilities are smoothed by the forms of the word alone,
p(c | w, l) = (count(l, c) + K p(c | w)) / (count(l, w) + K). Only contexts that say more than the word alone
are kept, which is one in ten. First words of sentences are counted in the case that they have elsewhere,
and capitalized afterwards, as in the training text.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from tunesmith.corpus.truecase import CasingCounts, sentence_starts
from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write, read_lines
from tunesmith.texts import Texts

__all__ = ["Recaser", "train_recaser"]

# Chosen on Europarl's dev text: experiments/recaser.
SMOOTHING = 2.0
"""K: how many occurrences the forms of the word alone are worth."""
LEAST_COUNT = 1
LEAST_GAIN = 0.5
"""A context is kept if it is at least this frequent and raises the log likelihood of its forms by this."""
LEAST_SHARE = 0.002
"""Forms that are a smaller share of a word's occurrences are not learned."""
FEW_STARTS = 10
"""First words after . ? ! within lines that outweigh those of lines."""
START, END = "<s>", "</s>"
"""The context of first and last words; START is also the place before a first word, beside `.` and others."""

Forms: TypeAlias = dict[str, int]
Contexts: TypeAlias = dict[tuple[str, str], Forms]
_HEADER = "tunesmith-recaser 1"


@dataclass(frozen=True)
class Recaser:
    """`forms[word]` are the counts of the forms of a word; a word that is not there stays lowercase.

    `before[word, previous form]` and `after[word, next word]` are the same in a context. `starts` are the
    tokens (START: the beginning of a line) after which the first word is capitalized.
    """

    forms: Mapping[str, Forms]
    before: Contexts
    after: Contexts
    starts: frozenset[str]
    _scores: dict[tuple[str, str, str], dict[str, float]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def __call__(self, line: str) -> str:
        """Recase one line of lowercased tokens."""
        return self.apply([line])[0]

    def apply(self, lines: Iterable[str]) -> Texts:
        """Recase lines of lowercased tokens."""
        return Texts.of(self._recased(line.split(" ")) for line in lines)

    def _recased(self, words: list[str]) -> str:
        tokens = self._best_forms(words)
        for place, at in sentence_starts(words):
            if (START if place is None else place) in self.starts:
                tokens[at] = tokens[at][:1].upper() + tokens[at][1:]
        return " ".join(tokens)

    def _best_forms(self, words: list[str]) -> list[str]:
        """Return the best path. Where a word has one form, all paths meet and the best is decided."""
        decided: list[str] = []
        paths: list[tuple[float, list[str]]] = [(0.0, [])]
        for word, following in zip(words, [*words[1:], END], strict=True):
            forms = self.forms.get(word)
            if forms is None or len(forms) == 1:
                decided += max(paths, key=_score)[1]
                decided.append(word if forms is None else next(iter(forms)))
                paths = [(0.0, [])]
                continue
            last = decided[-1] if decided else START
            best: dict[str, tuple[float, list[str]]] = {}
            for score, path in paths:
                for form, gain in self._log_probabilities(
                    word, path[-1] if path else last, following
                ).items():
                    if form not in best or score + gain > best[form][0]:
                        best[form] = score + gain, [*path, form]
            paths = list(best.values())
        return decided + max(paths, key=_score)[1]

    def _log_probabilities(self, word: str, previous: str, following: str) -> dict[str, float]:
        known = self._scores.get((word, previous, following))
        if known is None:
            forms = self.forms[word]
            total = sum(forms.values())
            scores = {form: math.log(count / total) for form, count in forms.items()}
            for seen in (self.before.get((word, previous)), self.after.get((word, following))):
                if seen is not None:
                    scores = {form: score + _gain(form, seen, forms) for form, score in scores.items()}
            most = max(scores.values())
            norm = most + math.log(sum(math.exp(score - most) for score in scores.values()))
            known = {form: score - norm for form, score in scores.items()}
            self._scores[word, previous, following] = known
        return known

    def save(self, path: PathLike) -> None:
        """Write a text: the starts, then a line per word, and per word and context, with its forms."""
        lines = [f"{_HEADER} {' '.join(sorted(self.starts))}".rstrip()]
        lines += [f"word {_shown(forms)}" for forms in self.forms.values()]
        for name, contexts in (("before", self.before), ("after", self.after)):
            lines += [f"{name} {context} {_shown(forms)}" for (_, context), forms in contexts.items()]
        with open_write(path) as stream:
            stream.write("".join(f"{line}\n" for line in lines).encode())

    @classmethod
    def load(cls, path: PathLike) -> Recaser:
        """Read a file written by `save`."""
        header, *lines = read_lines(path) or [""]
        if not header.startswith(_HEADER):
            raise InputError(f"found {header[:60]!r}; expected {_HEADER!r}", path=path, line=1)
        made = cls({}, {}, {}, frozenset(header.removeprefix(_HEADER).split()))
        words: dict[str, Forms] = {}
        for number, line in enumerate(lines, 2):
            try:
                kind, *rest = line.split(" ")
                if kind == "word":
                    word, forms = _parsed(rest)
                    words[word] = forms
                else:
                    word, forms = _parsed(rest[1:])
                    {"before": made.before, "after": made.after}[kind][word, rest[0]] = forms
            except (ValueError, KeyError, IndexError):
                message = f"found {line[:60]!r}; expected such as 'word House 5 house 2'"
                raise InputError(message, path=path, line=number) from None
        return cls(words, made.before, made.after, made.starts)


def train_recaser(blocks: Callable[[], Iterable[Iterable[str]]]) -> Recaser:
    """Train on cased tokenized text; `blocks` is called twice, and yields its lines in blocks."""
    casing, capitals = CasingCounts(), Counter[tuple[str, bool]]()
    for lines in blocks():
        block = list(lines)
        casing.add(block)
        for tokens in map(str.split, block):
            for place, at in sentence_starts(tokens):
                form = tokens[at]
                if form.upper() != form.lower():
                    capitals[START if place is None else place, form != form.lower()] += 1
    truecaser = casing.truecaser()
    usual = {word: _usual(counts) for word, counts in truecaser.casings.items()}
    forms = {word: counts for word, counts in usual.items() if set(counts) != {word}}
    before, after = _contexts(blocks(), forms, truecaser.best)
    return Recaser(forms, _telling(before, forms), _telling(after, forms), _starts(capitals))


def _usual(counts: Forms) -> Forms:
    """Return the forms of a word without the rarest, the most frequent first; headlines have all words."""
    least = LEAST_SHARE * sum(counts.values())
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return dict([ordered[0], *(item for item in ordered[1:] if item[1] >= least)])


def _starts(capitals: Counter[tuple[str, bool]]) -> frozenset[str]:
    """Return the places after which most first words are capitalized; rare . ? ! are like a line's start."""
    prior = FEW_STARTS if capitals[START, True] > capitals[START, False] else -FEW_STARTS
    excess = {place: capitals[place, True] - capitals[place, False] for place in (START, ":")}
    excess |= {place: prior + capitals[place, True] - capitals[place, False] for place in ".?!"}
    return frozenset(place for place, more in excess.items() if more > 0)


def _contexts(
    blocks: Iterable[Iterable[str]], forms: Mapping[str, Forms], best: Mapping[str, str]
) -> tuple[Contexts, Contexts]:
    """Count the forms of words that have several, by the form before and the word after them."""
    word_of = {form: word for word, counts in forms.items() if len(counts) > 1 for form in counts}
    before: Contexts = {}
    after: Contexts = {}
    for tokens in (line.split(" ") for lines in blocks for line in lines):
        starts = {at for _, at in sentence_starts(tokens)}
        for at in starts:
            tokens[at] = best.get(tokens[at].lower(), tokens[at].lower())
        chosen = [at for at, form in enumerate(tokens) if form in word_of and at not in starts]
        for at in chosen:
            form = tokens[at]
            word = word_of[form]
            previous = tokens[at - 1] if at else START
            following = tokens[at + 1].lower() if at + 1 < len(tokens) else END
            for contexts, context in ((before, previous), (after, following)):
                seen = contexts.setdefault((word, context), {})
                seen[form] = seen.get(form, 0) + 1
    return before, after


def _telling(contexts: Contexts, forms: Mapping[str, Forms]) -> Contexts:
    """Return the contexts that say more than the word alone."""
    kept = {}
    for (word, context), seen in contexts.items():
        if sum(seen.values()) >= LEAST_COUNT:
            gain = sum(count * _gain(form, seen, forms[word]) for form, count in seen.items())
            if gain >= LEAST_GAIN:
                kept[word, context] = seen
    return dict(sorted(kept.items()))


def _gain(form: str, seen: Forms, forms: Forms) -> float:
    """Return log p(form | word, context) - log p(form | word)."""
    share = forms[form] / sum(forms.values())
    smoothed = (seen.get(form, 0) + SMOOTHING * share) / (sum(seen.values()) + SMOOTHING)
    return math.log(smoothed / share)


def _score(path: tuple[float, list[str]]) -> float:
    return path[0]


def _shown(forms: Forms) -> str:
    return " ".join(f"{form} {count}" for form, count in forms.items())


def _parsed(fields: list[str]) -> tuple[str, Forms]:
    counts: Iterator[int] = map(int, fields[1::2])
    forms = dict(zip(fields[::2], counts, strict=True))
    return fields[0].lower(), forms

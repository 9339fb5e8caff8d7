"""Back-off models as plain dictionaries: random ones for tests, and their scores by definition."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

from tunesmith.lm import LanguageModel, compile_lm

WORDS = ("a", "b", "c", "中")
MARKS = ("<s>", "</s>", "<unk>")
LN10 = math.log(10.0)

Ngram = tuple[str, ...]


@dataclass(frozen=True)
class BackoffModel:
    """N-grams with log10 probability and back-off; scores follow the definition, word by word."""

    order: int
    ngrams: dict[Ngram, tuple[float, float]]

    def probability(self, context: Ngram, word: str) -> float:
        """log10 p(word | context): the n-gram's own, or the context's back-off and a shorter context."""
        context = context[max(0, len(context) - self.order + 1) :]
        if (*context, word) in self.ngrams:
            return self.ngrams[*context, word][0]
        backoff = self.ngrams.get(context, (0.0, 0.0))[1]
        return backoff + self.probability(context[1:], word)

    def matched(self, context: Ngram, word: str) -> int:
        context = context[max(0, len(context) - self.order + 1) :]
        while (*context, word) not in self.ngrams:
            context = context[1:]
        return len(context) + 1

    def closed(self) -> set[Ngram]:
        """All n-grams, and the parts of each: what a query must be able to reach."""
        return {
            ngram[begin:end]
            for ngram in self.ngrams
            for begin in range(len(ngram))
            for end in range(begin + 1, len(ngram) + 1)
        }

    def contexts(self) -> set[Ngram]:
        """The words that a state must keep: some n-gram begins with them, or they have a back-off."""
        backing = {
            ngram for ngram, (_, backoff) in self.ngrams.items() if backoff != 0 and ngram[-1] != "</s>"
        }
        return {ngram[:-1] for ngram in self.closed() if len(ngram) > 1} | {
            ngram for ngram in backing if len(ngram) < self.order
        }

    def state(self, history: Ngram) -> Ngram:
        """The longest end of a history that still matters."""
        known = self.contexts()
        return next(
            (
                history[i:]
                for i in range(max(0, len(history) - self.order + 1), len(history))
                if history[i:] in known
            ),
            (),
        )

    def arpa(self) -> str:
        lines = ["\\data\\"]
        by_order = [sorted(n for n in self.ngrams if len(n) == k) for k in range(1, self.order + 1)]
        lines += [f"ngram {k}={len(ngrams)}" for k, ngrams in enumerate(by_order, 1)]
        for k, ngrams in enumerate(by_order, 1):
            lines += ["", f"\\{k}-grams:"]
            for ngram in ngrams:
                probability, backoff = self.ngrams[ngram]
                last = f"\t{backoff!r}" if k < self.order and backoff != 0 else ""
                lines.append(f"{probability!r}\t{' '.join(ngram)}{last}")
        return "\n".join([*lines, "", "\\end\\", ""])

    def compile(self, folder: Path) -> LanguageModel:
        (folder / "model.arpa").write_text(self.arpa(), encoding="utf-8")
        compile_lm(folder / "model.arpa", folder / "model.bin")
        return LanguageModel.open(folder / "model.bin")


SMALL = BackoffModel(
    2,
    {
        ("<s>",): (-9.0, -0.5),
        ("</s>",): (-1.0, 0.0),
        ("<unk>",): (-4.0, 0.0),
        ("a",): (-0.7, -0.25),
        ("<s>", "a"): (-0.2, 0.0),
        ("a", "</s>"): (-0.4, 0.0),
    },
)

logs = st.integers(-3000, -500).map(lambda thousandth: thousandth / 1000)
backoffs = st.one_of(st.just(0.0), st.integers(-900, 60).map(lambda thousandth: thousandth / 1000))


@st.composite
def backoff_models(draw: st.DrawFn) -> BackoffModel:
    """Models of few words, whose n-grams may lack their suffix and their context."""
    order = draw(st.integers(1, 5))
    ngrams: dict[Ngram, tuple[float, float]] = {}
    for word in (*WORDS[: draw(st.integers(1, 4))], *MARKS):
        ngrams[word,] = (draw(logs), 0.0 if word == "</s>" else draw(backoffs))
    inner = [word for (word,) in ngrams if word not in MARKS]
    for k in range(2, order + 1):
        ngram = st.tuples(
            st.sampled_from(["<s>", *inner]),
            *[st.sampled_from(inner)] * (k - 2),
            st.sampled_from(["</s>", *inner]),
        )
        for found in draw(st.lists(ngram, min_size=1, max_size=8, unique=True)):
            ngrams[found] = (draw(logs), 0.0 if k == order or found[-1] == "</s>" else draw(backoffs))
    return BackoffModel(order, ngrams)


def texts(least: int = 0) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from([*WORDS, "zzz"]), min_size=least, max_size=9)

"""Interpolated modified Kneser-Ney by its published formulas: slow, and easy to check by eye."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

Ngram = tuple[str, ...]
Arpa = dict[Ngram, tuple[float, float | None]]

FALLBACK = (0.5, 1.0, 1.5)


def reference_model(
    lines: Iterable[str],
    order: int,
    *,
    prune: Sequence[int] = (),
    keep: set[str] | None = None,
    fallback: bool = True,
    interpolate_unigrams: bool = True,
) -> Arpa:
    """Return log10 probability and back-off of each n-gram."""
    thresholds = [*prune, *[prune[-1] if prune else 0] * (order - len(prune))]
    counts = [Counter[Ngram]() for _ in range(order + 1)]
    before: dict[Ngram, set[str]] = defaultdict(set)
    for line in lines:
        words = ("<s>", *line.split(), "</s>")
        for n in range(1, order + 1):
            for end in range(max(n, 2), len(words) + 1):
                ngram = words[end - n : end]
                counts[n][ngram] += 1
                if end > n:
                    before[ngram].add(words[end - n - 1])

    probability: dict[Ngram, float] = {}
    weight: dict[Ngram, float] = {}
    for n in range(1, order + 1):
        adjusted = {
            ngram: count if n == order or ngram[0] == "<s>" else len(before[ngram])
            for ngram, count in counts[n].items()
        }
        kept = {
            ngram
            for ngram, count in counts[n].items()
            if count > thresholds[n - 1] and (keep is None or keep.issuperset(set(ngram) - {"<s>", "</s>"}))
        }
        discounts = estimate_discounts(adjusted.values(), fallback)
        followers: dict[Ngram, list[Ngram]] = defaultdict(list)
        for ngram in adjusted:
            followers[ngram[:-1]].append(ngram)
        total = {context: sum(adjusted[g] for g in grams) for context, grams in followers.items()}
        for context, grams in followers.items():
            left = sum(discounts[min(adjusted[g], 3)] if g in kept else adjusted[g] for g in grams)
            weight[context] = left / total[context]
        for ngram in kept:
            own = (adjusted[ngram] - discounts[min(adjusted[ngram], 3)]) / total[ngram[:-1]]
            if n > 1:
                lower = weight[ngram[:-1]] * probability[ngram[1:]]
            else:
                lower = weight[()] / (len(kept) + 1) if interpolate_unigrams else 0.0
            probability[ngram] = own + lower
        if n == 1:
            probability["<unk>",] = weight[()] / (len(kept) + 1) if interpolate_unigrams else weight[()]
            probability["<s>",] = 1.0
    return {
        ngram: (
            math.log10(p),
            None if len(ngram) == order else math.log10(weight[ngram]) if ngram in weight else 0.0,
        )
        for ngram, p in probability.items()
    }


def estimate_discounts(counts: Iterable[int], fallback: bool) -> tuple[float, ...]:
    """Return the discounts of counts 0, 1, 2, and 3 or more (Chen and Goodman 1998, equation 26)."""
    of = Counter(counts)
    if of[1] and of[2] and of[3]:
        y = of[1] / (of[1] + 2 * of[2])
        amounts = [j - (j + 1) * y * of[j + 1] / of[j] for j in (1, 2, 3)]
        if all(0 <= amount <= j for j, amount in enumerate(amounts, 1)):
            return (0.0, *amounts)
    assert fallback
    return (0.0, *FALLBACK)


def read_arpa(path: Path) -> Arpa:
    """Read an ARPA file whose words hold no tabs."""
    model: Arpa = {}
    with path.open(encoding="utf-8", newline="\n") as stream:
        for line in stream:
            fields = line.rstrip("\n").split("\t")
            if len(fields) > 1:
                model[tuple(fields[1].split(" "))] = (
                    float(fields[0]),
                    float(fields[2]) if len(fields) > 2 else None,
                )
    return model


def log10_probability(model: Arpa, context: Ngram, word: str) -> float:
    """Back off as any reader of ARPA files does."""
    ngram = (*context, word)
    if ngram in model:
        return model[ngram][0]
    if not context:
        return model["<unk>",][0]
    return (model.get(context, (0.0, 0.0))[1] or 0.0) + log10_probability(model, context[1:], word)

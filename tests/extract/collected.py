"""Scored phrase pairs by their texts."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any, NamedTuple

from tests.extract.reference import Pair

from tunesmith import _native
from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.extract import Lexicon, PhraseCounts, count_phrases, score_phrases


class Row(NamedTuple):
    scores: tuple[float, ...]
    reordering: tuple[float, ...]
    links: tuple[tuple[int, int], ...]
    counts: tuple[float, ...]


def bitext_of(pairs: list[Pair]) -> tuple[Bitext, Alignments]:
    sides = [Sentences.of(" ".join(pair[side]) for pair in pairs) for side in (0, 1)]
    return Bitext(*sides), Alignments.of(pair.links for pair in pairs)


def collect(counts: PhraseCounts, lexicon: Lexicon, **options: Any) -> dict[tuple[str, str], Row]:
    sink = _native.PhraseCollector()
    number = score_phrases(counts, lexicon, sink, **options)
    arrays = sink.take()
    assert number == len(arrays["source_of"])
    f, e = (list(words.words()) for words in (counts.source_vocabulary, counts.target_vocabulary))

    def phrases(side: str, words: list[str]) -> list[str]:
        flat, offsets = arrays[f"{side}_words"].tolist(), arrays[f"{side}_offsets"].tolist()
        return [" ".join(words[i] for i in flat[begin:end]) for begin, end in itertools.pairwise(offsets)]

    sources, targets = phrases("source", f), phrases("target", e)
    assert len(set(sources)) == len(sources), "a source phrase came twice"
    links, offsets = arrays["links"].tolist(), arrays["link_offsets"].tolist()
    reordering = arrays["reordering"].tolist() or [[]] * number
    return {
        (sources[source], targets[i]): Row(
            tuple(arrays["scores"][i].tolist()),
            tuple(reordering[i]),
            tuple((s, t) for s, t in links[offsets[i] : offsets[i + 1]]),
            tuple(arrays["counts"][i].tolist()),
        )
        for i, source in enumerate(arrays["source_of"].tolist())
    }


def table_of(
    pairs: list[Pair], folder: Path, *, max_length: int = 7, folds: list[int] | None = None, **options: Any
) -> dict[tuple[str, str], Row]:
    bitext, alignments = bitext_of(pairs)
    counts = count_phrases(
        bitext, alignments, path=folder / "counts", max_length=max_length, folds=folds, threads=1
    )
    return collect(counts, Lexicon.estimate(bitext, alignments, folds), **options)

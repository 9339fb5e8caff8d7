"""Small aligned bitexts for tests of grammars on demand."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from hypothesis import strategies as st

from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.extract.suffix_array import SuffixIndex
from tunesmith.generated import generate


class AlignedText(NamedTuple):
    """Lines of both sides, and links."""

    source: list[str]
    target: list[str]
    links: list[list[tuple[int, int]]]

    @property
    def bitext(self) -> Bitext:
        return Bitext(Sentences.of(self.source), Sentences.of(self.target))

    @property
    def alignments(self) -> Alignments:
        return Alignments.of(self.links)

    def without(self, pair: int) -> AlignedText:
        return AlignedText(*([*rows[:pair], *rows[pair + 1 :]] for rows in self))  # type: ignore[misc]

    def index(self, folder: Path | str | None = None, **options: bool) -> SuffixIndex:
        """Build an index; without a folder its file is gone, and its mapping stays."""
        with TemporaryDirectory() as temporary:
            path = Path(folder or temporary) / "text.suffix"
            return SuffixIndex.build(self.bitext, self.alignments, path, threads=1, **options)


@st.composite
def aligned_texts(draw: st.DrawFn, pairs: int = 6, words: int = 8) -> AlignedText:
    """Draw pairs of few words, so that patterns repeat, with any links; sides may be empty."""
    word = st.sampled_from("abc")
    rows = []
    for _ in range(draw(st.integers(1, pairs))):
        source, target = draw(st.lists(word, max_size=words)), draw(st.lists(word, max_size=words))
        link = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
        links = draw(st.lists(link, max_size=10)) if source and target else []
        rows.append((" ".join(source), " ".join(target).upper(), links))
    return AlignedText(*(list(column) for column in zip(*rows, strict=True)))  # type: ignore[misc]


def generated_text(count: int, seed: int = 1) -> AlignedText:
    pairs = list(generate(count, seed=seed, lowercase=True))
    return AlignedText(
        [pair.source for pair in pairs],
        [pair.references[0] for pair in pairs],
        [list(pair.alignment) for pair in pairs],
    )

"""Words are as unevenly distributed as in real text."""

from collections import Counter

import numpy as np
import pytest

from tunesmith.generated import generate


@pytest.mark.slow
def test_word_frequencies_fall_like_zipf() -> None:
    counts = Counter(word for pair in generate(8000, seed=2) for word in pair.target.split())
    frequencies = np.array(sorted(counts.values(), reverse=True), dtype=np.float64)
    ranks = np.arange(1, len(frequencies) + 1)
    middle = slice(5, 800)
    slope, _ = np.polyfit(np.log(ranks[middle]), np.log(frequencies[middle]), 1)
    assert -1.5 < slope < -0.7
    assert frequencies[:100].sum() > 0.5 * frequencies.sum()


@pytest.mark.slow
def test_a_larger_corpus_has_more_words() -> None:
    small = {word for pair in generate(1000, seed=2) for word in pair.source.split()}
    large = {word for pair in generate(6000, seed=2) for word in pair.source.split()}
    assert len(large) > 1.4 * len(small)
    assert len(large) > 2000

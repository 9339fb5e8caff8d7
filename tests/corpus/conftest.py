"""What the tests of corpora share."""

from __future__ import annotations

import pytest
from tests.corpus.compound_words import TEXT

from tunesmith.corpus.compounds import CompoundOptions, CompoundSplitter, WordCounts, train_splitter


@pytest.fixture(scope="session")
def splitter() -> CompoundSplitter:
    """A splitter of the words of a few sentences."""
    return train_splitter(WordCounts.of(TEXT), CompoundOptions(min_count=1, min_length=3))

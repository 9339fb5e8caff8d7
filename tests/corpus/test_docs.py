"""The document about the corpus shows what is really produced."""

import doctest
from pathlib import Path

import pytest

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "corpus.md"


@pytest.mark.slow
def test_the_examples_of_the_document_are_as_produced() -> None:
    failed, tried = doctest.testfile(str(DOCUMENT), module_relative=False, encoding="utf-8", verbose=False)
    assert tried > 10
    assert failed == 0

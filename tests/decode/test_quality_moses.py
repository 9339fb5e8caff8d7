"""Search and translations beside Moses', with its model and its weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from tunesmith.decode import PhraseDecoder, SearchOptions
from tunesmith.files import read_lines
from tunesmith.metrics import evaluate

MOSES2 = -40.5092
"""The average score of moses2's translations at pop limit 200, from the notes to the shared data."""


def bleu(hypotheses: list[str], references: list[str]) -> float:
    return 100 * evaluate("bleu", hypotheses, [references], resamples=0)[0].score


@pytest.mark.slow
def test_half_the_effort_of_moses2_finds_better_translations_by_the_model(
    shared_data: Path, moses_model: Path
):
    sources = read_lines(shared_data / "multi30k.test_2016.de.xz")
    decoder = PhraseDecoder.open(moses_model, options=SearchOptions(pop_limit=100, stack_size=100))
    scores = [found.score for found in decoder.translate_all(sources)]
    assert sum(scores) / len(scores) > MOSES2


@pytest.mark.slow
@pytest.mark.parametrize("output", ["out.mert.test_2016.en", "out.mert.cp1000.test_2016.en"])
def test_bleu_is_that_of_moses(shared_data: Path, moses_model: Path, output: str):
    sources, references = (read_lines(shared_data / f"multi30k.test_2016.{side}.xz") for side in ("de", "en"))
    ours = [found.text for found in PhraseDecoder.open(moses_model).translate_all(sources)]
    theirs = read_lines(shared_data / "moses" / output)
    assert bleu(ours, references) == pytest.approx(
        bleu([line.strip() for line in theirs], references), abs=0.2
    )

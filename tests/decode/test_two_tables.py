"""Models of several phrase tables, whose numbers of rows and phrases must not be confused."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from tests.decode.tiny import write_model

from tunesmith.decode import PhraseDecoder, SearchOptions
from tunesmith.forest import kbest
from tunesmith.model import Model
from tunesmith.weights import Weights


def joined(folder: Path, reordering: str, width: int) -> Model:
    """One model of the tables of two."""
    first, second = (
        Model.open(write_model(folder / name, seed, reordering, width)) for name, seed in (("a", 1), ("b", 2))
    )
    part = replace(second.phrase_tables[0], name="TranslationModel1", path="other.phrases")
    (first.directory / "other.phrases").symlink_to(second.directory / second.phrase_tables[0].path)
    weights = dict(first.weights) | {f"TranslationModel1_{i}": 0.15 for i in range(4)}
    return replace(first, phrase_tables=(*first.phrase_tables, part), weights=Weights(weights))


@pytest.mark.parametrize(
    ("reordering", "width"), [("hier-mslr-bidirectional-fe", 8), ("wbe-msd-bidirectional-fe", 6)]
)
def test_recombination_loses_nothing_where_tables_differ(tmp_path: Path, reordering: str, width: int):
    model = joined(tmp_path, reordering, width)
    exhaustive = SearchOptions(pop_limit=0, stack_size=1 << 20, distortion_limit=-1)
    decoder = PhraseDecoder(model, options=exhaustive)
    # With all words of the translation in the state nothing but equal strings is recombined.
    apart = PhraseDecoder(model, options=replace(exhaustive, context=20))
    for words in itertools.product("abc", repeat=3):
        sentence = " ".join(words)
        found, other = (each.translate(sentence, forest=True) for each in (decoder, apart))
        assert found.score == pytest.approx(other.score, abs=1e-5)
        lists = [[d.score for d in kbest(t.forest, decoder.weights, 200)] for t in (found, other)]
        assert lists[0] == pytest.approx(lists[1], abs=1e-4)


def test_a_table_without_reordering_takes_part_without_its_scores(tmp_path: Path):
    model = joined(tmp_path, "hier-mslr-bidirectional-fe", 8)
    decoder = PhraseDecoder(model)
    assert decoder.translate("a b c").found
    fewer = write_model(tmp_path / "c", 3, "hier-msd-bidirectional-fe", 6)
    (model.directory / "other.phrases").unlink()
    (model.directory / "other.phrases").symlink_to(fewer / "TranslationModel0.phrases")
    with pytest.raises(Exception, match="reordering needs 8"):
        PhraseDecoder(model)

"""Sentences are read ahead, but not all of them."""

from __future__ import annotations

import pytest

from tunesmith import decode_file
from tunesmith.decode import DecodeOutputs, PhraseDecoder, Request
from tunesmith.decode.batches import BATCH, FOREST_WORDS, in_batches
from tunesmith.decode.forced import forced_decode
from tunesmith.decode.output.forests import Forests

LINE = "der hund schläft ."
WORDS = len(LINE.split())


def test_batches_end_at_a_number_of_sentences_or_of_words_whose_forests_are_held():
    requests = [Request("a " * words) for words in (FOREST_WORDS, 1, FOREST_WORDS - 1, 1, 0)]
    assert [len(batch) for batch in in_batches(requests, forest=True)] == [1, 2, 2]
    assert [len(batch) for batch in in_batches(requests, forest=False)] == [5]
    assert [len(batch) for batch in in_batches([Request("")] * (BATCH + 1), forest=True)] == [BATCH, 1]
    assert list(in_batches([], forest=True)) == []


@pytest.mark.parametrize(("forest", "ahead"), [(False, BATCH), (True, FOREST_WORDS // WORDS)])
def test_no_more_is_read_than_is_translated_side_by_side(small_model, forest, ahead):
    decoder = PhraseDecoder.open(small_model)
    target = decoder.translate(LINE).text
    lines = iter([LINE] * 300)
    next(decoder.translate_all(lines, forest=forest))
    assert len(list(lines)) == 300 - ahead
    pairs = iter([(LINE, target)] * 300)
    next(forced_decode(decoder, pairs, forest=forest))
    assert len(list(pairs)) == 300 - ahead


def test_forests_of_a_file_are_written_a_batch_at_a_time(small_model, tmp_path, monkeypatch):
    sizes = []
    monkeypatch.setattr(Forests, "write", lambda self, batch: sizes.append(len(batch)))
    (tmp_path / "in").write_text(f"{LINE}\n" * 200)
    decode_file(small_model, tmp_path / "in", DecodeOutputs(tmp_path / "out", forests=tmp_path / "forests"))
    assert sizes == [FOREST_WORDS // WORDS, 200 - FOREST_WORDS // WORDS]

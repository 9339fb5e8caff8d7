"""Forced decoding to files of derivations."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.model.jackknife.folded import Folded

from tunesmith import _native
from tunesmith.corpus import Alignments
from tunesmith.decode.base import Decoder
from tunesmith.decode.forced import STAGES, ForcedOptions, forced_decode
from tunesmith.decode.opening import open_decoder
from tunesmith.decode.request import Request
from tunesmith.errors import InputError
from tunesmith.forest.kbest import kbest
from tunesmith.model.jackknife import usable_pairs
from tunesmith.reestimate import derivation_text
from tunesmith.reestimate.derivation_file import FoundDerivation
from tunesmith.reestimate.forced import ForcedDerivationOptions, write_forced
from tunesmith.reestimate.store import DerivationStore

OPTIONS = ForcedDerivationOptions(nbest=4)


@pytest.fixture(scope="module")
def store(model: Path, tmp_path_factory: pytest.TempPathFactory) -> DerivationStore:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(derivation_text, "PIECE", 16)
        return write_forced(model, tmp_path_factory.mktemp("forced"), options=OPTIONS).store


def found_in(store: DerivationStore) -> dict[int, list[FoundDerivation]]:
    return {
        int(row): list(file.found(number))
        for file in store.open_files()
        for number, row in enumerate(file.sentences)
    }


def test_derivations_are_the_best_of_each_target_that_is_reached(
    folded: Folded, model: Path, store: DerivationStore
) -> None:
    decoder = open_decoder(model)
    pairs = list(zip(folded.lines("de"), folded.lines("en"), strict=True))
    links = Alignments.read(folded.folder / "align")
    options = ForcedOptions(leave_one_out=True, longest_free=40, stages=STAGES[1:])
    found, reached, checked = found_in(store), 0, 0
    for row, result in enumerate(forced_decode(decoder, pairs, options, alignments=links, forest=True)):
        if result.forest is None:
            assert row not in found
            continue
        reached += 1
        wanted = kbest(result.forest, decoder.weights, 4)
        assert [each.score for each in found[row]] == pytest.approx([one.score for one in wanted], rel=1e-5)
        for each in found[row]:
            words = [word for step in each.steps for word in step.target]
            assert " ".join(words) == result.target
            assert each.matches == tuple(max(len(words) - n, 0) for n in range(4))
        first = found[row][0].steps
        ends = np.cumsum([0, *(len(step.target) for step in first)]).tolist()
        if len(wanted) > 1 and wanted[0].score - wanted[1].score < 1e-4:
            continue  # of two equally good ones the search may have found either first
        assert [((step.begin, step.end), span) for step, span in zip(first, pairwise(ends), strict=True)] == [
            (phrase.source, phrase.target) for phrase in result.phrases
        ]
        links_of = {
            (step.begin + i, begin + j)
            for step, begin in zip(first, ends, strict=False)
            for i, j in step.links
        }
        assert sorted(links_of) == sorted(result.alignment)
        checked += 1
    assert checked > 5
    assert store.counts.sentences == reached == len(found)
    assert 0.5 < store.counts.share < 1 and store.counts.all_sentences == 60
    assert sum(store.counts.stages) == reached


def test_an_error_of_a_later_block_has_the_row_of_its_sentence(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(derivation_text, "PIECE", 16)
    usual, blocks = Decoder.run_native, list[int]()

    def failing(decoder: Decoder[Any, Any], search: Any, part: Any) -> Any:
        blocks.append(part[0].line)
        if len(blocks) == 2:
            raise InputError("failed", line=part[0].line)
        return usual(decoder, search, part)

    monkeypatch.setattr(Decoder, "run_native", failing)
    with pytest.raises(InputError, match="failed") as caught:
        write_forced(model, tmp_path, options=ForcedDerivationOptions(nbest=1, stages=1))
    assert (blocks, caught.value.line) == ([1, 17], 17)


def test_drafts_are_of_the_sentences_of_their_block(model: Path) -> None:
    with pytest.raises(InputError, match="2 sentences have 1 rows"):
        _native.ForcedDrafts(["a", "b"], [0], 1)
    drafts = _native.ForcedDrafts(["a"], [7], 1)
    decoder = open_decoder(model)
    request, options = Request("a", "b"), decoder.native_options(forest=True)
    for numbers in ([1], [0, 0]):
        with pytest.raises(InputError, match="requests are not of the sentences of the block"):
            decoder.run_native(
                lambda native, part, rows=numbers: drafts.search(
                    native, options, [request.native()], rows, 1
                ),
                [request],
            )


def test_leaving_one_out_changes_scores(model: Path, store: DerivationStore, tmp_path: Path) -> None:
    plain = write_forced(
        model, tmp_path, options=ForcedDerivationOptions(nbest=1, leave_one_out=False, stages=1)
    ).store
    left_out, whole = found_in(store), found_in(plain)
    assert len(plain.counts.stages) == 1 and len(store.counts.stages) > 1
    both = set(left_out) & set(whole)
    assert both and all(len(each) == 1 for each in whole.values())
    assert any(whole[row][0].score > left_out[row][0].score + 1e-3 for row in both)


def test_a_second_call_finds_everything_done(model: Path, store: DerivationStore, monkeypatch: Any) -> None:
    monkeypatch.setattr(derivation_text, "PIECE", 16)
    again = write_forced(model, store.path, options=OPTIONS)
    assert again.report.resumed == 4 and again.store.record == store.record


def test_other_text_needs_its_alignment(folded: Folded, model: Path, tmp_path: Path) -> None:
    text = {"source": folded.folder / "de", "target": folded.folder / "en"}
    with pytest.raises(InputError, match="needs its word alignment: name it by alignments"):
        write_forced(model, tmp_path / "store", options=OPTIONS, **text)
    for lines in (1, 61):
        (tmp_path / "links").write_text("0-0\n" * lines)
        with pytest.raises(InputError, match=f"has {lines} lines, but .* has 60"):
            write_forced(model, tmp_path / "store", options=OPTIONS, **text, alignments=tmp_path / "links")


def test_the_text_is_read_once_for_all_blocks(
    model: Path, store: DerivationStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, asked = usable_pairs.take_lines, []
    monkeypatch.setattr(derivation_text, "PIECE", 16)
    monkeypatch.setattr(
        usable_pairs, "take_lines", lambda text, rows: asked.append(len(rows)) or usual(text, rows)
    )
    again = write_forced(model, tmp_path, options=ForcedDerivationOptions(nbest=1, stages=1)).store
    assert asked == [60] and len(again.files) == 4

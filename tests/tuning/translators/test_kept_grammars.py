"""Rules of the sentences of a loop: extracted once, the same as those that a decoder extracts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.candidates.compare import assert_identical
from tests.small_models import trained

from tunesmith.candidates import Pool
from tunesmith.decode import Lattice, Request, open_decoder
from tunesmith.decode.kept_grammars import with_kept_grammars
from tunesmith.extract.suffix_array import GrammarExtractor
from tunesmith.model import Model
from tunesmith.tuning import tune_model
from tunesmith.tuning.model_tuning import GRAMMARS, SELECT_GRAMMARS
from tunesmith.tuning.translators.model import ModelTranslator


@pytest.fixture(scope="module")
def hiero(small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that extracts rules on demand."""
    return trained(small_corpus, tmp_path_factory, kind="hiero")


@pytest.fixture
def extractions(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of sentences of each extraction."""
    found: list[int] = []
    usual = GrammarExtractor.grammars

    def counted(self: GrammarExtractor, sentences: Any, **options: Any) -> Any:
        found.append(len(sentences))
        return usual(self, sentences, **options)

    monkeypatch.setattr(GrammarExtractor, "grammars", counted)
    return found


def test_lists_are_those_of_rules_extracted_in_each_search(
    hiero: Path, loop_folder: Path, extractions: list[int]
) -> None:
    model, source, file = hiero, loop_folder / "dev.de", loop_folder / "kept"
    plain = ModelTranslator(model, source, threads=2)
    kept = ModelTranslator(model, source, threads=2, grammars=file)
    assert not file.exists()
    lists = plain.nbest(plain.start, 7)
    extractions.clear()
    for _ in range(2):
        assert_identical(Pool.merge([kept.nbest(kept.start, 7)]), Pool.merge([lists]))
    again = ModelTranslator(model, source, threads=2, grammars=file)
    assert again.translate(again.start) == kept.translate(kept.start)
    assert extractions == [25]
    assert kept.fingerprint == plain.fingerprint


def test_a_model_of_phrases_has_no_file_of_rules(loop_folder: Path) -> None:
    kept = ModelTranslator(loop_folder / "model", loop_folder / "dev.de", grammars=loop_folder / "kept")
    kept.translate(kept.start)
    assert not (loop_folder / "kept").exists()


def test_pairs_that_a_sentence_excludes_and_paths_of_lattices_are_respected(
    hiero: Path, loop_folder: Path, small_corpus: Path
) -> None:
    model = Model.open(hiero)
    lines = (small_corpus / "de").read_text().splitlines()
    lattice = Lattice("((('der', 1, 1), ('ein', 1, 1)), (('hund', 1, 1),))")
    requests = [Request(lines[30], exclude=(30,)), Request(lines[30]), Request.of(lattice)]
    named = with_kept_grammars(model, requests, loop_folder / "kept", threads=1)
    decoder = open_decoder(hiero)
    for request, with_rules in zip(requests, named, strict=True):
        extracting, given = (decoder.translate(each, forest=True) for each in (request, with_rules))
        assert (given.text, given.score) == (extracting.text, extracting.score)
        assert given.forest is not None and extracting.forest is not None
        assert given.forest.edge_count == extracting.forest.edge_count
    others = [Request(lines[30], exclude=(31,)), *requests[1:]]
    written = (loop_folder / "kept").stat().st_ino
    with_kept_grammars(model, others, loop_folder / "kept", threads=1)
    assert (loop_folder / "kept").stat().st_ino != written


def test_a_loop_extracts_the_rules_of_each_set_once_and_removes_them(
    hiero: Path, loop_folder: Path, extractions: list[int]
) -> None:
    def tune(output: str, iterations: int) -> Any:
        return tune_model(
            hiero,
            loop_folder / "dev.de",
            loop_folder / "dev.en",
            output=loop_folder / output,
            iterations=iterations,
            select_source=loop_folder / "dev.de",
            select_references=loop_folder / "dev.en",
            threads=1,
        )

    tune("run", 2)
    assert extractions == [25, 25]
    for name in (GRAMMARS, SELECT_GRAMMARS):
        assert not (loop_folder / "run" / name).exists()
    tune("run", 2)  # a finished run needs none
    assert extractions == [25, 25]

"""Rules of the sentences of a loop: extracted once, the same as those that a decoder extracts."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.candidates.compare import assert_identical
from tests.model.jackknife.folded import fold_corpus
from tests.small_models import fit_manifest, trained

from tunesmith.candidates import Pool
from tunesmith.decode import Lattice, Request, open_decoder
from tunesmith.decode.kept_grammars import rows_to_extract, with_kept_grammars
from tunesmith.errors import InputError
from tunesmith.extract.suffix_array import GrammarExtractor
from tunesmith.model import Model
from tunesmith.model.jackknife import JackknifeOptions
from tunesmith.model.rule_names import KNOWN_NAMES
from tunesmith.systems.model import ModelSystem
from tunesmith.tuning import tune_model
from tunesmith.tuning.model_tuning import GRAMMARS, SELECT_GRAMMARS


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
    plain = ModelSystem.open(model, source, threads=2)
    kept = ModelSystem.open(model, source, threads=2, grammars=file)
    assert not file.exists()
    lists = plain.use(plain.start).nbest(7)
    extractions.clear()
    for _ in range(2):
        assert_identical(Pool.merge([kept.use(kept.start).nbest(7)]), Pool.merge([lists]))
    again = ModelSystem.open(model, source, threads=2, grammars=file)
    assert again.use(again.start).best() == kept.use(kept.start).best()
    assert extractions == [25]
    assert kept.fingerprint == plain.fingerprint


def test_a_model_of_phrases_has_no_file_of_rules(loop_folder: Path) -> None:
    kept = ModelSystem.open(loop_folder / "model", loop_folder / "dev.de", grammars=loop_folder / "kept")
    kept.use(kept.start).best()
    assert not (loop_folder / "kept").exists()


def test_paths_of_lattices_are_those_that_the_span_limit_allows(hiero: Path, tmp_path: Path) -> None:
    pairs = [("der", "ein"), ("hund", "mann"), ("sieht", "hat"), ("das", "ein"), ("haus", "buch")]
    columns = (f"(('{a}', 1, 1), ('{b}', 1, 1),)," for a, b in pairs)
    lattice = Lattice(f"({''.join(columns)})")
    decoder = open_decoder(hiero, options={"span_limit": 4})
    requests = [Request.of(lattice), Request("der hund")]
    named = with_kept_grammars(Model.open(hiero), requests, tmp_path / "kept", span_limit=4, threads=1)
    texts = rows_to_extract(Model.open(hiero), requests, 4)[1]
    assert texts != rows_to_extract(Model.open(hiero), requests, 2)[1]
    for request, with_rules in zip(requests, named, strict=True):
        assert_same_forest(decoder, request, with_rules)


def test_sentences_that_exclude_pairs_are_extracted_as_before(
    hiero: Path, small_corpus: Path, tmp_path: Path
) -> None:
    line = (small_corpus / "de").read_text().splitlines()[30]
    requests = [Request(line, exclude=(30,)), Request(line)]
    named = with_kept_grammars(Model.open(hiero), requests, tmp_path / "kept", threads=1)
    assert named[0] == requests[0] and named[1].grammar_number == 0
    decoder = open_decoder(hiero)
    for request, with_rules in zip(requests, named, strict=True):
        assert_same_forest(decoder, request, with_rules)


def assert_same_forest(decoder: Any, request: Request, other: Request) -> None:
    found, expected = (decoder.translate(each, forest=True) for each in (other, request))
    assert (found.text, found.score) == (expected.text, expected.score)
    assert found.forest.edge_count == expected.forest.edge_count


def test_a_file_is_kept_for_the_same_model_and_sentences_only(
    hiero: Path, small_corpus: Path, tmp_path: Path, extractions: list[int]
) -> None:
    lines = (small_corpus / "de").read_text().splitlines()
    changed = tmp_path / "changed"
    shutil.copytree(hiero, changed)
    with (changed / "words.source.txt").open("a") as stream:
        stream.write("\n")
    fit_manifest(changed)
    for model, some in ((hiero, lines[:3]), (hiero, lines[:3]), (hiero, lines[1:4]), (changed, lines[1:4])):
        requests = [Request(line) for line in some]
        with_kept_grammars(Model.open(model), requests, tmp_path / "kept", threads=1)
    assert extractions == [3, 3, 3]


def test_rules_of_a_file_are_cut_as_those_of_an_index_whose_features_have_other_names(
    hiero: Path, loop_folder: Path
) -> None:
    renamed = loop_folder / "renamed"
    shutil.copytree(hiero, renamed)
    features = (renamed / "features.json").read_text()
    start = (renamed / "weights.start.json").read_text()
    for name in KNOWN_NAMES:
        features, start = (text.replace(f'"{name}"', f'"R_{name}"') for text in (features, start))
    (renamed / "features.json").write_text(features)
    (renamed / "weights.start.json").write_text(start)
    fit_manifest(renamed)
    options = {"options": {"table_breadth": 2}, "threads": 1}
    plain = ModelSystem.open(renamed, loop_folder / "dev.de", **options)
    kept = ModelSystem.open(renamed, loop_folder / "dev.de", grammars=loop_folder / "kept", **options)
    assert "R_EgivenFCoherent" in plain.start
    assert kept.use(kept.start).best() == plain.use(plain.start).best()


def test_jackknifed_sentences_have_the_rules_of_their_fold_models(
    tmp_path: Path, extractions: list[int]
) -> None:
    folded = fold_corpus(tmp_path, 120, folds=3)
    model = folded.train("hiero", max_rule_span=5)
    rows = np.argsort(folded.fold_of(), kind="stable")[::10].tolist()
    sentences = [folded.lines("de")[row] for row in rows]
    jackknife = JackknifeOptions(jackknife=True, jackknife_lm=False)
    plain = ModelSystem.open(model, sentences, jackknife=jackknife, threads=1)
    whole = ModelSystem.open(model, sentences, threads=1)
    kept = ModelSystem.open(model, sentences, jackknife=jackknife, threads=1, grammars=tmp_path / "kept")
    lists = Pool.merge([plain.use(plain.start).nbest(5)])
    extractions.clear()
    for _ in range(2):
        assert_identical(Pool.merge([kept.use(kept.start).nbest(5)]), lists)
    assert len(extractions) == 3 and sum(extractions) == len(rows)
    assert whole.use(whole.start).nbest(5).texts != lists.texts


def test_a_killed_loop_goes_on_with_the_rules_that_it_has(
    hiero: Path, loop_folder: Path, extractions: list[int]
) -> None:
    def tune(output: str, progress: Any = None) -> Any:
        texts = loop_folder / "dev.de", loop_folder / "dev.en"
        out = loop_folder / output
        return tune_model(hiero, *texts, output=out, iterations=3, threads=1, progress=progress)

    def stop(line: str) -> None:
        if line.startswith("iteration 2"):
            raise KeyboardInterrupt

    whole = tune("whole")
    with pytest.raises(KeyboardInterrupt):
        tune("killed", stop)
    assert (loop_folder / "killed" / GRAMMARS).exists()
    assert tune("killed").weights == whole.weights
    assert extractions == [25, 25]
    assert not (loop_folder / "killed" / GRAMMARS).exists()


def test_a_link_is_not_followed_and_a_folder_is_refused(hiero: Path, loop_folder: Path) -> None:
    def tune(output: Path) -> Any:
        texts = loop_folder / "dev.de", loop_folder / "dev.en"
        return tune_model(hiero, *texts, output=output, iterations=1, threads=1)

    (loop_folder / "other").write_text("mine")
    (loop_folder / "linked").mkdir()
    (loop_folder / "linked" / GRAMMARS).symlink_to(loop_folder / "other")
    tune(loop_folder / "linked")
    assert (loop_folder / "other").read_text() == "mine"
    (loop_folder / "blocked" / GRAMMARS).mkdir(parents=True)
    with pytest.raises(InputError, match="is a folder where the run would keep rules"):
        tune(loop_folder / "blocked")


@pytest.mark.process
def test_a_disk_that_is_too_small_says_what_for(hiero: Path, loop_folder: Path) -> None:
    program = f"""
import resource
from tunesmith.systems.model import ModelSystem
kept = ModelSystem.open("{hiero}", "{loop_folder / "dev.de"}", threads=1, grammars="{loop_folder / "kept"}")
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
kept.use(kept.start).best()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "it is for the rules of 25 sentences" in done.stderr
    assert not (loop_folder / "kept").exists()


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

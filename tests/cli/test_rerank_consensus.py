"""`tunesmith rerank --consensus`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commands import run
from tests.random_pools import random_pool

from tunesmith.candidates import Pool
from tunesmith.candidates import rerank as plain_rerank
from tunesmith.consensus import CONSENSUS, FastConsensus, MbrConsensus, consensus_rule
from tunesmith.weights import Weights


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pool = random_pool(1, lists=12, size=8)
    pool.write(tmp_path / "test.nbest.gz", format="moses")
    Weights({name: 0.5 + number for number, name in enumerate(pool.feature_names)}).write(tmp_path / "w.json")
    return tmp_path


def rerank(folder: Path, *arguments: object, weights: bool = True) -> list[str]:
    given = ["--weights", "w.json"] if weights else []
    done = run("rerank", "--candidates", "test.nbest.gz", *given, *arguments, folder=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", list(CONSENSUS))
def test_every_rule_can_be_named(folder: Path, name: str) -> None:
    pool, weights = Pool.read(folder / "test.nbest.gz"), Weights.read(folder / "w.json")
    expected = consensus_rule(name, scale=0.3).over_pool(pool, weights).texts
    assert rerank(folder, "--consensus", "--consensus-rule", name, "--consensus-scale", 0.3) == expected


def test_the_flag_alone_means_fast_consensus(folder: Path) -> None:
    pool, weights = Pool.read(folder / "test.nbest.gz"), Weights.read(folder / "w.json")
    assert rerank(folder, "--consensus") == FastConsensus().over_pool(pool, weights).texts


def test_scale_zero_needs_no_weights(folder: Path) -> None:
    options = ["--consensus-rule", "mbr", "--consensus-metric", "chrf", "--consensus-scale", 0]
    pool = Pool.read(folder / "test.nbest.gz")
    expected = MbrConsensus(metric="chrf", scale=0.0).over_pool(pool).texts
    assert rerank(folder, "--consensus", *options, weights=False) == expected


def test_single_weights_need_no_file_and_take_the_place_of_its_weights(folder: Path) -> None:
    pool, weights = Pool.read(folder / "test.nbest.gz"), Weights.read(folder / "w.json")
    first, *others = pool.feature_names
    singles = [part for name in others for part in ("--weight", f"{name}={weights[name]}")]
    changed = {**weights, first: -2.0}
    expected = FastConsensus(scale=0.5).over_pool(pool, changed).texts
    options = ["--consensus", "--consensus-scale", 0.5, "--weight", f"{first}=-2"]
    assert rerank(folder, *options) == expected
    assert rerank(folder, *options, *singles, weights=False) == expected
    assert expected != FastConsensus(scale=0.5).over_pool(pool, weights).texts


def test_single_weights_alone_rank_and_the_other_features_are_named(folder: Path) -> None:
    pool = Pool.read(folder / "test.nbest.gz")
    first, *others = pool.feature_names
    done = run("rerank", "--candidates", "test.nbest.gz", "--weight", f"{first}=2", folder=folder)
    assert done.returncode == 0, done.stderr
    weights = {first: 2.0} | dict.fromkeys(others, 0.0)
    assert done.stdout.splitlines() == plain_rerank(pool, weights).texts
    shown = ", ".join(others[:5])
    assert f"{len(others)} features have no --weight and count 0: {shown} ... and 1 more" in done.stderr
    done = run("rerank", "--candidates", "test.nbest.gz", "--weight", "zero=1", folder=folder)
    assert done.returncode == 1


def test_mbr_takes_references_from_another_file(folder: Path) -> None:
    samples = random_pool(2, lists=12, size=8)
    samples.write(folder / "samples.jsonl")
    given = ["--consensus-references", "samples.jsonl", "--consensus-metric", "chrf"]
    expected = MbrConsensus(metric="chrf").over_pool(Pool.read(folder / "test.nbest.gz"), references=samples)
    options = ["--consensus", "--consensus-rule", "mbr", *given]
    assert rerank(folder, *options, weights=False) == expected.texts
    aggregated = MbrConsensus(metric="chrf", aggregate=True)
    faster = aggregated.over_pool(Pool.read(folder / "test.nbest.gz"), references=samples)
    assert rerank(folder, *options, "--consensus-option", "aggregate=true", weights=False) == faster.texts
    done = run("rerank", "--candidates", "test.nbest.gz", "--consensus", *given[:2], folder=folder)
    assert done.returncode == 2
    assert "--consensus-references needs --consensus --consensus-rule mbr" in done.stderr


def test_mbr_reads_texts_only_of_its_references(folder: Path) -> None:
    pool = Pool.read(folder / "test.nbest.gz")
    rows = [
        json.dumps({"id": name, "hypotheses": [{"text": "a b", "features": {"lm": None}}]})
        for name in pool.ids
    ]
    (folder / "gaps.jsonl").write_text("\n".join(rows) + "\n")
    done = run(
        *("rerank", "--candidates", "test.nbest.gz", "--consensus", "--consensus-rule", "mbr"),
        *("--consensus-references", "gaps.jsonl"),
        folder=folder,
    )
    assert done.returncode == 0, done.stderr
    assert "missing" not in done.stderr


def test_json_tells_what_was_chosen(folder: Path) -> None:
    done = run(
        *("rerank", "--candidates", "test.nbest.gz", "--weights", "w.json", "--consensus", "--json"),
        folder=folder,
    )
    pool, weights = Pool.read(folder / "test.nbest.gz"), Weights.read(folder / "w.json")
    best = FastConsensus().over_pool(pool, weights)
    found = json.loads(done.stdout)
    assert [each["text"] for each in found] == best.texts
    assert [each["index"] for each in found] == best.indices.tolist()
    assert [each["score"] for each in found] == pytest.approx(best.scores.tolist())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--weights (or --weight) is missing"),
        (["--consensus"], "--weights (or --weight) is missing"),
        (["--consensus", "--consensus-scale", "1"], "--weights (or --weight) is missing"),
        (["--consensus-rule", "mbr"], "need --consensus"),
        (["--consensus", "--consensus-rule", "variational", "--consensus-metric", "bleu"], "no such option"),
    ],
)
def test_options_that_make_no_sense_are_refused(folder: Path, arguments: list[str], message: str) -> None:
    done = run("rerank", "--candidates", "test.nbest.gz", *arguments, folder=folder)
    assert done.returncode == 2
    assert message in done.stderr

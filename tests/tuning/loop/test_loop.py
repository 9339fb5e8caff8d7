"""The loop: what it does round by round, and when it ends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.tuning.toy_loops import loop, score
from tests.tuning.toy_systems import DENSE, ToyForestMert, ToyNewestMert, ToySystem

from tunesmith.candidates import Pool
from tunesmith.candidates.columns import with_columns
from tunesmith.candidates.layers import LayeredFeatures
from tunesmith.candidates.mapped import read_mapped
from tunesmith.errors import DegenerateError, InputError, OptionError, TunesmithWarning
from tunesmith.forest.file import ForestFile
from tunesmith.forest.pool import ForestPool
from tunesmith.metrics import get_metric
from tunesmith.tuning import tune_model
from tunesmith.tuning.loop import accumulated_lists
from tunesmith.tuning.method import METHODS, Method, methods_for
from tunesmith.tuning.run import Run, Solution
from tunesmith.weights import Weights

LEARNERS = [*methods_for(Pool), ToyForestMert(), ToyNewestMert()]


@pytest.fixture
def toy() -> ToySystem:
    return ToySystem()


@pytest.mark.parametrize("method", LEARNERS, ids=lambda method: getattr(method, "name", method))
def test_every_method_tunes_a_decoder_and_every_score_is_of_decoded_text(method, toy, tmp_path: Path) -> None:
    result = loop(toy, tmp_path, method)
    tuned = tmp_path / "tuned"
    assert result.score > result.baseline
    for number, record in enumerate(result.history):
        file = tuned / "rounds" / f"{number}.weights.json"
        if file.exists():
            assert score(toy, Weights.read(file)) == pytest.approx(record["score"], abs=1e-12)
    assert Weights.read(tuned / "weights.json") == result.weights
    lines = [json.loads(line) for line in (tuned / "history.jsonl").read_text().splitlines()]
    assert lines == result.history
    assert result.interval[0] <= result.score <= result.interval[1]


@pytest.mark.parametrize(("method", "options"), [("pl", {"resample": "always", "sample": 3}), ("pro", {})])
def test_a_method_that_draws_from_lists_leaves_their_features_on_disk(
    method: str, options: dict[str, Any], tmp_path: Path, monkeypatch
) -> None:
    pools: list[Pool] = []
    kind, map_file = METHODS[method], accumulated_lists.read_mapped
    learn = kind.learn
    mapped: list[Pool] = []

    def watch_learning(own: Method, run: Run[Pool]) -> Solution:
        solution = learn(own, run)
        pools.append(run.data)
        return solution

    def watch_mapping(path: Path, *, verify: bool = True) -> Pool:
        mapped.append(map_file(path, verify=verify))
        return mapped[-1]

    monkeypatch.setattr(kind, "learn", watch_learning)
    monkeypatch.setattr(accumulated_lists, "read_mapped", watch_mapping)
    loop(ToySystem(2, sentences=4, sparse=200), tmp_path, method, nbest=2, **options)
    assert len({pool.feature_names for pool in pools}) > 1, "features come up in later rounds"
    for pool in pools:
        assert isinstance(pool.features, LayeredFeatures)
        assert "flat" not in vars(pool.features)
        for file, layer in zip(mapped, pool.features.layers, strict=False):
            assert np.shares_memory(file.features.values, layer.arrays[2])


def test_results_do_not_depend_on_threads(toy, tmp_path: Path) -> None:
    for method in ("mira", "pro", ToyForestMert()):
        results = [loop(toy, tmp_path, method, threads=n, restart=True) for n in (1, 3)]
        assert results[0].weights == results[1].weights


def test_the_last_weights_are_decoded_once_more(toy, tmp_path: Path) -> None:
    phases: list[str] = []
    result = loop(toy, tmp_path, iterations=2, tolerance=0, phase=phases.append)
    assert phases == ["decoding", "learning", "decoding", "learning", "decoding"]
    assert toy.asked == ["nbest", "nbest", "translations"]
    assert [record["iteration"] for record in result.history] == [1, 2, 3]
    assert (result.stopped, result.chosen, result.iterations) == ("all iterations are done", 2, 2)


def test_lists_of_all_rounds_are_merged_with_each_candidate_once(toy, tmp_path: Path) -> None:
    result = loop(toy, tmp_path, iterations=3)
    files = sorted((tmp_path / "tuned" / "rounds").glob("*.pool"))
    merged = Pool.merge([read_mapped(file) for file in files])
    assert len(files) > 1
    assert result.history[len(files) - 1]["candidates"] == merged.n_candidates
    assert sum(record["new"] for record in result.history[: len(files)]) == merged.n_candidates


class InParts(ToySystem):
    """Gives its lists sentence by sentence, each with the features of its own candidates."""

    def nbest_parts(self, size: int) -> Iterator[Pool]:
        pool = self.nbest(size)
        for number in range(len(pool)):
            part = pool.take_lists([number])
            used = {part.feature_names[column] for column in part.features.columns.tolist()}
            yield replace(part, features=with_columns(part.features, [*DENSE, *sorted(used - set(DENSE))]))


def test_lists_that_come_in_parts_give_the_same_union(tmp_path: Path) -> None:
    whole = loop(ToySystem(2, sentences=12, sparse=30), tmp_path / "whole", "mira")
    parts = loop(InParts(2, sentences=12, sparse=30), tmp_path / "parts", "mira")
    assert [record["candidates"] for record in parts.history if "new" in record] == [
        record["candidates"] for record in whole.history if "new" in record
    ]
    assert parts.weights == pytest.approx(whole.weights)
    assert parts.scores == pytest.approx(whole.scores)

    class Twice(ToySystem):
        def nbest_parts(self, size: int) -> Iterator[Pool]:
            yield from [self.nbest(size)] * 2

    with pytest.raises(InputError, match="each once"):
        loop(Twice(2, sentences=12), tmp_path / "twice", "mira")


def test_the_best_score_is_chosen_on_request(tmp_path: Path) -> None:
    toy = ToySystem(5, sentences=12)
    result = loop(toy, tmp_path, "pro", select="metric", iterations=5)
    assert result.score == max(result.scores)
    assert score(toy, result.weights) == pytest.approx(max(result.scores))
    assert Weights.read(tmp_path / "tuned" / "weights.json") == result.weights


def test_mert_selects_its_best_round_and_other_methods_the_last_one(tmp_path: Path) -> None:
    toy, given = ToySystem(16), {"iterations": 2, "nbest": 2}
    best = loop(toy, tmp_path / "mert", "mert", allowance=0.0, **given)
    last = loop(toy, tmp_path / "last", "mert", allowance=0.0, select="objective", **given)
    assert best.scores == last.scores
    assert best.score == max(best.scores) > best.scores[-1] == last.score
    assert (best.chosen, last.chosen) == (1, 2)
    assert loop(toy, tmp_path / "mira", "mira", **given).chosen == 2


@pytest.mark.parametrize("method", ["mert", "mira", "pl", "risk"])
def test_every_method_can_be_stopped_by_text_that_is_not_tuned_on(toy, tmp_path: Path, method: str) -> None:
    other = ToySystem(2)
    references = other.write_references(tmp_path / "select")
    given = {"select_source": other, "select_references": references, "select": "metric"}
    result = loop(toy, tmp_path, method, patience=2, **given)
    scores = [record["dev_score"] for record in result.history]
    assert result.select_score == max(scores)
    assert len(scores) - 1 - scores.index(max(scores)) <= 2
    assert score(other, result.weights) == pytest.approx(max(scores))


def test_the_best_score_on_a_select_set_is_chosen_if_there_is_one(toy, tmp_path: Path) -> None:
    other = ToySystem(7, sentences=15)
    references = other.write_references(tmp_path / "select")
    given = {"select_source": other, "select_references": references}
    lines: list[str] = []
    result = loop(toy, tmp_path, "pro", select="metric", progress=lines.append, **given)
    assert result.select_score == max(record["dev_score"] for record in result.history)
    assert score(other, result.weights) == pytest.approx(result.select_score)
    assert any(f"select set {100 * result.select_score:.2f}" in line for line in lines)


def test_less_is_better_for_an_error_rate(toy, tmp_path: Path) -> None:
    references = toy.write_references(tmp_path / "references")
    result = tune_model(
        toy, None, references, "mert", "ter", output=tmp_path / "t", select="metric", nbest=5, restarts=2
    )
    assert result.score == min(result.scores) < result.baseline
    assert result.metric == get_metric("ter").signature


def test_zero_weights_can_be_a_start_and_never_a_result(toy, tmp_path: Path) -> None:
    result = loop(toy, tmp_path, start_zero=True, select="metric")
    assert not any(Weights.read(tmp_path / "tuned" / "rounds" / "0.weights.json").values())
    assert any(result.weights.values())
    assert result.chosen >= 1


def test_features_that_come_up_late_get_weights_by_name(tmp_path: Path) -> None:
    toy = ToySystem(2, sentences=4, sparse=100)
    result = loop(toy, tmp_path, "mira", nbest=2, epochs=20)
    rounds = tmp_path / "tuned" / "rounds"
    first, last = (set(Weights.read(rounds / f"{n}.weights.json")) for n in (1, result.iterations))
    assert set(toy.start) < first < last
    for method in (ToyForestMert(), ToyNewestMert()):
        assert set(toy.start) < set(loop(toy, tmp_path / method.name, method).weights)


def test_frozen_features_and_bounds_hold_over_all_rounds(tmp_path: Path) -> None:
    toy = ToySystem(2, sparse=6)
    result = loop(toy, tmp_path, "mira", frozen=["f1"], bounds={"s*": (0.0, 0.05)}, interpolate=0.5)
    assert result.weights["f1"] == toy.start["f1"]
    assert all(0 <= value <= 0.05 for name, value in result.weights.items() if name.startswith("s"))


def test_names_that_no_feature_has_are_refused_where_all_are_known(toy, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no feature matches 'f9'"):
        loop(toy, tmp_path, frozen=["f9"])
    sparse = ToySystem(2, sparse=6)
    with pytest.warns(TunesmithWarning, match="no feature matches 'late_\\*' so far"):
        loop(sparse, tmp_path / "sparse", "mira", frozen=["late_*"])


def test_interpolation_mixes_new_weights_with_the_old(toy, tmp_path: Path) -> None:
    whole = loop(toy, tmp_path / "whole", iterations=1)
    half = loop(toy, tmp_path / "half", iterations=1, interpolate=0.5)
    for name, value in half.weights.items():
        assert value == pytest.approx(0.5 * whole.weights[name] + 0.5 * toy.start[name])


def test_forests_are_united_or_only_the_newest_are_kept(toy, tmp_path: Path) -> None:
    edges = {}
    for method in (ToyForestMert(), ToyNewestMert()):
        result = loop(toy, tmp_path / method.name, method, forest_density=0.0, tolerance=0, iterations=3)
        edges[method.name] = [record["edges"] for record in result.history if "edges" in record]
        kept = list((tmp_path / method.name / "tuned" / "rounds").glob("*.forests"))
        assert [file.name for file in kept] == [f"{result.iterations}.forests"]
        assert len(ForestFile.open(kept[0])) == 30
    assert toy.asked[0] == "forests 2"
    newest, united = edges["toy-newest-mert"], edges["toy-forest-mert"]
    # The first rounds are the same; a union has both rounds' edges and two from the root a sentence.
    assert united[0] == newest[0]
    assert united[1] == newest[0] + newest[1] + 2 * 30


def test_the_size_of_lists_is_told_to_be_of_no_use_to_a_method_over_forests(toy, tmp_path: Path) -> None:
    with pytest.warns(TunesmithWarning, match="nbest is for methods of candidate lists"):
        loop(toy, tmp_path, ToyForestMert(), nbest=5, iterations=1)


def test_forests_are_pruned_before_they_are_united(toy, tmp_path: Path) -> None:
    counts = [
        loop(toy, tmp_path / str(density), ToyForestMert(), forest_density=density).history[0]["edges"]
        for density in (0.0, 0.5)
    ]
    assert 30 <= counts[1] < counts[0]


def test_a_method_has_a_density_of_its_own(toy, tmp_path: Path) -> None:
    class Thin(ToyForestMert):
        density = 0.5

    own = loop(toy, tmp_path / "own", Thin()).history[0]["edges"]
    assert own == loop(toy, tmp_path / "given", ToyForestMert(), forest_density=0.5).history[0]["edges"]
    assert own < loop(toy, tmp_path / "all", Thin(), forest_density=0.0).history[0]["edges"]


def test_unions_do_not_grow_from_round_to_round(toy, tmp_path: Path) -> None:
    rounds = {}
    for density in (0.0, 1.0):
        folder = tmp_path / str(density)
        result = loop(toy, folder, ToyForestMert(), forest_density=density, tolerance=0, iterations=4)
        rounds[density] = [record["edges"] for record in result.history if "edges" in record]
    everything, pruned = rounds[0.0], rounds[1.0]
    assert len(everything) == len(pruned) == 4
    assert everything == sorted(set(everything))
    most = 2 * pruned[0] + 2 * 30  # two parts, and the edges that join them
    assert max(pruned) <= 1.2 * most < everything[-1]


@pytest.mark.parametrize("method", ["mert", ToyForestMert()], ids=["lists", "forests"])
def test_a_sentence_without_a_translation_counts_as_an_empty_one(method, tmp_path: Path) -> None:
    toy = ToySystem(missing=4)
    result = loop(toy, tmp_path, method)
    assert result.scores[-1] == pytest.approx(score(toy, result.weights))


def test_no_round_of_a_seed_learns_with_the_stream_of_a_round_of_another_seed(toy, tmp_path: Path) -> None:
    seeds: list[int] = []

    @dataclass(frozen=True)
    class Noting(ToyForestMert):
        def learn(self, run: Run[ForestPool]) -> Solution:
            seeds.append(run.seed)
            return Solution(np.array([1.0, len(seeds), 0.0]), 0.0, 1.0)

    for seed in (1, 2, 3):
        loop(toy, tmp_path / str(seed), Noting(), seed=seed, iterations=3)
    assert seeds[::3] == [1, 2, 3]
    assert len(set(seeds)) == 9


def test_what_cannot_be_is_refused(toy, tmp_path: Path) -> None:
    for options, message in [
        ({"iterations": 0}, "iterations must be at least 1"),
        ({"patience": 0}, "patience must be at least 1"),
        ({"nbest": 1}, "nbest must be at least 2"),
        ({"interpolate": 0.0}, "interpolate must be above 0"),
        ({"forest_density": -1.0}, "forest_density must be"),
        ({"select": "best"}, "select must be objective or metric"),
        ({"seed": 2**63}, "seed must be"),
        ({"select_source": toy}, "needs both"),
        ({"restart_": 1}, "no such option: restart_ of"),
        ({"method": "forest-mrt"}, "unknown method 'forest-mrt'"),
        ({"start_zero": True, "start": {"f0": 1.0}}, "exclude each other"),
        ({"method": ToyForestMert(), "search": {"context": 1}}, "needs context to be at least 2, not 1"),
        ({"method": "forest-mira", "metric": "chrf", "nbest": None}, "need bleu, not chrf"),
    ]:
        with pytest.raises(OptionError, match=message):
            loop(toy, tmp_path, **options)
    assert not (tmp_path / "tuned").exists()


def test_references_of_another_number_of_sentences_are_refused_before_any_work(toy, tmp_path: Path) -> None:
    for lines in (29, 31):
        (tmp_path / "references").write_text("a b\n" * lines)
        with pytest.raises(InputError, match=f"30 sentences, but {tmp_path}/references {lines} lines"):
            tune_model(toy, None, tmp_path / "references", "mira", output=tmp_path / "out")
    assert toy.asked == []


@pytest.mark.parametrize(
    ("factor", "loss", "told"),
    [(1e12, 0.0, "exploding"), (np.nan, 0.0, "not finite"), (0.0, 0.0, "all zero"), (1.0, -np.inf, "loss")],
)
def test_useless_weights_are_refused_and_never_written(
    factor: float, loss: float, told: str, toy, tmp_path: Path
) -> None:
    @dataclass(frozen=True)
    class Useless(ToyForestMert):
        def learn(self, run: Run[ForestPool]) -> Solution:
            good = run.seed == 1  # in the first round
            start = run.space.start
            return Solution(start * (1.5, 1.0, 1.0) * (1.0 if good else factor), 0.0 if good else loss, 1.0)

    with pytest.raises(DegenerateError, match=told):
        loop(toy, tmp_path, Useless())
    rounds = tmp_path / "tuned" / "rounds"
    assert Weights.read(tmp_path / "tuned" / "weights.json") == Weights.read(rounds / "1.weights.json")
    assert not (rounds / "2.weights.json").exists()


def test_zero_weights_that_nothing_improves_are_refused(toy, tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Idle(ToyForestMert):
        def learn(self, run: Run[ForestPool]) -> Solution:
            return Solution(run.space.start, 1.0, 1.0)

    with pytest.raises(DegenerateError, match="all zero"):
        loop(toy, tmp_path, Idle(), start_zero=True)
    assert not (tmp_path / "tuned" / "weights.json").exists()


def test_features_that_did_not_come_up_keep_their_share_of_scale_free_weights(toy, tmp_path: Path) -> None:
    """MERT's weights sum to 1 whatever the start's do: what no list has must not outgrow the others."""
    start = {name: 100.0 * value for name, value in toy.start.items()} | {"elsewhere": 10.0}
    result = loop(toy, tmp_path, "mert", start=start, iterations=1)
    found = result.weights
    seen = sum(abs(found[name]) for name in toy.start)
    before = sum(abs(start[name]) for name in toy.start)
    assert found["elsewhere"] == pytest.approx(10.0 * seen / before)


@pytest.mark.parametrize("method", ["cll", "mira"])
def test_features_that_did_not_come_up_are_resized_as_the_start_is(method: str, toy, tmp_path: Path) -> None:
    ends = []
    for size in (1.0, 1000.0):
        start = {name: size * value for name, value in {**toy.start, "elsewhere": 0.1}.items()}
        result = loop(toy, tmp_path / str(size), method, start=start, iterations=3)
        ends.append(np.array(list(result.weights.values())) / np.linalg.norm(list(result.weights.values())))
    assert ends[0] == pytest.approx(ends[1], abs=1e-3)


@pytest.mark.parametrize("method", ["cll", "mira", "risk", "pl", "mert"])
def test_frozen_weights_stay_as_they_are_in_every_round(method: str, toy, tmp_path: Path) -> None:
    start = {name: 50.0 * value for name, value in toy.start.items()}
    result = loop(toy, tmp_path, method, start=start, frozen=["f1"], iterations=4)
    for file in (tmp_path / "tuned" / "rounds").glob("*.weights.json"):
        assert Weights.read(file)["f1"] == start["f1"]
    assert result.weights["f1"] == start["f1"]


def test_references_that_no_forest_has_a_word_of_are_refused(toy, tmp_path: Path) -> None:
    strange = tmp_path / "strange"
    strange.write_text("qq ww\n" * len(toy))
    with pytest.raises(DegenerateError, match="no forest has a word of its references"):
        tune_model(toy, None, strange, "forest-mira", output=tmp_path / "tuned", threads=1)

"""Runs of online learning with hope and fear from forests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.tuning.online.toy_online import judged_model, write_lists

from tunesmith.decode import Request, open_decoder
from tunesmith.errors import OptionError
from tunesmith.features.base import TEMPLATES
from tunesmith.generated import write_corpus
from tunesmith.metrics import get_metric
from tunesmith.systems.external_setup import ExternalSetup
from tunesmith.systems.model_setup import ModelSetup
from tunesmith.texts import Texts
from tunesmith.tuning.online.candidate_view import CandidateView
from tunesmith.tuning.online.documents import open_document
from tunesmith.tuning.online.learner import LearnerOptions, learn_pass
from tunesmith.tuning.online.result import OnlineResult
from tunesmith.tuning.online.tune import tune_online
from tunesmith.tuning.online.updates.base import UPDATES
from tunesmith.tuning.online.updates.passive_aggressive import PassiveAggressiveUpdate
from tunesmith.weights import WeightStore


@pytest.fixture(scope="module")
def dev(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    files = write_corpus(tmp_path_factory.mktemp("dev") / "dev", 24, seed=2, lowercase=True)
    return Path(files.source), [Path(target) for target in files.targets]


def learned(setup: Any, output: Path, **options: Any) -> OnlineResult:
    given = {"shards": 2, "epochs": 2, "threads": 1, "hope_fear": "forest", "beam": 8} | options
    return tune_online(setup, output=output, **given)


def wrong(model: Path) -> dict[str, float]:
    """Return small weights that prefer bad translations."""
    return {name: -0.01 * value for name, value in open_decoder(model).weights.items()}


def content(folder: Path) -> bytes:
    return (folder / "weights").read_bytes()


@pytest.mark.parametrize("kind", ["small_model", "small_hiero"])
def test_sparse_weights_are_learned_from_forests(
    kind: str, dev: tuple[Path, list[Path]], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    template, model = TEMPLATES["phrase-length"](), request.getfixturevalue(kind)
    setup = ModelSetup.of(model, *dev, templates=[template])
    result = learned(setup, tmp_path / "run", start=wrong(model))
    assert result.record["score"] > result.history[0]["score"]
    assert any(template.owns(name) for name in WeightStore.open(result.weights))
    learned(setup, tmp_path / "lists", start=wrong(model), hope_fear="nbest", nbest=50)
    assert content(tmp_path / "lists") != content(tmp_path / "run")


@pytest.mark.parametrize("update", sorted(UPDATES))
def test_updates_that_need_no_lists_change_weights(
    update: str, small_model: Path, dev: tuple[Path, list[Path]], tmp_path: Path
) -> None:
    setup = ModelSetup.of(small_model, *dev)
    if UPDATES[update].needs_lists:
        with pytest.raises(OptionError, match=f"{update} needs lists.*hope_fear forest.*choose nbest"):
            learned(setup, tmp_path / "run", update=update)
        assert not (tmp_path / "run").exists()
    else:
        result = learned(setup, tmp_path / "run", update=update, epochs=1, document="kbmira")
        assert result.record["updates"] > 0


@pytest.mark.process
def test_neither_workers_nor_breaks_change_a_bit(
    small_model: Path, dev: tuple[Path, list[Path]], tmp_path: Path
) -> None:
    setup = ModelSetup.of(small_model, *dev, templates=[TEMPLATES["phrase-length"]()])
    learned(setup, tmp_path / "whole")
    learned(setup, tmp_path / "parts", epochs=1, threads=2)
    assert learned(setup, tmp_path / "parts", threads=2).resumed_after == 1
    assert content(tmp_path / "whole") == content(tmp_path / "parts")
    for options, match in (({"beam": 9}, "beam 8, not 9"), ({"hope_fear": "nbest"}, "hope_fear forest, not")):
        with pytest.raises(OptionError, match=match):
            learned(setup, tmp_path / "parts", **options)


def test_a_batch_is_searched_under_the_weights_that_translated_it(small_model: Path) -> None:
    """Its first sentence learns the same as alone; the others do not see what it has changed."""
    metric, decoder = get_metric("bleu"), open_decoder(small_model, wrong(small_model))
    requests = [Request("der hund sieht das haus"), Request("die katze", target="xyzzy")]
    online = judged_model(decoder, requests, [Texts.of(["house the a", "the cat"])], metric, 20)
    start, weights = dict(decoder.weights), []
    for order, options in (([0], {}), ([0, 1], {"batch": 2}), ([0, 0], {"batch": 2}), ([0, 0], {})):
        store, document = WeightStore.of(start), open_document("kbmira", metric)
        given = LearnerOptions(hope_fear="forest", adaptive=0, **options)  # type: ignore[arg-type]
        view = CandidateView.of(given, online.system.dense)
        tally = learn_pass(online, store, PassiveAggressiveUpdate(), document, order, given, view)
        assert tally.skipped == order.count(1)
        weights.append(dict(store.items()))
    alone, skipping, batch, sequence = weights
    assert alone == skipping
    assert batch != sequence


def test_what_has_no_forests_is_refused_before_anything_is_decoded(
    small_model: Path, dev: tuple[Path, list[Path]], tmp_path: Path
) -> None:
    start = WeightStore.of({"a": 1.0})
    for setup in (write_lists(tmp_path), ExternalSetup.of("false", *dev, start, "mira")):
        with pytest.raises(OptionError, match=r"needs a model of ours.*choose nbest"):
            learned(setup, tmp_path / "run", start=start)
        system = setup.open(5)
        with pytest.raises(OptionError, match="lists have no forests"):
            system.forest(0)
    with pytest.raises(OptionError, match="hope_fear forest needs bleu, not ter"):
        learned(ModelSetup.of(small_model, *dev), tmp_path / "run", metric="ter")
    assert not (tmp_path / "run").exists()

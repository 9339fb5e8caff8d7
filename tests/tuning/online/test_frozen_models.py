"""Frozen features of models: all processes of a run, and the parts of a resumed one, freeze the same."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.commands import run
from tests.decode.lattice_derivations import plf
from tests.decode.tiny import INI, write_sparse_scores
from tests.tuning.online.toy_online import judged_model

from tunesmith.decode.opening import open_decoder
from tunesmith.decode.request import Request
from tunesmith.errors import OptionError
from tunesmith.features.base import TEMPLATES
from tunesmith.generated import write_corpus
from tunesmith.metrics import get_metric
from tunesmith.model.importing import import_model
from tunesmith.model.model import Model
from tunesmith.systems.model_setup import ModelSetup
from tunesmith.texts import Texts
from tunesmith.tuning.online.result import OnlineResult
from tunesmith.tuning.online.tune import tune_online
from tunesmith.tuning.online.updates.base import Example, Step
from tunesmith.tuning.online.updates.passive_aggressive import PassiveAggressiveUpdate
from tunesmith.weights import FeatureVector, WeightStore

ARCS = "InputFeature0"


@pytest.fixture(scope="module")
def lattices(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    """Lattices, in each column the word of a sentence and, less probable, the word before it; references."""
    files = write_corpus(tmp_path_factory.mktemp("dev") / "dev", 10, seed=2, lowercase=True)
    source, lines = Path(files.source), []
    for words in map(str.split, source.read_text().splitlines()):
        pairs = zip(words, [words[-1], *words], strict=False)
        lines.append(plf([[(word, 0.5, 1), (other, 0.25, 1)] for word, other in pairs]))
    source.write_text("".join(f"{line}\n" for line in lines))
    return source, [Path(target) for target in files.targets]


@pytest.fixture
def setup(small_model: Path, lattices: tuple[Path, list[Path]]) -> ModelSetup:
    return ModelSetup.of(small_model, *lattices, templates=[TEMPLATES["target-bigrams"]()])


def start_of(setup: ModelSetup) -> dict[str, float]:
    """Return small weights that prefer bad translations, and one of arcs, which the model has not."""
    return {name: -0.01 * value for name, value in Model.open(setup.model).weights.items()} | {ARCS: 0.01}


def is_frozen(name: str, options: Mapping[str, Any]) -> bool:
    """Return whether options freeze a feature: all dense ones, or those of the language model and of arcs."""
    if options.get("freeze_dense"):
        return not name.startswith("TargetBigram_")
    return name.startswith(("LM", ARCS))


def check_frozen(setup: ModelSetup, result: OnlineResult, options: Mapping[str, Any]) -> None:
    """Frozen features have their start weights to the bit, and others have changed."""
    start, weights = start_of(setup), WeightStore.open(result.weights)
    changed = {name for name, value in weights.items() if value != start.get(name, 0.0)}
    assert changed and start.keys() <= weights.keys()
    assert not any(is_frozen(name, options) for name in changed)


def learned(setup: ModelSetup, output: Path, **options: Any) -> OnlineResult:
    given = {
        "shards": 2,
        "epochs": 2,
        "nbest": 100,
        "threads": 1,
        "start": start_of(setup),
        "start_scale": 1.0,
    }
    strong = {} if "update" in options else {"c": 1.0}
    return tune_online(setup, output=output, **(given | strong | options))


@pytest.mark.parametrize("options", [{"freeze_dense": True}, {"boolean": True}])
@pytest.mark.parametrize("hope_fear", ["nbest", "forest"])
def test_a_feature_that_is_dense_by_its_weight_is_so_in_a_resumed_run(
    options: dict[str, Any], hope_fear: str, setup: ModelSetup, tmp_path: Path
) -> None:
    given = {**options, "hope_fear": hope_fear, "beam": 8}
    whole = learned(setup, tmp_path / "whole", **given)
    learned(setup, tmp_path / "parts", epochs=1, **given)
    parts = learned(setup, tmp_path / "parts", **given)
    assert parts.resumed_after == 1
    assert parts.record["updates"] > 0
    assert parts.weights.read_bytes() == whole.weights.read_bytes()


@pytest.mark.process
@pytest.mark.parametrize(
    "options", [{"freeze_dense": True}, {"frozen": ("LM*", ARCS), "hope_fear": "forest"}]
)
def test_the_number_of_processes_changes_no_bit_of_a_run_with_frozen_features(
    options: dict[str, Any], setup: ModelSetup, tmp_path: Path
) -> None:
    found = [learned(setup, tmp_path / f"{n}", threads=n, shards=4, **options) for n in (1, 3)]
    assert found[0].weights.read_bytes() == found[1].weights.read_bytes()
    check_frozen(setup, found[0], options)


@dataclass(frozen=True)
class Watched(PassiveAggressiveUpdate):
    """Notes the features of the candidates that it learns from."""

    seen: ClassVar[dict[str, set[float]]] = {}

    def learn(self, example: Example, step: Step) -> FeatureVector | None:
        hope, fear = (example.candidates.features(index) for index in (example.hope, example.fear))
        for vector in (hope, fear, example.candidates.difference(example.hope, example.fear)):
            for name, value in zip(vector.names(), vector.values.tolist(), strict=True):
                self.seen.setdefault(name, set()).add(value)
        return super().learn(example, step)


@pytest.mark.parametrize("hope_fear", ["nbest", "forest"])
@pytest.mark.parametrize("boolean", [False, True])
@pytest.mark.parametrize("frozen", [{"frozen": ("LM*", ARCS)}, {"freeze_dense": True}])
def test_updates_see_no_frozen_feature_whatever_the_candidates(
    hope_fear: str,
    boolean: bool,
    frozen: dict[str, Any],
    setup: ModelSetup,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Watched, "seen", {})
    options = {**frozen, "hope_fear": hope_fear, "boolean": boolean, "beam": 8, "epochs": 1}
    result = learned(setup, tmp_path / "run", update=Watched(c=1.0), **options)
    assert any(name.startswith("TargetBigram_") for name in Watched.seen)
    assert not any(is_frozen(name, frozen) for name in Watched.seen)
    assert ("LM0" in Watched.seen, "WordPenalty0" in Watched.seen) == (False, "frozen" in frozen)
    sparse = [values for name, values in Watched.seen.items() if name.startswith("TargetBigram_")]
    assert (set().union(*sparse) <= {-1.0, 0.0, 1.0}) == boolean
    check_frozen(setup, result, frozen)


@pytest.mark.slow
@pytest.mark.parametrize("flag", ["freeze_dense", "boolean"])
def test_mappers_take_the_same_features_for_dense(flag: str, setup: ModelSetup, tmp_path: Path) -> None:
    whole = learned(setup, tmp_path / "whole", **{flag: True})
    data = ("--source", setup.source, "--references", setup.references[0], "--shards", 2)
    lines, weights = run("stream", "lines", *data).stdout, tmp_path / "0.json"
    weights.write_text(json.dumps(start_of(setup)))
    options = (
        "--template",
        "target-bigrams",
        "--nbest",
        100,
        "--c",
        1.0,
        f"--{flag.replace('_', '-')}",
        "-q",
    )
    for number in (1, 2):
        found = run("stream", "map", setup.model, "--weights", weights, *options, stdin=lines)
        assert found.returncode == 0, found.stderr
        output = tmp_path / f"{number}"
        assert run("stream", "reduce", "--weights", weights, "-o", output, stdin=found.stdout).returncode == 0
        weights = output
    assert dict(WeightStore.open(weights).items()) == dict(WeightStore.open(whole.weights).items())


def test_dense_features_of_a_decoder_are_those_of_the_weights_that_it_is_to_use(small_model: Path) -> None:
    sentence = [Request("haus")], [Texts.of(["house"])]
    online = judged_model(open_decoder(small_model), *sentence, get_metric("bleu"), 5)
    assert ARCS not in online.system.dense
    online.system.use(WeightStore.of({**Model.open(small_model).weights, ARCS: 0.5}), [0])
    assert ARCS in online.system.dense


@pytest.fixture
def scored(tmp_path: Path) -> ModelSetup:
    """A model of Moses, whose pairs have the sparse scores dom_x, dom_y and free."""
    write_sparse_scores(tmp_path, 7)
    (tmp_path / "moses.ini").write_text(INI.format(features="", weights=""))
    import_model(tmp_path / "moses.ini", tmp_path / "model")
    lines = [" ".join(words) for words in itertools.permutations("abc")]
    (tmp_path / "source").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "target").write_text("".join(f"{line}\n" for line in ("X Y Z", "W X", "Z Z Y") * 2))
    return ModelSetup.of(tmp_path / "model", tmp_path / "source", [tmp_path / "target"])


def test_sparse_scores_of_phrase_tables_are_learned_beside_frozen_features(
    scored: ModelSetup, tmp_path: Path
) -> None:
    start = Model.open(scored.model).weights
    given: dict[str, Any] = {"start": start, "epochs": 1, "metric": "chrf"}
    result = learned(scored, tmp_path / "run", freeze_dense=True, frozen=("*_free",), **given)
    weights = WeightStore.open(result.weights)
    assert {name: weights[name] for name in start} == dict(start)
    assert {name for name in weights if name not in start} == {
        f"TranslationModel0_dom_{each}" for each in "xy"
    }
    assert any(weights[name] for name in weights if name not in start)


def test_what_is_known_of_phrase_tables_is_heeded_in_checks_of_patterns(
    scored: ModelSetup, tmp_path: Path
) -> None:
    hint = r"matches 'TranslationModel0_dom_'; did you mean '\w+_dom_[xy]'"
    with pytest.raises(OptionError, match=hint):
        learned(scored, tmp_path / "run", frozen=("TranslationModel0_dom_",), start=None)
    with pytest.raises(OptionError, match="all features are frozen: nothing is left to learn"):
        learned(scored, tmp_path / "run", freeze_dense=True, frozen=("TranslationModel0_*",), start=None)
    assert not (tmp_path / "run").exists()
    data = ("--source", scored.source, "--references", scored.references[0], "--shards", 1)
    lines, weights = run("stream", "lines", *data).stdout, scored.model / "weights.start.json"
    command = ("stream", "map", scored.model, "--weights", weights, "-q", "--metric", "chrf")
    assert run(*command, "--freeze-dense", "--freeze", "*_free", stdin=lines).returncode == 0
    refused = run(*command, "--freeze", "TranslationModel0_dom_", stdin=lines)
    assert refused.returncode == 2 and "did you mean" in refused.stderr

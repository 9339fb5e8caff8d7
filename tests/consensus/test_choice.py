"""Rules and scales, tried on held-out text, and the choice in a file of weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.rhyme import HYPOTHESES, REFERENCE, rhyme_forest

from tunesmith.candidates import Pool
from tunesmith.cli.consensus_options import ConsensusFlags
from tunesmith.cli.forest_consensus import run
from tunesmith.consensus import FastConsensus, MbrConsensus, recorded_consensus, try_consensus
from tunesmith.consensus.choice import ConsensusTrial, ConsensusTrials
from tunesmith.errors import InputError, OptionError
from tunesmith.forest import ForestPool
from tunesmith.forest.file import ForestWriter
from tunesmith.weights import Weights

WEIGHTS = {"TM": 1.0, "LM": 1.5}
SENTENCES = 8


def test_trials_are_those_of_lists_and_of_forests() -> None:
    features = [list(features.values()) for features in HYPOTHESES.values()]
    pool = Pool.from_arrays(
        np.array([features] * SENTENCES),
        names=["TM", "LM"],
        texts=[list(HYPOTHESES)] * SENTENCES,
        references=[REFERENCE] * SENTENCES,
    )
    forests = ForestPool.of([rhyme_forest()] * SENTENCES, [[REFERENCE] * SENTENCES])
    found = [
        try_consensus(data, WEIGHTS, rules=["mbr"], scales=[1.0, 100.0], trials=200)
        for data in (pool, forests)
    ]
    assert found[0] == found[1]
    middle, sharp = found[0].trials
    assert (middle.rule, middle.scale, sharp.scale) == ("mbr", 1.0, 100.0)
    assert sharp.score == found[0].viterbi < middle.score
    assert middle.p < 0.05 < sharp.p
    assert found[0].best() == middle
    assert found[0].best(level=0.0) is None
    with pytest.raises(InputError, match="no references"):
        try_consensus(ForestPool.of([rhyme_forest()], []), WEIGHTS)


def test_the_best_trial_must_beat_viterbi() -> None:
    worse, better = ConsensusTrial("mbr", None, 0.3, 0.01), ConsensusTrial("fast", 1.0, 0.5, 0.01)
    assert ConsensusTrials(0.4, (worse,), 1).best() is None
    assert ConsensusTrials(0.4, (worse, better), 1).best() == better
    assert ConsensusTrials(0.4, (worse, better), -1).best() == worse, "of an error rate"


def test_the_choice_is_recorded_and_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ForestWriter(tmp_path / "forests") as writer:
        for number in range(SENTENCES):
            writer.add(rhyme_forest(), str(number))
    (tmp_path / "references").write_text(f"{REFERENCE}\n" * SENTENCES)
    Weights(WEIGHTS).write(tmp_path / "w.json", method="mira")
    files = (tmp_path / "forests", [tmp_path / "references"], tmp_path / "w.json")
    chosen = tmp_path / "chosen.json"
    run(*files, chosen, rules="mbr", scales="default, 1")
    assert "chosen: mbr at " in capsys.readouterr().out
    written = Weights.read(chosen)
    assert (written, written.about["method"]) == (Weights(WEIGHTS), "mira")
    assert recorded_consensus(written)["rule"] == "mbr"
    run(*files, chosen, rules="mbr", scales="1")
    assert recorded_consensus(Weights.read(chosen)) == {"rule": "mbr", "scale": 1.0}
    assert ConsensusFlags(consensus=True).chosen(chosen) == MbrConsensus(scale=1.0)
    assert ConsensusFlags(consensus=True, scale=3.0).chosen(chosen) == MbrConsensus(scale=3.0)
    assert ConsensusFlags(consensus=True, rule="fast").chosen(chosen) == FastConsensus()
    assert ConsensusFlags().chosen(chosen) is None
    run(*files, chosen, rules="mbr", scales="100")
    assert "decode without --consensus" in capsys.readouterr().out
    assert recorded_consensus(Weights.read(chosen)) == {"rule": "viterbi", "scale": None}
    assert ConsensusFlags(consensus=True).chosen(chosen) is None
    assert "records how to choose translations: viterbi" in capsys.readouterr().err
    assert ConsensusFlags(consensus=True, rule="fast").chosen(chosen) == FastConsensus()
    with pytest.raises(OptionError, match=r"expected a name in \.json"):
        run(*files, tmp_path / "weights.txt")


@pytest.mark.parametrize("record", [["mbr"], {"rule": 1}, {"rule": "none"}, {"rule": "mbr", "scale": "2"}])
def test_a_damaged_record_is_an_error(record: object) -> None:
    with pytest.raises(InputError, match="consensus"):
        recorded_consensus(Weights(WEIGHTS, about={"consensus": record}))

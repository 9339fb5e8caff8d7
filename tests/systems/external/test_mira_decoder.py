"""Tunesmith's decoders as the other side of Mr. MIRA's protocol, driven by a learner in another process."""

from __future__ import annotations

import base64
import io
import random
import shlex
import struct
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.commands import run
from tests.decode.tiny import write_model
from tests.systems.external.toy_problem import features_of

from tunesmith.decode.opening import open_decoder
from tunesmith.errors import InputError
from tunesmith.forest.kbest import kbest_pool
from tunesmith.systems import CommandSystem, ProcessSystem
from tunesmith.systems.external.feature_bytes import decode_features, encode_features
from tunesmith.systems.external.mira_decoder import serve_mira
from tunesmith.systems.external.mira_lines import MiraCandidate
from tunesmith.weights import Weights

SENTENCES = ["a b c d", "d c b a a", "", "a unbekannt ||| b", "c"]
PROGRAM = shlex.join([sys.executable, "-m", "tunesmith"])


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("mira") / "tiny", seed=3)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "source").write_text("".join(f"{sentence}\n" for sentence in SENTENCES))
    return tmp_path / "source"


def some_weights(names, seed: int) -> Weights:
    draw = random.Random(seed)
    return Weights({name: draw.uniform(0.05, 1) for name in names})


@pytest.mark.process
def test_a_learner_gets_what_the_decoder_finds_under_its_weights(model, source):
    decoder = open_decoder(model)
    command = f"{PROGRAM} mira-decoder {shlex.quote(str(model))} --nbest 12"
    with ProcessSystem(command, source, start=decoder.weights) as system:
        for seed in (1, 2, 1):
            decoder.weights = some_weights(decoder.feature_names, seed)
            found = list(decoder.translate_all(SENTENCES, forest=True))
            expected = kbest_pool([each.forest for each in found], decoder.weights, 12, unique=True)
            pool = system.use(decoder.weights).nbest(12)
            assert pool.ids == expected.ids
            assert list(pool.texts) == [text.replace("|||", "&#124;&#124;&#124;") for text in expected.texts]
            scores = np.concatenate([each.scores for each in decoder.kbest_all(SENTENCES, 12)])
            assert pool.totals.tolist() == scores.tolist()
            assert pool.totals == pytest.approx(expected.totals, rel=1e-6)  # of 64-bit sums
            rows = range(pool.n_candidates)
            assert [features_of(pool, row) for row in rows] == [features_of(expected, row) for row in rows]
            best = [text.replace("&#124;", "|") for text in system.best()]
            assert best == [each.text for each in found]


@pytest.mark.process
def test_the_command_and_the_protocol_agree(model, source, tmp_path):
    start = open_decoder(model).weights
    name = shlex.quote(str(model))
    decode = (
        f"{PROGRAM} decode {name} --weights {{weights_json}} -i {{source}} -o {tmp_path}/out -q"
        " --nbest {size} --nbest-output {nbest} --unique"
    )
    by_command = CommandSystem(decode, source, start=start, scratch=tmp_path / "scratch")
    with ProcessSystem(f"{PROGRAM} mira-decoder {name}", source, start=start) as by_protocol:
        pools = [system.use(start).nbest(5) for system in (by_command, by_protocol)]
    assert list(pools[0].texts) == list(pools[1].texts)
    assert pools[0].ids == pools[1].ids


def serve(model: Path, *lines: str, weights=None, size: int = 3) -> list[str]:
    answers = io.BytesIO()
    serve_mira(open_decoder(model, weights), io.BytesIO("\n".join(lines).encode()), answers, size)
    return answers.getvalue().decode().splitlines()


def test_deltas_add_up(model):
    start = open_decoder(model).weights
    target = some_weights(start, 5)
    delta = encode_features({name: target[name] - value for name, value in start.items()})
    back = encode_features({name: value - target[name] for name, value in start.items()})
    lines = [
        f'<seg id="{4 + number}" delta="{each}"> a b c </seg>'
        for number, each in enumerate([delta, back, ""])
    ]
    answer = serve(model, *lines, size=1)
    candidates = [MiraCandidate.parse(line) for line in answer[1::2]]
    assert [(each.id, each.source_words) for each in candidates] == [("4", 3), ("5", 3), ("6", 3)]
    for candidate, weights in zip(candidates, (target, start, start), strict=True):
        expected = open_decoder(model, weights).translate("a b c")
        assert candidate.text == expected.text
        assert candidate.score == pytest.approx(expected.score, abs=1e-5)


def test_a_small_delta_that_a_peer_cut_changes_no_score(model):
    name = "LexicalReordering0_0"
    payload = name.encode() + b"\0" + struct.pack("<d", 1e-5)
    assert len(payload) % 3 == 2
    cut = base64.b64encode(payload).decode()[:-2] + "=="
    before, after = serve(model, "d c b a", f'<seg id="0" delta="{cut}"> d c b a </seg>', size=1)[1::2]
    assert name in MiraCandidate.parse(after).features
    assert after == before


def test_without_weights_all_are_zero_at_first(model):
    done = run("mira-decoder", model, "--nbest", 2, stdin='<seg id="0"> a b </seg>\n')
    count, *lines = done.stdout.splitlines()
    assert (count, [MiraCandidate.parse(line).score for line in lines]) == ("2", [0.0, 0.0])


def test_options_of_the_search_are_taken(model):
    line = '<seg id="0"> unbekannt </seg>\n'
    assert "unbekannt" in run("mira-decoder", model, stdin=line).stdout
    assert "unbekannt" not in run("mira-decoder", model, "--unknown-words", "drop", stdin=line).stdout


def test_sparse_weights_come_and_go_with_deltas(model):
    deltas = [{"LM0": 1.0}, {"PhraseLength_1x2": 5.0}, {"PhraseLength_1x2": -5.0}]
    lines = "".join(f'<seg id="0" delta="{encode_features(delta)}"> a c </seg>\n' for delta in deltas)
    done = run("mira-decoder", model, "--template", "phrase-length", "--nbest", 1, stdin=lines)
    before, sparse, after = (MiraCandidate.parse(line) for line in done.stdout.splitlines()[1::2])
    assert before == after
    count = sparse.features["PhraseLength_1x2"]
    assert count >= 1
    assert sparse.score == pytest.approx(5.0 * count + sparse.features["LM0"], abs=1e-4)


def test_a_line_that_cannot_be_answered_is_an_error_with_its_number(model):
    for line, message in [
        ('<seg id="1" delta="%">a</seg>', "line 2: expected features in base64"),
        (
            f'<seg id="1" delta="{encode_features({"LM": 1.0})}">a</seg>',
            "line 2: the weight 'LM' is of no feature",
        ),
        ("<seg id='1'>a", "line 2: expected <seg"),
    ]:
        with pytest.raises(InputError, match=message):
            serve(model, "a", line)
    with pytest.raises(InputError, match="line 1: not UTF-8"):
        serve_mira(open_decoder(model), io.BytesIO(b"\xff\n"), io.BytesIO(), 3)


def test_features_times_weights_are_the_score(model):
    weights = open_decoder(model).weights
    for line in serve(model, "a b c d", size=20)[1:]:
        candidate = MiraCandidate.parse(line)
        assert candidate.features == decode_features(encode_features(candidate.features))
        total = sum(weights[name] * value for name, value in candidate.features.items())
        assert total == pytest.approx(candidate.score, abs=1e-4)

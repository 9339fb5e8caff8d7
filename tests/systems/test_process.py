"""Decoders that speak Mr. MIRA's protocol: what they are told, what they may answer, how they may fail."""

from __future__ import annotations

import base64
import json
import random
import shlex
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.systems.external.toy_problem import START, Toy, write_toy

from tunesmith import _native
from tunesmith.errors import InputError, OptionError
from tunesmith.metrics import get_metric
from tunesmith.systems.external.feature_bytes import decode_features
from tunesmith.systems.process import ProcessSystem
from tunesmith.texts import Texts
from tunesmith.weights import Weights, WeightStore

JUDGED = get_metric("bleu"), (Texts.of(["w1 w2"]),)
OTHERS = Weights({"lm": -0.25, "tm_0": 1.5, "tm_1": 1e-7, "sparse_w1": 2.0})
LM = Weights({"lm": 1.0})
GOOD = "0 ||| 1 ||| a ||| bG0AAAAAAAAA8D8A ||| 1"  # lm=1


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    return write_toy(tmp_path)


def system_of(toy: Toy, rest: str = "", **options) -> ProcessSystem:
    options = {"start": START} | options
    return ProcessSystem(f"{toy.program} --mira {rest}", toy.source, **options)


def scripted(folder: Path, script: str, source: str = "a\n", start: Weights = LM) -> ProcessSystem:
    """A decoder that is a shell script."""
    (folder / "source").write_text(source, encoding="utf-8")
    return ProcessSystem(script, folder / "source", start=start)


def answering(*lines: str) -> str:
    """A script that answers each line by given ones."""
    said = " ".join(shlex.quote(line) for line in lines)
    return f"while read -r line; do printf '%s\\n' {said}; done"


def test_the_decoder_has_exactly_the_given_weights_whatever_it_had(toy):
    log, draw = toy.folder / "log", random.Random(1)
    with system_of(toy, f"--log {shlex.quote(str(log))}") as system:
        for _ in range(30):
            values = {name: draw.gauss(0, 1) * 10.0 ** draw.randint(-12, 12) for name in ("lm", "tm_0", "x")}
            weights = Weights({**values, f"sparse_{draw.randint(0, 3)}": draw.random()})
            system.use(weights).nbest(1)
            had = json.loads(log.read_text(encoding="utf-8").splitlines()[-1])["weights"]
            assert {name: value for name, value in had.items() if value} == dict(weights)
    records = [json.loads(line)["line"] for line in log.read_text(encoding="utf-8").splitlines()]
    assert len(records) < 30 * (len(toy.sentences) + 3)


def test_lists_and_best_translations_of_the_same_weights_are_asked_for_once(toy):
    log = toy.folder / "log"
    with system_of(toy, f"--log {shlex.quote(str(log))}") as system:
        system.use(START).nbest(5)
        system.use(START).best()
    assert len(log.read_text().splitlines()) == len(toy.sentences)


def test_a_line_of_the_learner_keeps_id_attributes_and_grammar_but_no_references(tmp_path):
    source = (
        '<seg id="7">das haus</seg>\tthe house|||a house'
        "\t[X] ||| das ||| the ||| a=1\t[X] ||| haus ||| house\n"
        '<seg grammar="g.gz" id="8"> ja </seg> ||| yes\n'
        "ein\tsatz\n"
        "<seg>ohne</seg>\t[X] ||| ohne ||| without\n"
    )
    log = tmp_path / "heard"
    script = f"while read -r line; do printf '%s\\n' \"$line\" >> {shlex.quote(str(log))}; echo 0; done"
    with pytest.raises(InputError, match="no translation of any"):
        scripted(tmp_path, script, source).use(LM).nbest(5)
    assert log.read_text().splitlines() == [
        '<seg id="7" delta="bG0AAAAAAAAA8D8A"> das haus </seg>'
        "\t[X] ||| das ||| the ||| a=1\t[X] ||| haus ||| house",
        '<seg id="8" delta="" grammar="g.gz"> ja </seg>',
        '<seg id="2" delta=""> ein satz </seg>',
        '<seg id="3" delta=""> ohne </seg>\t[X] ||| ohne ||| without',
    ]


def test_lists_are_named_by_lines_whatever_their_ids(tmp_path):
    script = answering("2", GOOD.replace("0", "9", 1), "9 ||| 1 |||  ||| ||| 0")
    with scripted(tmp_path, script, '<seg id="9">a</seg>\n') as system:
        pool = system.use(LM).nbest(5)
    assert (pool.ids, list(pool.texts), pool.totals.tolist()) == (("0",), ["a", ""], [1.0, 0.0])
    assert pool.features.to_dense().tolist() == [[1.0], [0.0]]


def test_a_text_may_hold_the_separator_and_repeated_texts_are_dropped(tmp_path):
    lines = [GOOD.replace(" a ", f" {text} ") for text in ("a ||| b", "a", "a", "größe", "c")]
    with scripted(tmp_path, answering("5", *lines)) as system:
        assert list(system.use(LM).nbest(3).texts) == ["a ||| b", "a", "größe"]


def test_blank_lines_that_fill_a_list_up_are_no_candidates(tmp_path):
    script = answering("4", GOOD, GOOD.replace(" a ", " b "), "", "")
    with scripted(tmp_path, script) as system:
        for weight in (1.0, 2.0):  # the lines after the list are read, not left for the next answer
            assert list(system.use(Weights({"lm": weight})).nbest(4).texts) == ["a", "b"]


def test_a_small_feature_that_a_peer_cut_is_what_explains_the_score(tmp_path):
    cut = base64.b64encode(b"ab\0" + struct.pack("<d", 1e-5)).decode()[:-2] + "=="
    script = answering("1", f"0 ||| 1 ||| a ||| {cut} ||| 2e-05")
    with scripted(tmp_path, script, start=Weights({"ab": 2.0})) as system:
        assert system.use(Weights({"ab": 2.0})).nbest(4).features.to_dense().tolist() == [[1e-5]]


def test_a_list_of_blank_lines_alone_is_a_sentence_without_candidates(tmp_path):
    script = f"{{ read -r line; printf '2\\n\\n\\n'; }}; {answering('2', GOOD.replace('0', '1', 1), '')}"
    with scripted(tmp_path, script, "a\nb\n") as system:
        assert system.use(LM).nbest(5).ids == ("1",)


def test_a_sentence_without_candidates_has_an_empty_translation(toy):
    lists = {sentence: toy.lists[sentence] for sentence in toy.sentences[1:]}
    (toy.folder / "lists.json").write_text(json.dumps(lists))
    with system_of(toy) as system:
        assert system.use(START).nbest(2).ids == tuple(str(n) for n in range(1, len(toy.sentences)))
        assert system.use(START).best()[0] == ""


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo no model >&2; exit 3", "it ended with exit code 3; it printed:\nno model"),
        ("no-such-decoder", "exit code 127.*no-such-decoder"),
        (
            "read -r line; kill -9 $$",
            "stopped writing before its answer was complete: it was killed by SIGKILL",
        ),
        (answering("hello"), "answered sentence 0 with 'hello'; expected the number of its candidates"),
        (answering("-1"), "answered sentence 0 with '-1'"),
        (answering(""), "answered sentence 0 with ''"),
        ("echo banner; cat", "banner"),
        (f"read -r line; printf '3\\n{GOOD}\\n'", "stopped writing before its answer was complete"),
        (answering("0", GOOD), r"(answered sentence 1 by|wrote) '0 \|\|\| 1"),
        (answering("1", GOOD.replace("0", "5", 1)), "the id '5' for candidate 1 of 1 of sentence 0"),
        (answering("1", "0 ||| 1 ||| a"), r"expected 'id \|\|\| words.*\(candidate 1 of 1 of sentence 0\)"),
        (answering("1", GOOD.replace("||| 1 |||", "||| x |||")), "number of source words, found 'x'"),
        (answering("1", GOOD[:-1] + "nan"), "the score is 'nan'"),
        (answering("1", GOOD.replace("bG0A", "%%%%")), "features in base64"),
        (answering("1", "0 ||| 1 ||| a ||| bG0AAAAAAAAA+H8A ||| 1"), "the feature 'lm' is nan"),
        (answering("1", GOOD.replace("bG0A", "dG0A")), "have the feature 'tm', but no start weight"),
        (r"while read -r line; do printf '1\n0 ||| 1 ||| \377 ||| ||| 1\n'; done", "not UTF-8: byte 0xff"),
    ],
)
def test_a_decoder_that_fails_says_where_and_how(tmp_path, script, message):
    system = scripted(tmp_path, script, "a\nb\n" if "sentence 1" in message else "a\n")
    with pytest.raises(InputError, match=f"(?s){message}"):
        system.use(LM).nbest(5)


def test_a_decoder_is_started_anew_after_an_error(tmp_path):
    flag = tmp_path / "flag"
    script = f"test -e {flag} || {{ touch {flag}; exit 1; }}; {answering('1', GOOD)}"
    with scripted(tmp_path, script) as system:
        with pytest.raises(InputError, match="exit code 1"):
            system.use(LM).nbest(5)
        assert list(system.use(LM).best()) == ["a"]


def test_a_decoder_that_ended_gets_all_weights_when_it_starts_again(tmp_path):
    log, flag = tmp_path / "heard", tmp_path / "flag"
    script = (
        f"while read -r line; do printf '%s\\n' \"$line\" >> {log};"
        f' test -e {flag} || case "$line" in *bad*) touch {flag}; exit 1;; esac;'
        ' id=${line#*id=\\"}; id=${id%%\\"*};'
        " printf '1\\n%s ||| 1 ||| a ||| bG0AAAAAAAAA8D8A ||| 1\\n' $id; done"
    )
    store = WeightStore.of({"lm": 0.5, "tm": 0.1})
    with scripted(tmp_path, script, "x\nbad\ny\n") as system:
        system.use(store)
        assert system.candidates(0, 5, *JUDGED) is not None
        with pytest.raises(InputError, match="exit code 1"):
            system.candidates(1, 5, *JUDGED)
        assert system.candidates(2, 5, *JUDGED) is not None
        assert system.candidates(2, 5, *JUDGED) is not None
    deltas = [
        decode_features(line.split('delta="')[1].split('"')[0]) for line in log.read_text().splitlines()
    ]
    assert deltas == [dict(store.items()), {}, dict(store.items()), {}]


def test_only_weights_that_changed_are_sent_after_the_first_sentence(toy):
    log = toy.folder / "log"
    with system_of(toy, f"--log {shlex.quote(str(log))}") as system:
        store = WeightStore.of(START)
        before = system.use(store).candidates(0, 5, *JUDGED)
        store.set(["tm_0"], [1.5])
        system.changed(_native.FeatureVector.of(["tm_0"], np.array([1.0])))
        after = system.candidates(0, 5, *JUDGED)
    assert before.scores.tolist() != after.scores.tolist()
    records = [json.loads(line)["line"] for line in log.read_text(encoding="utf-8").splitlines()]
    deltas = [decode_features(line.split('delta="')[1].split('"')[0]) for line in records]
    assert [sorted(delta) for delta in deltas] == [sorted(START), ["tm_0"]]
    assert system.use(store, [3, 1]).nbest(2).ids == ("0", "1")


def test_source_words_are_those_that_the_decoder_answers(tmp_path):
    with scripted(tmp_path, answering("1", GOOD), "((('a',1,1),('b',1,1),),)  as two words\n") as system:
        assert system.use(LM).source_words(0) == 4  # before it answered
        system.candidates(0, 5, *JUDGED)
        assert system.source_words(0) == 1


def test_long_lines_in_both_directions_do_not_block(tmp_path):
    # The decoder writes far more than a pipe holds before it reads, and the sentence is as long.
    long = "0 ||| 1 ||| " + "a " * 200_000 + "||| bG0AAAAAAAAA8D8A ||| 1"
    (tmp_path / "answer").write_text(f"1\n{long}\n")
    script = f"cat {shlex.quote(str(tmp_path / 'answer'))}; cat > /dev/null"
    with scripted(tmp_path, script, "wort " * 200_000 + "\n") as system:
        assert len(system.use(LM).nbest(5).texts[0].split()) == 200_000


SIGPIPE = """
import signal
from tunesmith.errors import InputError
from tunesmith.systems.process import ProcessSystem
from tunesmith.weights import Weights

signal.signal(signal.SIGPIPE, signal.SIG_DFL)
start = Weights({"lm": 1})
try:
    ProcessSystem("exec 0<&-; exit 4", "source", start=start).use(start).nbest(5)
except InputError as error:
    print(error)
"""


@pytest.mark.process
def test_a_decoder_that_does_not_read_is_an_error_even_where_broken_pipes_end_programs(tmp_path):
    (tmp_path / "source").write_text("wort " * 200_000 + "\n")
    words = [sys.executable, "-c", SIGPIPE]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "does not read its input: it ended with exit code 4" in done.stdout


@pytest.mark.parametrize("by", ["close", "with", "del"])
def test_the_decoder_ends_with_its_system(tmp_path, by):
    ended = tmp_path / "ended"
    system = scripted(tmp_path, f"{answering('1', GOOD)}; touch {ended}")
    system.use(LM).nbest(5)
    assert not ended.exists()
    if by == "close":
        system.close()
    elif by == "with":
        with system:
            pass
    else:
        del system
    assert ended.exists()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "there are no sentences"),
        ('<seg id="1">a</seg>\n<seg id="1">b</seg>\n', "source:2: duplicate id 1: line 1 has it too"),
        ('<seg id="x">a</seg>\n', "the id of the <seg> is 'x'; expected a whole number"),
        ('a\n<seg id="1">b\n', 'source:2: expected <seg id="1">text</seg>'),
        ('<seg id="1" delta="">b</seg>\n', "has a delta already"),
        ("a </seg> b\n", "contains </seg>"),
    ],
)
def test_a_source_that_cannot_be_sent_is_refused(tmp_path, source, message):
    with pytest.raises(InputError, match=message):
        scripted(tmp_path, "cat", source)


def test_options_that_cannot_work_are_refused(tmp_path):
    with pytest.raises(OptionError, match="empty"):
        scripted(tmp_path, " ")
    with pytest.raises(OptionError, match="standard input"):
        ProcessSystem("cat", "-", start=LM)
    with pytest.raises(OptionError, match="size must be at least 1"):
        scripted(tmp_path, "cat").use(LM).nbest(0)


def test_the_fingerprint_tells_all_but_the_values_of_weights(tmp_path):
    first = scripted(tmp_path, "cat").fingerprint
    assert first == scripted(tmp_path, "cat", start=Weights({"lm": 2.0})).fingerprint
    others = [("cat -",), ("cat", "a\n", START)]
    assert len({first, *(scripted(tmp_path, *other).fingerprint for other in others)}) == 3

"""Decoders that are commands: what they are told, what is made of their lists, and how they may fail."""

from __future__ import annotations

import gzip
import json
import os
import select
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.systems.external.toy_decoder import ranked
from tests.systems.external.toy_problem import START, Toy, features_of, tuned_in_rounds, write_toy

from tunesmith.errors import InputError, OptionError
from tunesmith.tuning.translators.command import CommandTranslator
from tunesmith.weights import Weights

OTHERS = Weights({"lm": -0.25, "tm_0": 1.5, "tm_1": 1e-7, "sparse_w1": 2.0})


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    return write_toy(tmp_path)


def command_of(toy: Toy, rest: str = "--weights {weights} --size {size}") -> str:
    return f"{toy.program} {rest}"


def translator_of(toy: Toy, command: str, **options) -> CommandTranslator:
    options = {"start": START, "scratch": toy.folder / "scratch"} | options
    return CommandTranslator(command, toy.source, **options)


def writing(toy: Toy, *lines: str) -> CommandTranslator:
    """A decoder that writes given lines, whatever it is told."""
    (toy.folder / "given").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return translator_of(toy, f"cat {shlex.quote(str(toy.folder / 'given'))} # {{weights}}")


@pytest.mark.process
@pytest.mark.parametrize(
    ("rest", "format_name"),
    [
        ("--weights {weights} --size {size}", None),
        ("--weights {weights} --size {size}", "cdec"),
        ("--weights {weights} --size {size} --style moses", "moses"),
        ("--weights {weights_json} --size {size} --input {source} --output {nbest}", None),
        ("--weights {weights} --size {size} --input {source} | gzip > {nbest}.gz", None),
        ("--weights {weights} --size 100 --input {source} --output {nbest}; echo done", None),
    ],
)
def test_lists_are_those_of_the_decoder_under_the_given_weights(toy, rest, format_name):
    translator = translator_of(toy, command_of(toy, rest), format=format_name)
    for weights in (START, OTHERS):
        pool = translator.nbest(weights, 7)
        assert pool.ids == tuple(map(str, range(len(toy.sentences))))
        for number, sentence in enumerate(toy.sentences):
            expected = [candidate for _, candidate in ranked(toy.lists[sentence], weights)[:7]]
            rows = range(pool.offsets[number], pool.offsets[number + 1])
            assert [pool.texts[row] for row in rows] == [candidate["text"] for candidate in expected]
            for row, candidate in zip(rows, expected, strict=True):
                assert features_of(pool, row) == candidate["features"]


def test_moses_gets_labels_and_sparse_weights_apart(toy):
    command = command_of(toy, "--weights {weights_moses} --size {size} # {weights_sparse}")
    translator_of(toy, command).nbest(OTHERS, 3)
    scratch = toy.folder / "scratch"
    assert (scratch / "weights.moses").read_text() == "lm= -0.25 tm= 1.5 1e-07\n"
    assert (scratch / "weights.sparse").read_text() == "sparse_w1 2.0\n"


def test_only_its_own_placeholders_are_filled(toy, monkeypatch):
    monkeypatch.chdir(toy.folder)
    script = 'awk \'{print} END {if (1) {print "{{weights}} {size} {other}" > "said"}}\''
    translator_of(toy, command_of(toy, f"--weights {{weights}} | {script}")).nbest(START, 4)
    assert (toy.folder / "said").read_text() == "{weights} 4 {other}\n"


def test_names_of_files_are_quoted_for_the_shell(tmp_path):
    folder = tmp_path / "it's a $HOME; folder"
    folder.mkdir()
    toy = write_toy(folder)
    rest = "--weights {weights} --size {size} --input {source} --output {nbest}"
    assert len(translator_of(toy, command_of(toy, rest)).nbest(START, 2)) == len(toy.sentences)


def test_a_compressed_source_reaches_standard_input_as_text(toy):
    packed = toy.folder / "source.gz"
    packed.write_bytes(gzip.compress(toy.source.read_bytes()))
    translator = CommandTranslator(command_of(toy), packed, start=START, scratch=toy.folder / "scratch")
    expected = translator_of(toy, command_of(toy)).translate(START)
    assert translator.translate(START) == expected


def test_the_command_runs_in_the_current_folder_with_a_relative_scratch(toy, monkeypatch):
    monkeypatch.chdir(toy.folder)
    command = f"pwd >&2; cd / && {command_of(toy)} --input {{source}}"
    translator = CommandTranslator(command, "source", start=START, scratch="scratch")
    translator.nbest(START, 2)
    assert (toy.folder / "scratch" / "log").read_text().splitlines()[0] == str(toy.folder)


def test_lists_and_best_translations_of_the_same_weights_cost_one_run(toy):
    runs = toy.folder / "runs"
    translator = translator_of(toy, f"echo run >> {shlex.quote(str(runs))}; {command_of(toy)}")
    translator.nbest(START, 5)
    translator.translate(START)
    translator.nbest(Weights(dict(START)), 5)
    assert runs.read_text() == "run\n"
    translator.translate(OTHERS)
    translator.nbest(START, 5)
    assert runs.read_text() == "run\n" * 3


def test_repeated_texts_are_dropped_before_lists_are_cut(toy):
    lines = [f"0 ||| {text} ||| lm={number} ||| 1" for number, text in enumerate("aabc", 1)]
    pool = writing(toy, *lines).nbest(START, 2)
    assert (list(pool.texts), pool.features.values.tolist()) == (["a", "b"], [1.0, 3.0])


def test_sentences_without_a_list_have_an_empty_translation(toy):
    translator = writing(toy, "3 ||| c ||| lm=1 ||| 1", "1 ||| a ||| lm=1 ||| 1", "1 ||| ||| lm=2 ||| 1")
    assert translator.nbest(START, 5).ids == ("1", "3")
    assert list(translator.translate(START)) == ["", "a", "", "c", *[""] * (len(toy.sentences) - 4)]


def test_every_start_weight_has_a_column_though_its_feature_is_always_zero(toy):
    pool = writing(toy, "0 ||| a ||| lm=1 ||| 1").nbest(START, 5)
    assert pool.feature_names == ("lm", "tm_0", "tm_1")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["0 ||| a ||| lm=nan ||| 1"], "nbest:1: .*nan"),
        (["0 ||| a ||| lm=1 ||| 1", "15 ||| a ||| lm=1 ||| 1"], "sentence '15'; expected ids from 0 to 14"),
        (
            ["0 ||| a ||| lm=1 wp=2 ||| 1"],
            "all candidates .* have the feature 'wp', but no start",
        ),
        (["0 ||| a ||| lm1=1 ||| 1", "0 ||| b ||| ||| 1"], "none of the features that have weights"),
        (["no list at all"], "cannot detect the format"),
        (["0 ||| a ||| lm=1 ||| 1", "broken"], "nbest:2: "),
        ([], "the decoder exited with code 0 but wrote no list; it printed nothing"),
    ],
)
def test_lists_that_cannot_be_right_are_refused(toy, lines, message):
    with pytest.raises(InputError, match=message):
        writing(toy, *lines).nbest(START, 5)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("echo no model >&2; exit 3", "ended with exit code 3; its command is .*no model"),
        ("no-such-decoder -w {weights}", r"ended with exit code 127.*no-such-decoder"),
        ("kill -9 $$", "was killed by SIGKILL"),
        ("sh -c 'kill -15 $$'; exit $?", r"ended with exit code 143 \(128 \+ SIGTERM\)"),
        ("true > {nbest}", "wrote no list"),
        ("echo out of memory", "out of memory"),
        ("touch {nbest} {nbest}.gz", "wrote 2 files of lists, nbest, nbest.gz; expected one"),
        ("echo cut | gzip | head -c 12 > {nbest}.gz", "truncated compressed file"),
        (r"printf '0 ||| \377 ||| lm=1 ||| 1\n'", "UTF-8"),
    ],
)
def test_a_command_that_fails_says_how(toy, command, message):
    with pytest.raises(InputError, match=f"(?s){message}"):
        translator_of(toy, command + " # {weights}").nbest(START, 5)


def test_an_error_tells_the_end_of_what_the_command_said(toy):
    command = "seq 100000 >&2; echo at last >&2; exit 1 # {weights}"
    with pytest.raises(InputError, match=r"(?s)100000\nat last$") as caught:
        translator_of(toy, command).nbest(START, 5)
    assert len(str(caught.value)) < 3000
    assert (toy.folder / "scratch" / "log").read_text().startswith("1\n2\n")


def test_what_cannot_work_is_refused_before_anything_runs(toy, tmp_path):
    with pytest.raises(OptionError, match=r"takes no weights.*\{weights\}, \{weights_json\}"):
        translator_of(toy, "decoder {{weights}} {weight}")
    with pytest.raises(OptionError, match="format"):
        translator_of(toy, command_of(toy), format="mosses")
    for name, content, message in [("none", b"", "no sentences"), ("bad", b"a\n\xff\n", "bad:2: not UTF-8")]:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match=message):
            CommandTranslator("{weights}", tmp_path / name, start=START, scratch=tmp_path)
    with pytest.raises(InputError, match="no such file"):
        CommandTranslator("{weights}", tmp_path / "absent", start=START, scratch=tmp_path)
    with pytest.raises(OptionError, match="standard input"):
        CommandTranslator("{weights}", "-", start=START, scratch=tmp_path)
    with pytest.raises(OptionError, match="size must be at least 1"):
        translator_of(toy, command_of(toy)).nbest(START, 0)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write"):
        translator_of(toy, command_of(toy), scratch=tmp_path / "file").nbest(START, 5)


def test_a_name_that_no_line_can_hold_needs_json(toy):
    strange = Weights({**START, "a b": 1.0})
    with pytest.raises(InputError, match="cannot contain the feature name"):
        translator_of(toy, command_of(toy)).nbest(strange, 5)
    translator_of(toy, command_of(toy, "--weights {weights_json}")).nbest(strange, 5)


def test_the_fingerprint_tells_all_but_the_values_of_weights(toy):
    def fingerprint(command: str = "{weights}", **options) -> str:
        return translator_of(toy, command, **options).fingerprint

    first = fingerprint()
    assert first == fingerprint(start=Weights(dict.fromkeys(START, 7.0)), scratch=toy.folder / "other")
    others = [fingerprint("x {weights}"), fingerprint(start=Weights({"lm": 1.0})), fingerprint(format="cdec")]
    assert len({first, *others}) == 4


def test_three_rounds_of_tuning_improve_bleu(toy):
    scores = tuned_in_rounds(toy, translator_of(toy, command_of(toy)))
    assert scores[-1] > scores[0] + 0.1


INTERRUPTED = """
import sys
from tunesmith.tuning.translators.command import CommandTranslator
from tunesmith.weights import Weights

start = Weights({"lm": 1})
CommandTranslator(sys.argv[1], "source", start=start, scratch="scratch").nbest(start, 5)
"""


@pytest.mark.process
@pytest.mark.parametrize("stubborn", [False, True])
def test_ctrl_c_ends_all_that_the_command_started(toy, stubborn):
    for name in ("alive", "never"):
        os.mkfifo(toy.folder / name)
    # All of the pipeline holds `alive` open, and waits for `never`, which nobody writes.
    ignore = "trap '' TERM;" if stubborn else ""
    command = f"{ignore} exec > alive; echo begun; (cat never | cat); cat never # {{weights}}"
    words = [sys.executable, "-c", INTERRUPTED, command]
    with subprocess.Popen(words, cwd=toy.folder, stderr=subprocess.PIPE) as process:
        with (toy.folder / "alive").open("rb", buffering=0) as alive:
            assert alive.readline() == b"begun\n"
            process.send_signal(signal.SIGINT)
            assert select.select([alive], [], [], 20)[0]
            assert alive.read() == b""  # the end: nobody is left to write
        process.communicate(timeout=10)
    assert process.returncode == -signal.SIGINT


def test_json_lists_may_bring_scores_and_lose_their_references(toy):
    candidate = {"text": "a", "features": {"lm": 1.0}, "scores": {"q": 1}}
    pool = writing(toy, json.dumps({"id": 2, "references": ["r"], "hypotheses": [candidate]})).nbest(START, 5)
    assert (pool.ids, pool.references, dict(pool.scores)["q"].tolist()) == (("2",), (), [1.0])


def test_each_run_writes_to_a_place_of_its_own(toy):
    """So that a decoder which outlived a killed run cannot overwrite the lists of the next one."""
    places = toy.folder / "places"
    rest = f"--weights {{weights}} --size {{size}} > {{nbest}}; echo {{nbest}} >> {shlex.quote(str(places))}"
    translator = translator_of(toy, command_of(toy, rest))
    translator.nbest(START, 3)
    translator.nbest(OTHERS, 3)
    first, second = places.read_text().splitlines()
    assert first != second
    assert not list((toy.folder / "scratch").glob("lists*"))

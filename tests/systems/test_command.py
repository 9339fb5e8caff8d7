"""Decoders that are commands: what they are told, what is made of their lists, and how they may fail."""

from __future__ import annotations

import gzip
import json
import shlex
from pathlib import Path

import pytest
from tests.systems.external.toy_decoder import ranked
from tests.systems.external.toy_problem import START, Toy, write_toy

from tunesmith.errors import InputError, OptionError
from tunesmith.metrics import get_metric
from tunesmith.systems.command import CommandSystem
from tunesmith.texts import Texts
from tunesmith.weights import Weights, WeightStore

JUDGED = get_metric("bleu"), (Texts.of(["w1 w2"]),)
OTHERS = Weights({"lm": -0.25, "tm_0": 1.5, "tm_1": 1e-7, "sparse_w1": 2.0})


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    return write_toy(tmp_path)


def command_of(toy: Toy, rest: str = "--weights {weights} --size {size}") -> str:
    return f"{toy.program} {rest}"


def system_of(toy: Toy, command: str, **options) -> CommandSystem:
    options = {"start": START, "scratch": toy.folder / "scratch"} | options
    return CommandSystem(command, toy.source, **options)


def writing(toy: Toy, *lines: str) -> CommandSystem:
    """A decoder that writes given lines, whatever it is told."""
    (toy.folder / "given").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return system_of(toy, f"cat {shlex.quote(str(toy.folder / 'given'))} # {{weights}}")


def test_moses_gets_labels_and_sparse_weights_apart(toy):
    command = command_of(toy, "--weights {weights_moses} --size {size} # {weights_sparse}")
    system_of(toy, command).use(OTHERS).nbest(3)
    scratch = toy.folder / "scratch"
    assert (scratch / "weights.moses").read_text() == "lm= -0.25 tm= 1.5 1e-07\n"
    assert (scratch / "weights.sparse").read_text() == "sparse_w1 2.0\n"


def test_only_its_own_placeholders_are_filled(toy, monkeypatch):
    monkeypatch.chdir(toy.folder)
    script = 'awk \'{print} END {if (1) {print "{{weights}} {size} {other}" > "said"}}\''
    system_of(toy, command_of(toy, f"--weights {{weights}} | {script}")).use(START).nbest(4)
    assert (toy.folder / "said").read_text() == "{weights} 4 {other}\n"


def test_names_of_files_are_quoted_for_the_shell(tmp_path):
    folder = tmp_path / "it's a $HOME; folder"
    folder.mkdir()
    toy = write_toy(folder)
    rest = "--weights {weights} --size {size} --input {source} --output {nbest}"
    assert len(system_of(toy, command_of(toy, rest)).use(START).nbest(2)) == len(toy.sentences)


def test_a_compressed_source_reaches_standard_input_as_text(toy):
    packed = toy.folder / "source.gz"
    packed.write_bytes(gzip.compress(toy.source.read_bytes()))
    system = CommandSystem(command_of(toy), packed, start=START, scratch=toy.folder / "scratch")
    expected = system_of(toy, command_of(toy)).use(START).best()
    assert system.use(START).best() == expected


def test_the_command_runs_in_the_current_folder_with_a_relative_scratch(toy, monkeypatch):
    monkeypatch.chdir(toy.folder)
    command = f"pwd >&2; cd / && {command_of(toy)} --input {{source}}"
    system = CommandSystem(command, "source", start=START, scratch="scratch")
    system.use(START).nbest(2)
    assert (toy.folder / "scratch" / "log").read_text().splitlines()[0] == str(toy.folder)


def test_lists_and_best_translations_of_the_same_weights_cost_one_run(toy):
    runs = toy.folder / "runs"
    system = system_of(toy, f"echo run >> {shlex.quote(str(runs))}; {command_of(toy)}")
    system.use(START).nbest(5)
    system.use(START).best()
    system.use(Weights(dict(START))).nbest(5)
    assert runs.read_text() == "run\n"
    system.use(OTHERS).best()
    system.use(START).nbest(5)
    assert runs.read_text() == "run\n" * 3


def test_repeated_texts_are_dropped_before_lists_are_cut(toy):
    lines = [f"0 ||| {text} ||| lm={number} ||| 1" for number, text in enumerate("aabc", 1)]
    pool = writing(toy, *lines).use(START).nbest(2)
    assert (list(pool.texts), pool.features.values.tolist()) == (["a", "b"], [1.0, 3.0])


def test_sentences_without_a_list_have_an_empty_translation(toy):
    system = writing(toy, "3 ||| c ||| lm=1 ||| 1", "1 ||| a ||| lm=1 ||| 1", "1 ||| ||| lm=2 ||| 1")
    assert system.use(START).nbest(5).ids == ("1", "3")
    assert list(system.use(START).best()) == ["", "a", "", "c", *[""] * (len(toy.sentences) - 4)]


def test_every_start_weight_has_a_column_though_its_feature_is_always_zero(toy):
    pool = writing(toy, "0 ||| a ||| lm=1 ||| 1").use(START).nbest(5)
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
        writing(toy, *lines).use(START).nbest(5)


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
        system_of(toy, command + " # {weights}").use(START).nbest(5)


def test_an_error_tells_the_end_of_what_the_command_said(toy):
    command = "seq 100000 >&2; echo at last >&2; exit 1 # {weights}"
    with pytest.raises(InputError, match=r"(?s)100000\nat last$") as caught:
        system_of(toy, command).use(START).nbest(5)
    assert len(str(caught.value)) < 3000
    assert (toy.folder / "scratch" / "log").read_text().startswith("1\n2\n")


def test_what_cannot_work_is_refused_before_anything_runs(toy, tmp_path):
    with pytest.raises(OptionError, match=r"takes no weights.*\{weights\}, \{weights_json\}"):
        system_of(toy, "decoder {{weights}} {weight}")
    with pytest.raises(OptionError, match="format"):
        system_of(toy, command_of(toy), format="mosses")
    for name, content, message in [("none", b"", "no sentences"), ("bad", b"a\n\xff\n", "bad:2: not UTF-8")]:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match=message):
            CommandSystem("{weights}", tmp_path / name, start=START, scratch=tmp_path)
    with pytest.raises(InputError, match="no such file"):
        CommandSystem("{weights}", tmp_path / "absent", start=START, scratch=tmp_path)
    with pytest.raises(OptionError, match="standard input"):
        CommandSystem("{weights}", "-", start=START, scratch=tmp_path)
    with pytest.raises(OptionError, match="size must be at least 1"):
        system_of(toy, command_of(toy)).use(START).nbest(0)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write"):
        system_of(toy, command_of(toy), scratch=tmp_path / "file").use(START).nbest(5)


def test_a_name_that_no_line_can_hold_needs_json(toy):
    strange = Weights({**START, "a b": 1.0})
    with pytest.raises(InputError, match="cannot contain the feature name"):
        system_of(toy, command_of(toy)).use(strange).nbest(5)
    system_of(toy, command_of(toy, "--weights {weights_json}")).use(strange).nbest(5)


def test_the_fingerprint_tells_all_but_the_values_of_weights(toy):
    def fingerprint(command: str = "{weights}", **options) -> str:
        return system_of(toy, command, **options).fingerprint

    first = fingerprint()
    assert first == fingerprint(start=Weights(dict.fromkeys(START, 7.0)), scratch=toy.folder / "other")
    others = [fingerprint("x {weights}"), fingerprint(start=Weights({"lm": 1.0})), fingerprint(format="cdec")]
    assert len({first, *others}) == 4


def test_source_words_are_those_within_tags_and_the_columns_of_lattices(tmp_path):
    lines = [
        "das haus ist",
        '<seg id="1" grammar="file">das haus</seg>',
        "((('das',0.5,1),('ein',0.5,1),),(('haus',1,1),),)",
        "<seg>text without an end",
        '<seg id="4">das haus</seg>\tthe house in a reference',
    ]
    (tmp_path / "source").write_text("".join(f"{line}\n" for line in lines))
    with CommandSystem("cat {weights}", tmp_path / "source", start=START) as system:
        assert [system.source_words(number) for number in range(5)] == [3, 2, 2, 4, 2]


def test_some_sentences_are_translated_by_one_run_and_their_lists_follow_a_store(toy):
    runs = toy.folder / "runs"
    store, chosen = WeightStore.of(START), [7, 2, 11]
    command = f"echo run >> {shlex.quote(str(runs))}; {command_of(toy)}"
    with system_of(toy, command, scratch=None) as system:
        system.use(store, chosen)
        found = {number: system.candidates(number, 5, *JUDGED) for number in chosen}
        assert (runs.read_text(), system.candidates(3, 5, *JUDGED)) == ("run\n", None)
        for number, listed in found.items():
            scores = [score for score, _ in ranked(toy.lists[toy.sentences[number]], START)[:5]]
            assert listed.scores.tolist() == pytest.approx(scores)
        store.set(["lm"], [-1.0])
        assert system.candidates(7, 5, *JUDGED).scores.tolist() != found[7].scores.tolist()
        assert len(system.use(store, chosen).best()) == 3
        assert runs.read_text() == "run\n" * 2


def test_json_lists_may_bring_scores_and_lose_their_references(toy):
    candidate = {"text": "a", "features": {"lm": 1.0}, "scores": {"q": 1}}
    pool = (
        writing(toy, json.dumps({"id": 2, "references": ["r"], "hypotheses": [candidate]}))
        .use(START)
        .nbest(5)
    )
    assert (pool.ids, pool.references, dict(pool.scores)["q"].tolist()) == (("2",), (), [1.0])


def test_each_run_writes_to_a_place_of_its_own(toy):
    """So that a decoder which outlived a killed run cannot overwrite the lists of the next one."""
    places = toy.folder / "places"
    rest = f"--weights {{weights}} --size {{size}} > {{nbest}}; echo {{nbest}} >> {shlex.quote(str(places))}"
    system = system_of(toy, command_of(toy, rest))
    system.use(START).nbest(3)
    system.use(OTHERS).nbest(3)
    first, second = places.read_text().splitlines()
    assert first != second
    assert not list((toy.folder / "scratch").glob("lists*"))

"""`tunesmith mbr`: minimum Bayes risk over candidate lists, under the name that people look for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sacrebleu
from tests.commands import run

LISTS = [
    ["the cat sat on the mat", "a cat sat on the mat", "the cat is sitting", "dogs bark at night"],
    ["once on a rhyme", "once upon a rhyme", "once upon a time"],
    ["yes"],
]


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    path = tmp_path / "samples.jsonl"
    lines = [
        {
            "id": str(number),
            "hypotheses": [
                {"text": text, "features": {"logprob": -float(rank)}} for rank, text in enumerate(texts)
            ],
        }
        for number, texts in enumerate(LISTS)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_unknown_keys_are_dropped_on_request(samples: Path) -> None:
    path = samples.with_name("extra.jsonl")
    lines = [json.loads(line) | {"model": "nmt"} for line in samples.read_text().splitlines()]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert run("mbr", "--candidates", path).returncode == 1
    done = run("mbr", "--candidates", path, "--extra-keys", "drop")
    assert done.stdout == run("mbr", "--candidates", samples).stdout != ""


def test_without_weights_samples_count_equally(samples: Path) -> None:
    done = run("mbr", "--candidates", samples, "--metric", "chrf")
    assert done.returncode == 0, done.stderr
    chrf = sacrebleu.CHRF()
    expected = [
        max(texts, key=lambda one: sum(chrf.sentence_score(one, [other]).score for other in texts))
        for texts in LISTS
    ]
    assert done.stdout.splitlines() == expected


def test_it_is_the_rule_of_rerank(samples: Path) -> None:
    weights = ("--weight", "logprob=1")
    for own, same in (
        ((), ()),
        (("--scale", 2), ("--consensus-scale", 2)),
        (("--size", 2, "--evidence", 1), ("--consensus-size", 2, "--consensus-option", "evidence=1")),
    ):
        found = run("mbr", "--candidates", samples, *weights, *own, "--json")
        consensus = ("--consensus", "--consensus-rule", "mbr", "--consensus-metric", "bleu", *same)
        expected = run("rerank", "--candidates", samples, *weights, *consensus, "--json")
        assert found.returncode == 0, found.stderr
        assert found.stdout == expected.stdout


def test_a_scale_without_weights_is_refused(samples: Path) -> None:
    done = run("mbr", "--candidates", samples, "--scale", 1)
    assert (done.returncode, done.stderr) == (2, "error: --scale 1 needs --weights or --weight\n")


def test_a_limit_says_what_it_leaves_out(samples: Path) -> None:
    done = run("mbr", "--candidates", samples, "--size", 2)
    assert "--size is 2: in 2 of 3 lists the other candidates are left out, 3 of 8" in done.stderr
    assert run("mbr", "--candidates", samples).stderr == ""
    done = run(
        "rerank", "--candidates", samples, "--consensus", "--consensus-scale", 0, "--consensus-size", 2
    )
    assert "--consensus-size is 2" in done.stderr


@pytest.mark.parametrize("command", [("mbr",), ("rerank", "--consensus", "--consensus-scale", 0)])
def test_several_files_are_joined_list_by_list(samples: Path, command: tuple[object, ...]) -> None:
    words = (*command[:1], "--candidates", "a.jsonl", "--candidates", "b.jsonl", *command[1:])
    whole = [json.loads(line) for line in samples.read_text().splitlines()]
    for name, part in (("a.jsonl", slice(0, 1)), ("b.jsonl", slice(1, None))):
        lists = [line | {"hypotheses": line["hypotheses"][part] or line["hypotheses"]} for line in whole]
        samples.with_name(name).write_text("".join(json.dumps(line) + "\n" for line in lists))
    done = run(*words, folder=samples.parent)
    assert "1 of 9 candidates equal an earlier one" in done.stderr
    assert "--duplicates 'drop' reads each once" in done.stderr
    expected = run(*command, "--candidates", samples).stdout
    assert done.stdout == expected
    assert run(*words, "--duplicates", "keep", folder=samples.parent).stderr == ""


def test_flat_samples_need_no_feature(tmp_path: Path) -> None:
    (tmp_path / "samples.txt").write_text("the cat sat\nthe cat is\nthe cat sat\nyes\nno\nyes\n")
    words = ("--candidates", "samples.txt", "--format", "flat")
    done = run("mbr", *words, "--list-size", 3, folder=tmp_path)
    assert (done.stdout, done.stderr) == ("the cat sat\nyes\n", "")
    done = run("mbr", *words, folder=tmp_path)
    assert done.returncode == 2
    assert "needs --list-size, the number of candidates per list, or --feature" in done.stderr

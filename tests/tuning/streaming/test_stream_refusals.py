"""Lines, weights and options that do not belong together are refused by `tunesmith stream`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run

from tunesmith.build import Build
from tunesmith.errors import InputError, OptionError
from tunesmith.metrics import get_metric
from tunesmith.tuning.online.learner import LearnerOptions
from tunesmith.tuning.online.mixing import MixingOptions
from tunesmith.tuning.online.tune import digest_of
from tunesmith.tuning.online.updates.base import UPDATES
from tunesmith.tuning.streaming.continuing import check_continued, continues, learning_record
from tunesmith.tuning.streaming.lines import StreamLine, read_shards
from tunesmith.tuning.streaming.reading import decoded_lines
from tunesmith.tuning.streaming.records import ShardRecord, shard_lines
from tunesmith.tuning.streaming.reducer import reduce_lines
from tunesmith.weights import WeightStore

LEARNING = learning_record(
    "online passive-aggressive", get_metric("bleu"), 1, UPDATES["passive-aggressive"](), LearnerOptions()
)
BUILD = Build.running().record()
ABOUT: dict[str, Any] = {
    **LEARNING,
    "shards": 3,
    "iteration": 1,
    "documents": [[1.0], [1.0], [1.0]],
    "dense": ["a"],
    "build": BUILD,
}


def check(about: dict[str, Any], update: str = "passive-aggressive", **given: Any) -> None:
    check_continued(about, LEARNING, 3, UPDATES[update](), width=0, path="w", **({"start": None} | given))


def line(shard: int = 0, **fields: Any) -> str:
    known = {"sentence": 0, "shards": 2, "size": 1, "fold": -1, "source": "a", "references": ("b",)}
    return StreamLine(shard=shard, **(known | fields)).text()


@pytest.fixture
def start(tmp_path: Path) -> Path:
    WeightStore.of({"a": 1.0}).save(tmp_path / "start")
    return tmp_path / "start"


def learned(start: Path, shard: int, **fields: Any) -> list[str]:
    """The lines of a shard, of 2, with weights."""
    known = {"shard": shard, "shards": 2, "size": 1, "iteration": 1, "sentences": 1, "updates": 1}
    known |= {"skipped": 0, "failed": 0, "loss": 0.5, "document": [1.0], "dense": ["a"], "build": BUILD}
    digest = digest_of(WeightStore.open(start))
    return list(shard_lines(ShardRecord(**(known | {"start": digest, "about": LEARNING} | fields)), start))


def test_weights_continue_only_with_the_shards_and_options_they_were_learned_with() -> None:
    check(ABOUT)
    assert continues(ABOUT) and not continues({"iteration": 5, "shards": 9})  # as `tune online` writes
    for shards in (2, 5):
        with pytest.raises(InputError, match=f"^w: was made with {shards} shards, but the lines with 3; use"):
            check(ABOUT | {"shards": shards, "documents": [[1.0]] * shards})
    for other in ({"frozen": ["LM*"]}, {"freeze_dense": True}):
        with pytest.raises(InputError, match=f"was learned with the {next(iter(other))} .*; give all epochs"):
            check(ABOUT | {"learner": LEARNING["learner"] | other})
    for same in ({"adaptive": 0.5, "rates_start": 0.0}, {"frozen": []}):
        check(ABOUT | {"learner": LEARNING["learner"] | same})
    documents = ({"document": "kbmira"}, {"document_decay": 0.95}, {"keep_document": False})
    for other in ({"seed": 2}, {"metric": "ter"}, {"method": "online perceptron"}, *documents):
        with pytest.raises(InputError, match=f"was learned with the {next(iter(other))} "):
            check(ABOUT | other)
    for documents in (
        [1.0, 2.0, 3.0],
        [[1.0], [1.0], [1.0, 2.0]],
        [[1.0], [1.0], [math.nan]],
        [[1.0], [], [1.0]],
    ):
        with pytest.raises(InputError, match=r"^w: the record of the epoch is damaged; reduce it again"):
            check(ABOUT | {"documents": documents})
    iterations = ({"iteration": each} for each in (0, -3, 2**70, "1"))
    for wrong in (*iterations, {"dense": "a"}, {"dense": [1]}, {"learner": 1}):
        with pytest.raises(InputError, match=r"^w: the record of the epoch is damaged; reduce it again"):
            check(ABOUT | wrong)
    check({name: value for name, value in ABOUT.items() if name != "document"})  # of an earlier version
    for name, given in (("frozen", ("LM*",)), ("freeze_dense", True)):
        others = {key: value for key, value in LEARNING["learner"].items() if key != name}
        earlier = ABOUT | {"learner": others}
        check(earlier)
        now = LEARNING | {"learner": LEARNING["learner"] | {name: given}}
        with pytest.raises(InputError, match=f"was learned with the {name} "):
            check_continued(earlier, now, 3, UPDATES["perceptron"](), width=0, path="w", start=None)


def test_an_update_that_stays_near_the_first_weights_needs_them_from_the_second_iteration_on() -> None:
    with pytest.raises(OptionError, match="start is needed from the second epoch on"):
        check(ABOUT, "rampion")
    check(ABOUT, "rampion", start="w.0")


def test_shards_that_were_learned_differently_are_not_mixed(start: Path) -> None:
    first = learned(start, 0)
    assert reduce_lines([*first, *learned(start, 1)], start, MixingOptions()).about["shards"] == 2
    for other, named in (
        ({"iteration": 2}, "the epoch"),
        ({"about": LEARNING | {"seed": 2}}, "what they were learned with"),
        ({"about": LEARNING | {"learner": {"nbest": 9}}}, "what they were learned with"),
        ({"dense": ["b"]}, "dense features"),
    ):
        with pytest.raises(InputError, match=f"shards 0 and 1 differ in {named}; give all mappers"):
            reduce_lines([*first, *learned(start, 1, **other)], start, MixingOptions())
    for wrong in ({"size": "1"}, {"document": 1.0}, {"dense": [1]}, {"about": []}):
        with pytest.raises(InputError, match=r"^standard input:1: the record of shard 0 is damaged: "):
            reduce_lines(learned(start, 0, **wrong), start, MixingOptions())


def test_shards_and_weights_of_another_build_are_refused(start: Path) -> None:
    other = BUILD | {"version": "0.2.0", "package": "f" * 32}
    with pytest.raises(InputError) as caught:
        reduce_lines([*learned(start, 0), *learned(start, 1, build=other)], start, MixingOptions())
    found = str(caught.value)
    assert found.startswith(f"standard input:3: this reducer has Tunesmith {BUILD['version']} (")
    assert "but the mapper of shard 1 Tunesmith 0.2.0 (" in found and "Python files (" in found
    record = reduce_lines([*learned(start, 0), *learned(start, 1)], start, MixingOptions()).about
    assert record["build"] == BUILD
    check(ABOUT | {"build": BUILD | {"version": "0.2.0"}})  # the same sources
    for wrong in (other, None, {"version": "0.2.0"}):
        with pytest.raises(InputError, match=r"^w: this mapper has .* the reducer that wrote the weights"):
            check(ABOUT | {"build": wrong})
    first = learned(start, 0)
    record_of_none = first[0].replace('"build"', '"built"')
    with pytest.raises(InputError, match="found the unknown field 'built'"):
        reduce_lines([record_of_none, *first[1:]], start, MixingOptions())


def test_lines_of_two_shardings_and_texts_with_line_ends_are_refused() -> None:
    assert [len(shard) for shard in read_shards([line(0), line(1)])] == [1, 1]
    with pytest.raises(InputError, match="some lines are of 2 shards, others of 3"):
        list(read_shards([line(0), line(1, shards=3)]))
    for wrong in ({"source": "a\nb"}, {"references": ("a", "b\n")}):
        with pytest.raises(InputError, match=r"standard input:4: expected .* texts without line ends"):
            StreamLine.parse(line(**wrong), 4)


def test_bytes_that_are_not_utf8_are_named_by_their_line() -> None:
    assert list(decoded_lines([b"a\x85\n".decode("latin-1").encode(), b"b"])) == ["a\x85\n", "b"]
    with pytest.raises(InputError, match=r"^standard input:2: not UTF-8: byte 0xff at column 2"):
        list(decoded_lines([b"a\n", b"b\xff\n"]))


def test_commands_refuse_bad_bytes_bad_seeds_and_folders_in_use(start: Path, tmp_path: Path) -> None:
    done = run("stream", "reduce", "--weights", start, stdin=b"\xff\n")
    assert (done.returncode, done.stdout) == (1, "") and "standard input:1: not UTF-8" in done.stderr
    (tmp_path / "text").write_text("a\n")
    data = ("stream", "lines", "--source", tmp_path / "text", "--references", tmp_path / "text")
    done = run(*data, "--seed", -1)
    assert done.returncode == 2 and "--seed must be a whole number from 0" in done.stderr
    per_shard = (*data, "--per-shard", "-o", tmp_path / "shards")
    assert run(*per_shard).returncode == 0
    before = sorted((tmp_path / "shards").iterdir())
    done = run(*per_shard)
    assert done.returncode == 1 and "has files already" in done.stderr
    assert sorted((tmp_path / "shards").iterdir()) == before


def test_a_mapper_refuses_weights_of_other_shards(small_model: Path, tmp_path: Path) -> None:
    weights = WeightStore.open(small_model / "weights.start.json")
    weights.about = ABOUT | {"documents": [[1.0] * (get_metric("bleu").width + 1)] * 3}
    weights.save(tmp_path / "w")
    command = ("stream", "map", small_model, "--weights", tmp_path / "w")
    done = run(*command, stdin=f"{line()}\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert "was made with 3 shards, but the lines with 2; use the lines of the first epoch" in done.stderr
    assert run(*command, stdin=b"\xff\n").returncode == 1

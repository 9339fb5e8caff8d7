"""`tunesmith stream`: lines, map, sort and reduce are an epoch of `tune online`, bit for bit."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run
from tests.model.jackknife.folded import fold_corpus
from tests.once import made_once

from tunesmith.errors import InputError
from tunesmith.generated import write_corpus
from tunesmith.model.jackknife import JackknifeOptions
from tunesmith.systems.model_setup import ModelSetup
from tunesmith.tuning.online.mixing import MixingOptions
from tunesmith.tuning.online.tune import tune_online
from tunesmith.tuning.streaming.lines import StreamLine, read_shards
from tunesmith.tuning.streaming.reducer import reduce_lines
from tunesmith.weights import WeightStore

LEARNING = ("--nbest", 15, "--template", "target-bigrams")


@pytest.fixture(scope="module")
def streamed(small_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tuning set, its `lines`, and the output of a mapper of all shards, `learned`."""

    def make(folder: Path) -> None:
        files = write_corpus(folder / "dev", 8, seed=2, lowercase=True)
        data = ("--source", files.source, "--references", files.targets[0])
        assert run("stream", "lines", *data, "--shards", 3, "-o", folder / "lines").returncode == 0
        lines = (folder / "lines").read_text()
        done = mapped(small_model, small_model / "weights.start.json", lines)
        (folder / "learned").write_text(done)

    return made_once(tmp_path_factory, "streamed", make)


def mapped(model: Path, weights: Path, lines: str, *flags: object) -> str:
    done = run("stream", "map", model, "--weights", weights, *LEARNING, *flags, "-q", stdin=lines)
    assert done.returncode == 0, done.stderr
    return done.stdout


def reduced(model: Path, learned: str, output: Path, weights: Path | None = None) -> None:
    start = model / "weights.start.json" if weights is None else weights
    done = run("stream", "reduce", "--weights", start, "-o", output, stdin=learned)
    assert done.returncode == 0, done.stderr


def same(first: Path, second: Path) -> bool:
    one, other = WeightStore.open(first), WeightStore.open(second)
    return list(one) == list(other) and one.native.weights().tobytes() == other.native.weights().tobytes()


@pytest.mark.slow
def test_two_iterations_equal_those_of_tune_online_bit_for_bit(
    small_model: Path, streamed: Path, tmp_path: Path
) -> None:
    from tunesmith.features.base import TEMPLATES

    setup = ModelSetup.of(
        small_model,
        streamed / "dev.de",
        [streamed / "dev.en"],
        templates=[TEMPLATES["target-bigrams"]()],
    )
    options = {"shards": 3, "nbest": 15, "threads": 1, "start_scale": 1.0, "score_tuning": False}
    runs = [tune_online(setup, output=tmp_path / str(n), epochs=n, **options) for n in (1, 2)]
    reduced(small_model, (streamed / "learned").read_text(), tmp_path / "w.json")  # JSON is as exact
    assert same(tmp_path / "w.json", runs[0].weights)
    lines = (streamed / "lines").read_text().splitlines(keepends=True)
    parts = ["".join(line for line in lines if line.startswith(f"0000{shard}")) for shard in range(3)]
    learned = [mapped(small_model, tmp_path / "w.json", part) for part in reversed(parts)]  # three mappers
    in_order = "".join(sorted("".join(learned).splitlines(keepends=True)))
    reduced(small_model, in_order, tmp_path / "w.2", tmp_path / "w.json")
    assert same(tmp_path / "w.2", runs[1].weights)
    assert WeightStore.open(tmp_path / "w.2").about["iteration"] == 2
    assert not same(tmp_path / "w.2", runs[0].weights)


@pytest.mark.slow
def test_documents_that_begin_anew_are_those_of_tune_online(
    small_model: Path, streamed: Path, tmp_path: Path
) -> None:
    from tunesmith.features.base import TEMPLATES

    files = streamed / "dev.de", [streamed / "dev.en"]
    setup = ModelSetup.of(small_model, *files, templates=[TEMPLATES["target-bigrams"]()])
    options = {"shards": 3, "nbest": 15, "threads": 1, "start_scale": 1.0, "score_tuning": False}
    anew = {"document_decay": 0.5, "keep_document": False, "boolean": True, "shuffle": False}
    result = tune_online(setup, output=tmp_path / "run", epochs=2, **options, **anew)
    flags = ("--document-decay", 0.5, "--no-keep-document", "--boolean", "--no-shuffle")
    data = ("--source", files[0], "--references", files[1][0], "--shards", 3)
    lines, weights = run("stream", "lines", *data, "--no-shuffle").stdout, small_model / "weights.start.json"
    for number in (1, 2):
        learned = mapped(small_model, weights, lines, *flags)
        reduced(small_model, learned, tmp_path / f"w.{number}", weights)
        weights = tmp_path / f"w.{number}"
    assert same(weights, result.weights)
    kept = run("stream", "map", small_model, "--weights", weights, *LEARNING, "--boolean", stdin=lines)
    assert kept.returncode == 1
    assert "was learned with the --document-decay 0.5, not None; give all epochs" in kept.stderr
    freed = run("stream", "map", small_model, "--weights", weights, *flags, "--freeze", "LM0", stdin=lines)
    assert (freed.returncode, freed.stdout) == (1, "")
    assert "was learned with the --freeze [], not ['LM0']; give all epochs" in freed.stderr


@pytest.mark.slow
def test_frozen_weights_and_rates_are_those_of_tune_online(
    small_model: Path, streamed: Path, tmp_path: Path
) -> None:
    from tunesmith.features.base import TEMPLATES

    files, first = (streamed / "dev.de", [streamed / "dev.en"]), small_model / "weights.start.json"
    setup = ModelSetup.of(small_model, *files, templates=[TEMPLATES["target-bigrams"]()])
    options = {"shards": 3, "nbest": 15, "threads": 1, "start_scale": 1.0, "score_tuning": False}
    lines, start = (streamed / "lines").read_text(), WeightStore.open(first)
    for number, (given, flags) in enumerate(
        (
            ({"frozen": ("LM*", "Word*"), "rates_start": 0.0}, ("--freeze", "LM*", "--freeze", "Word*")),
            ({"freeze_dense": True, "rates_start": 0.0}, ("--freeze-dense",)),
        )
    ):
        result = tune_online(setup, output=tmp_path / f"run.{number}", epochs=2, **options, **given)
        weights = first
        for iteration in (1, 2):
            learned = mapped(small_model, weights, lines, *flags, "--rates-start", 0)
            reduced(small_model, learned, tmp_path / f"{number}.{iteration}", weights)
            weights = tmp_path / f"{number}.{iteration}"
        assert same(weights, result.weights)
        final = WeightStore.open(weights)
        held = {name for name in start if final[name] == start[name]}
        assert held >= {"LM0", "WordPenalty0"}
        assert (held == set(start)) == ("freeze_dense" in given)
        assert len(final) > len(start)
    refused = run(
        "stream", "map", small_model, "--weights", first, *LEARNING, "--freeze", "LMM0", stdin=lines
    )
    assert refused.returncode == 2
    assert (
        "--freeze: no feature with a start weight and no other of the decoder matches 'LMM0'"
        in refused.stderr
    )


@pytest.mark.slow
def test_training_text_is_streamed_without_its_folds(tmp_path: Path) -> None:
    (tmp_path / "folded").mkdir()
    folded = fold_corpus(tmp_path / "folded", 60, folds=3)
    model = folded.train("phrase", max_phrase_length=3)
    for side in ("de", "en"):
        (tmp_path / side).write_text("".join(f"{line}\n" for line in folded.lines(side)[:6]))
    files = tmp_path / "de", [tmp_path / "en"]
    setup = ModelSetup.of(model, *files, jackknife=JackknifeOptions(jackknife=True))
    options = {"shards": 1, "epochs": 1, "nbest": 15, "threads": 1, "start_scale": 1.0, "score_tuning": False}
    result = tune_online(setup, output=tmp_path / "run", **options)
    data = ("--source", files[0], "--references", files[1][0], "--jackknife", "--shards", 1)
    lines = run("stream", "lines", model, *data).stdout
    assert {json.loads(line.partition("\t")[2])["fold"] for line in lines.splitlines()} <= {0, 1, 2}
    start = model / "weights.start.json"
    learned = run("stream", "map", model, "--weights", start, "--nbest", 15, "--jackknife", stdin=lines)
    assert learned.returncode == 0, learned.stderr
    reduced(model, learned.stdout, tmp_path / "w")
    assert same(tmp_path / "w", result.weights)


def test_pieces_of_a_shard_may_come_in_any_order_and_counters_are_hadoops(
    small_model: Path, streamed: Path, tmp_path: Path
) -> None:
    lines = (streamed / "learned").read_text().splitlines(keepends=True)
    shuffled = random.Random(1).sample(lines, len(lines))
    shuffled.sort(key=lambda line: line[:5])  # as Hadoop sorts: by the key alone
    start = small_model / "weights.start.json"
    given = ("--weights", start, "-o", tmp_path / "w")
    done = run("stream", "reduce", *given, stdin="".join(shuffled))
    assert done.returncode == 0, done.stderr
    reduced(small_model, "".join(lines), tmp_path / "same")
    assert (tmp_path / "w").read_bytes() == (tmp_path / "same").read_bytes()
    assert "reporter:counter:tunesmith,shards,3\n" in done.stderr
    decoded = run("decode", small_model, "--weights", tmp_path / "w", stdin="der hund\n")
    assert decoded.returncode == 0, decoded.stderr
    (first, *_) = (streamed / "lines").read_text().splitlines(keepends=True)
    one = json.loads(first.partition("\t")[2]) | {"size": 1}
    alone = f"00000\t{json.dumps(one)}\n"
    done = run("stream", "map", small_model, "--weights", start, *LEARNING, stdin=alone)
    counters = [line for line in done.stderr.splitlines() if line.startswith("reporter:counter:tunesmith,")]
    assert "reporter:counter:tunesmith,sentences,1" in counters
    assert "reporter:status:shard 0: 1 of 1 sentences" in done.stderr
    assert run("stream", "map", small_model, "--weights", start, stdin="") == (0, "", "")  # an empty split


def test_shards_that_are_not_whole_are_refused(small_model: Path, streamed: Path) -> None:
    lines = (streamed / "lines").read_text().splitlines(keepends=True)
    with pytest.raises(InputError, match=r"shard 0 has 2 sentences in 2 lines, not 3; all lines of a shard"):
        list(read_shards(lines[1:]))
    with pytest.raises(InputError, match="shard 0 has 3 sentences in 4 lines"):
        list(read_shards([lines[0], *lines]))
    with pytest.raises(InputError, match="standard input:2: expected the number of a shard, a tab and JSON"):
        list(read_shards([lines[0], "00001\t{}\n"]))
    learned = (streamed / "learned").read_text().splitlines(keepends=True)
    start, options = small_model / "weights.start.json", MixingOptions()
    for wrong, expected in (
        ([], "there are 0 shards"),
        ([line for line in learned if not line.startswith("00002")], "there are 2 shards, not 3"),
        ([line for line in learned if not line.startswith("00001")], "expected shard 1 of 3, found shard 2"),
        ([*learned, learned[-1]], "shard 2 came twice"),
        ([line for line in learned if "\t00000000\t" not in line], "record of shard 0 is missing"),
        (learned[:-1], "weights of shard 2 are incomplete"),
        ([learned[0], learned[1][:-40] + "\n", *learned[2:]], "weights of shard 0 are incomplete"),
        (["hello\n"], "expected what `tunesmith stream map` writes"),
    ):
        with pytest.raises(InputError, match=expected):
            reduce_lines(wrong, start, options)


def test_weights_that_mappers_did_not_begin_with_are_refused(
    small_model: Path, streamed: Path, tmp_path: Path
) -> None:
    reduced(small_model, (streamed / "learned").read_text(), tmp_path / "w")
    with pytest.raises(InputError, match="shard 0 began with other weights"):
        reduce_lines((streamed / "learned").read_text().splitlines(), tmp_path / "w", MixingOptions())


def test_lines_have_everything_about_a_sentence(streamed: Path, tmp_path: Path) -> None:
    rule = "[X] ||| der hund ||| the dog ||| A=1"
    with gzip.open(tmp_path / "grammar.gz", "wt") as stream:
        stream.write(rule + "\n")
    (tmp_path / "de").write_text(
        '<seg id="7" grammar="grammar.gz">der hund</seg> ||| ref\n<seg>ein "haus"</seg>\n'
    )
    (tmp_path / "en").write_text("the dog\na house\n")
    data = ("--source", tmp_path / "de", "--references", tmp_path / "en", "--references", tmp_path / "en")
    done = run("stream", "lines", *data, "--shards", 9, "--per-shard", "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    files = sorted((tmp_path / "out").iterdir())
    assert [file.name for file in files] == ["00000.gz", "00001.gz"]
    found = [StreamLine.parse(gzip.decompress(file.read_bytes()).decode(), 1) for file in files]
    (ruled,) = (line for line in found if line.sentence == 0)
    assert ruled.source == f'<seg id="7" >der hund</seg>\t\t{rule}'
    assert ruled.references == ("the dog", "the dog")
    assert {(line.shards, line.size, line.fold) for line in found} == {(2, 1, -1)}


def test_failed_sentences_are_named_and_counted(
    small_model: Path, streamed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tunesmith.systems.model import ModelSystem

    lines = (streamed / "lines").read_text().splitlines()
    sentence = json.loads(lines[4].partition("\t")[2])  # the second of the second shard
    whole = ModelSystem.candidates

    def failing(self: ModelSystem, number: int, *how: Any) -> object:
        if self._requests[number].source == sentence["source"]:
            raise InputError("no memory for it")
        return whole(self, number, *how)

    monkeypatch.setattr(ModelSystem, "candidates", failing)
    command = ("stream", "map", small_model, "--weights", small_model / "weights.start.json", *LEARNING)
    own = "".join(f"{line}\n" for line in lines if line.startswith("00001"))
    done = run(*command, stdin=own)
    named = f"warning: sentence {sentence['sentence'] + 1} (shard 1) is left out: no memory for it"
    assert done.returncode == 0 and named in done.stderr
    assert "reporter:counter:tunesmith,failed,1" in done.stderr
    done = run(*command, "--fail-fast", stdin=own)
    assert done.returncode == 1 and "no memory for it" in done.stderr

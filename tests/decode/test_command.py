"""`tunesmith decode`: its contract, outputs, and what it says when something is wrong."""

from __future__ import annotations

import contextlib
import gzip
import json
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from typer.testing import CliRunner

from tunesmith.candidates import Pool
from tunesmith.cli.main import _build
from tunesmith.decode import DecodeOutputs, PhraseDecoder, SearchOptions, decode_file
from tunesmith.errors import InputError, OptionError, TunesmithError
from tunesmith.forest.file import ForestFile
from tunesmith.weights import Weights

PROGRAM = [sys.executable, "-m", "tunesmith", "decode"]
COMMANDS = _build()
SENTENCES = 20


class Done(NamedTuple):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def decode(*arguments: object, folder: Path, stdin: str | bytes = "") -> Done:
    """Run the command in this process, as `main` would."""
    with contextlib.chdir(folder):
        done = CliRunner().invoke(COMMANDS, ["decode", *map(str, arguments)], input=stdin)
    if isinstance(done.exception, TunesmithError):
        return Done(done.exception.exit_code, done.stdout, str(done.exception))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Done(done.exit_code, done.stdout, done.stderr)


def decode_process(*arguments: object, folder: Path, stdin: str | bytes = "", **options) -> Done:
    """Run the command in a process of its own."""
    words = [*PROGRAM, *(str(argument) for argument in arguments)]
    given = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(words, cwd=folder, capture_output=True, check=False, input=given, **options)
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def folder(small_model: Path, small_corpus: Path, tmp_path: Path) -> Path:
    """A link to the model, and a test set."""
    (tmp_path / "model").symlink_to(small_model)
    lines = (small_corpus / "de").read_text().splitlines()[:SENTENCES]
    (tmp_path / "test.de").write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


@pytest.fixture
def broken(folder: Path, small_model: Path) -> Path:
    """A copy of the model, to be damaged."""
    (folder / "model").unlink()
    shutil.copytree(small_model, folder / "model")
    return folder


def left(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"model", "test.de"}


def test_the_call_is_the_contract(folder):
    weights = Weights.read(folder / "model" / "weights.start.json")
    weights.write(folder / "weights.json")
    done = decode_process(
        *("model", "--weights", "weights.json", "--input", "test.de", "--output", "out"),
        *("--nbest", 10, "--nbest-output", "nbest", "--unique", "--forest-output", "forests"),
        *("--pop-limit", 100, "--stack-size", 50, "--distortion-limit", 4, "--threads", 2),
        *("--json-log", "log", "--alignment-output", "align"),
        folder=folder,
    )
    assert done.returncode == 0, done.stderr
    assert "20 sentences" in done.stderr
    assert "average score" in done.stderr
    assert done.stdout == ""
    options = SearchOptions(pop_limit=100, stack_size=50, distortion_limit=4)
    source = (folder / "test.de").read_text().splitlines()
    found = list(PhraseDecoder.open(folder / "model", options=options).translate_all(source))
    assert (folder / "out").read_text().splitlines() == [one.text for one in found]
    pool = Pool.read(folder / "nbest")
    assert pool.ids == tuple(map(str, range(SENTENCES)))
    assert [pool.texts[int(row)] for row in pool.offsets[:-1]] == [one.text for one in found]
    forests = ForestFile(folder / "forests")
    assert forests.ids == pool.ids
    log = [json.loads(line) for line in (folder / "log").read_text().splitlines()]
    assert [entry["id"] for entry in log] == list(pool.ids)
    for entry, line, one in zip(log, source, found, strict=True):
        assert entry["source_words"] == len(line.split())
        assert entry["output_words"] == len(one.text.split())
        assert entry["score"] == pytest.approx(one.score)
        assert entry["found"] is True
        assert entry["seconds"] > 0
    links = [line.split() for line in (folder / "align").read_text().splitlines()]
    assert links == [[f"{i}-{j}" for i, j in one.alignment] for one in found]


def test_without_files_it_reads_standard_input_and_writes_standard_output(folder):
    decode_process("model", "--input", "test.de", "--output", "out", folder=folder)
    done = decode_process("model", "--quiet", folder=folder, stdin=(folder / "test.de").read_text())
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (folder / "out").read_text()


def test_an_answer_comes_before_the_next_line(folder):
    command = [*PROGRAM, "model", "--quiet"]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for line in (folder / "test.de").read_bytes().splitlines(keepends=True)[:3]:
            process.stdin.write(line)
            process.stdin.flush()
            assert process.stdout.readline().endswith(b"\n")  # would wait for ever if it waited for more
        process.stdin.close()
        assert process.wait() == 0


def test_threads_and_batches_change_no_byte(folder):
    outputs = []
    for threads in (1, 2):
        names = {name: folder / f"{name}.{threads}" for name in ("text", "nbest", "alignment", "forests")}
        decode_file(folder / "model", folder / "test.de", DecodeOutputs(**names), threads=threads)
        outputs.append([path.read_bytes() for path in names.values()])
    assert outputs[0] == outputs[1]


def test_segments_tell_the_source_words_of_each_phrase(folder):
    decoder = PhraseDecoder.open(folder / "model")
    decode_file(decoder, folder / "test.de", DecodeOutputs(folder / "out", segments=True))
    for line, source in zip(
        (folder / "out").read_text().splitlines(), (folder / "test.de").read_text().splitlines(), strict=True
    ):
        words = line.split()
        marks = [word for word in words if word.startswith("|")]
        assert " ".join(word for word in words if word not in marks) == decoder.translate(source).text
        covered = [
            column
            for mark in marks
            for column in range(int(mark[1:-1].split("-")[0]), int(mark[1:-1].split("-")[1]) + 1)
        ]
        assert sorted(covered) == list(range(len(source.split())))


@pytest.mark.parametrize("name", ["nbest", "nbest.gz", "nbest.jsonl", "nbest.cdec"])
@pytest.mark.parametrize("unique", [True, False])
def test_lists_have_all_features_and_scores_that_are_their_sums(folder, name, unique):
    decoder = PhraseDecoder.open(folder / "model")
    outputs = DecodeOutputs(
        folder / "out",
        nbest=folder / name,
        nbest_size=20,
        unique=unique,
        nbest_format="cdec" if name == "nbest.cdec" else None,
    )
    decode_file(decoder, folder / "test.de", outputs)
    pool = Pool.read(folder / name)
    assert pool.feature_names == decoder.feature_names
    weights = np.array([decoder.weights[feature] for feature in pool.feature_names])
    np.testing.assert_allclose(pool.features.dot(weights), pool.totals, atol=1e-3)
    for g in range(len(pool)):
        rows = slice(int(pool.offsets[g]), int(pool.offsets[g + 1]))
        assert (np.diff(pool.totals[rows]) <= 1e-6).all()
        texts = [pool.texts[row] for row in range(rows.start, rows.stop)]
        assert not unique or len(set(texts)) == len(texts)
        assert len(texts) <= 20


def test_lists_name_each_label_once_with_all_its_values(folder):
    decode_file(folder / "model", folder / "test.de", DecodeOutputs(folder / "out", nbest=folder / "nbest"))
    lines = (folder / "nbest").read_text().splitlines()
    labels = {tuple(word for word in line.split(" ||| ")[2].split() if word.endswith("=")) for line in lines}
    assert len(labels) == 1
    assert {"TranslationModel0=", "LexicalReordering0=", "LM0=", "Distortion0="} < set(*labels)


def test_ids_of_segs_are_those_of_the_outputs(folder):
    lines = '<seg id="7">der hund</seg> ||| the dog\n<seg id="3">das haus</seg>\n'
    done = decode(
        *("model", "--output", "out", "--nbest", 2, "--nbest-output", "nbest"),
        *("--forest-output", "forests", "--json-log", "log"),
        folder=folder,
        stdin=lines,
    )
    assert done.returncode == 0, done.stderr
    assert len((folder / "out").read_text().splitlines()) == 2
    assert [line.split()[0] for line in (folder / "nbest").read_text().splitlines()][::2] == ["7", "3"]
    assert ForestFile(folder / "forests").ids == ("7", "3")
    assert [json.loads(line)["id"] for line in (folder / "log").read_text().splitlines()] == ["7", "3"]


def test_ids_that_are_no_numbers_need_a_format_that_holds_them(folder):
    arguments = ("model", "--output", "out", "--nbest", 2, "--nbest-output")
    done = decode(*arguments, "nbest", folder=folder, stdin='<seg id="a.1">der hund</seg>\n')
    assert done.returncode == 1
    assert "the sentence id 'a.1' is not a whole number" in done.stderr
    assert left(folder) == set()
    done = decode(*arguments, "nbest.jsonl", folder=folder, stdin='<seg id="a.1">der hund</seg>\n')
    assert done.returncode == 0, done.stderr
    assert json.loads((folder / "nbest.jsonl").read_text())["id"] == "a.1"


def test_lattices_are_told_from_text(folder):
    done = decode("model", "--quiet", folder=folder, stdin="der hund\n((('der',1,1),),(('hund',1,1),),)\n")
    one, other = done.stdout.splitlines()
    assert one == other
    done = decode("model", "--quiet", folder=folder, stdin="der hund\n((('der',0.5,1),),)\n")
    assert done.returncode == 1
    assert "-:2: the arcs of the lattice have values" in done.stderr


def test_raw_text_is_prepared_as_in_training(small_corpus, tmp_path):
    from tunesmith.model import train

    for name in ("de", "en"):
        lines = (small_corpus / name).read_text().splitlines()[:100]
        raw = [line.capitalize().replace(" .", ".") for line in lines]
        (tmp_path / name).write_text("".join(f"{line}\n" for line in raw))
    for case in ("lower", "true"):
        model = tmp_path / case
        languages = {"source_language": "de", "target_language": "en"}
        train(tmp_path / "de", tmp_path / "en", model, tokenize="moses", case=case, lm_order=2, **languages)
        decode_file(model, tmp_path / "de", DecodeOutputs(tmp_path / "a"), prepare=True)
        decode_file(model, model / "source.txt", DecodeOutputs(tmp_path / "b"))
        assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text()


# ---- bad input


def test_an_empty_line_is_an_empty_line(folder):
    done = decode(
        *("model", "--nbest", 3, "--nbest-output", "nbest", "--alignment-output", "align"),
        folder=folder,
        stdin="\nder hund\n\n   \nder hund",
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.split("\n")
    assert [bool(line) for line in lines] == [False, True, False, False, True, False]
    assert (folder / "align").read_text().count("\n") == 5
    assert Pool.read(folder / "nbest").ids == ("0", "1", "2", "3", "4")


def test_no_input_is_no_output(folder):
    done = decode("model", "--output", "out", "--nbest-output", "nbest", folder=folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "out").read_bytes() == (folder / "nbest").read_bytes() == b""


def test_words_that_no_table_has_pass_or_are_dropped(folder):
    line = "qqq <b> 漢字 שלום ||| |"
    done = decode(
        "model", "--quiet", "--json-log", "log", "--nbest-output", "nbest", folder=folder, stdin=f"{line}\n"
    )
    assert sorted(done.stdout.split()) == sorted(line.split())
    assert sorted(json.loads((folder / "log").read_text())["unknown_words"]) == sorted(line.split())
    text = (folder / "nbest").read_text().splitlines()[0].split(" ||| ")[1]
    assert "&#124;&#124;&#124;" in text
    assert Pool.read(folder / "nbest").texts[0] == text
    done = decode("model", "--quiet", "--unknown-words", "drop", folder=folder, stdin=f"{line}\n")
    assert done.stdout == "\n"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of memory is read there")
@pytest.mark.parametrize("words", [1_000, 10_000])
def test_a_long_line_is_translated_in_bounded_memory(folder, words):
    vocabulary = (folder / "test.de").read_text().split()
    line = " ".join(vocabulary[i % len(vocabulary)] for i in range(words))
    program = (
        "from tunesmith.decode import *;"
        "decode_file('model', 'long', DecodeOutputs('out'),"
        " options=SearchOptions(pop_limit=20, stack_size=20), threads=1);"
        "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])"
    )
    (folder / "long").write_text(line + "\n")
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, check=True)
    assert int(done.stdout) < 400_000  # kilobytes, with Python and all that it loads
    assert len((folder / "out").read_text().split()) > words / 3


def test_a_line_too_long_for_free_reordering_is_an_error_with_its_line(folder):
    done = decode("model", "--distortion-limit", -1, folder=folder, stdin="der hund\n" + "der " * 9_000)
    assert done.returncode == 1
    assert "-:2: the sentence has 9000 words, too many to reorder without a limit" in done.stderr


def test_weights_must_be_those_of_the_features(folder):
    weights = dict(Weights.read(folder / "model" / "weights.start.json"))
    cases = {
        "missing": ({n: v for n, v in weights.items() if n != "LM0"}, "the feature 'LM0' has no weight"),
        "more": (
            weights | {"LM00": 1.0},
            "the weight 'LM00' is of no feature of this model; did you mean 'LM0'?",
        ),
    }
    for name, (values, message) in cases.items():
        Weights(values).write(folder / name)
        done = decode("model", "--weights", name, "--output", "out", folder=folder, stdin="a\n")
        assert done.returncode == 1
        assert message in done.stderr
    (folder / "nan").write_text("".join(f"{n} {v if n != 'LM0' else 'nan'}\n" for n, v in weights.items()))
    done = decode("model", "--weights", "nan", "--output", "out", folder=folder, stdin="a\n")
    assert done.returncode == 1
    assert "the weight of 'LM0' is 'nan'; expected a finite number" in done.stderr
    assert not (folder / "out").exists()


@pytest.mark.parametrize("name", ["phrases.bin", "lm.bin"])
@pytest.mark.parametrize("damage", ["truncated", "foreign", "empty", "missing"])
def test_a_damaged_part_of_the_model_is_an_error_that_names_it(broken, name, damage):
    path = broken / "model" / name
    data = path.read_bytes()
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(
            {"truncated": data[: len(data) // 2], "foreign": b"x" * len(data), "empty": b""}[damage]
        )
    done = decode("model", "--output", "out", folder=broken, stdin="der hund\n")
    assert done.returncode == 1
    assert name in done.stderr
    assert "Traceback" not in done.stderr
    assert left(broken) == set()


@pytest.mark.parametrize("name", ["phrases.bin", "lm.bin"])
def test_a_flipped_byte_is_an_error_or_changes_a_translation_and_no_more(broken, name):
    path = broken / "model" / name
    data = path.read_bytes()
    for place in [*range(100), *range(100, len(data), max(1, len(data) // 200))]:
        changed = bytearray(data)
        changed[place] ^= 0xFF
        path.write_bytes(bytes(changed))
        with contextlib.suppress(InputError):
            assert PhraseDecoder.open(broken / "model").translate("der hund schläft .").found


def test_a_model_of_rules_is_an_error(small_corpus, tmp_path):
    from tunesmith.model import train

    train(
        small_corpus / "de",
        small_corpus / "en",
        tmp_path / "hiero",
        kind="hiero",
        alignment=small_corpus / "align",
        lm_order=2,
    )
    done = decode("hiero", folder=tmp_path, stdin="der hund\n")
    assert done.returncode == 1
    assert "is not a phrase model: it has no phrase table" in done.stderr


def test_standard_input_cannot_hold_both_weights_and_text(folder):
    done = decode("model", "--weights", "-", folder=folder, stdin="LM0 1\n")
    assert done.returncode == 2
    assert "standard input cannot be both" in done.stderr


def test_a_folder_that_is_no_finished_model_is_an_error(broken):
    done = decode("test.de", folder=broken)
    assert done.returncode == 1
    (broken / "empty").mkdir()
    done = decode("empty", folder=broken)
    assert done.returncode == 1
    assert "is not a model: it has no manifest.json" in done.stderr
    manifest = next(path for path in (broken / "model").iterdir() if "manifest" in path.name)
    manifest.unlink()
    done = decode("model", folder=broken)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


def test_bad_bytes_and_bad_files_are_errors_that_leave_nothing(folder):
    (folder / "bad").write_bytes(b"der hund\nder \xff hund\n")
    done = decode("model", "--input", "bad", "--output", "out", "--nbest-output", "nbest", folder=folder)
    assert (done.returncode, left(folder)) == (1, {"bad"})
    assert "bad:2: not UTF-8" in done.stderr
    (folder / "bad.gz").write_bytes(gzip.compress(b"der hund\n" * 100)[:-9])
    done = decode("model", "--input", "bad.gz", "--output", "out", folder=folder)
    assert (done.returncode, left(folder)) == (1, {"bad", "bad.gz"})
    assert "truncated compressed file" in done.stderr


def test_outputs_are_checked_before_work_begins(folder):
    given = ("model", "--input", "test.de")
    for more, message in [
        (("--output", "test.de"), "is an input too"),
        (("--output", "out", "--json-log", "out"), "is another output too"),
        (("--output", "out", "--nbest-output", "none/nbest"), "the folder does not exist"),
        (("--output", "model/phrases.bin"), "is an input too"),
        (("--nbest-output", "-"), "is another output too"),
        (("--forest-output", "-"), "forests are a mapped file"),
        (("--output", "out", "--unique"), "need --nbest-output"),
        (("--output", "out", "--nbest-output", "x.parquet"), "parquet cannot be written as candidates come"),
        (("--output", "out", "--nbest-output", "x", "--nbest", 0), "nbest_size must be at least 1"),
        (("--output", "out", "--unknown-words", "keep"), "unknown_words cannot be 'keep'"),
        (("--output", "out", "--input-format", "xml"), "unknown input format 'xml'"),
    ]:
        done = decode(*given, *more, folder=folder)
        assert done.returncode in (1, 2), more
        assert message in done.stderr, more
        assert "Traceback" not in done.stderr
        assert left(folder) == set()
    assert len((folder / "test.de").read_text().splitlines()) == SENTENCES


@pytest.mark.parametrize("output", ["--output", "--nbest-output", "--forest-output", "--json-log"])
def test_a_full_disk_is_an_error_that_leaves_nothing(folder, output):
    done = decode_process(
        *("model", "--input", "test.de", output, "file"),
        *(() if output == "--output" else ("--output", "/dev/null")),
        folder=folder,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300)),
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "file" in done.stderr
    assert left(folder) == set()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_standard_output_is_an_error(folder):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PROGRAM, "model", "--input", "test.de"],
            cwd=folder,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 1
    assert b"standard output: cannot write: No space left on device" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("kill", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_process_leaves_nothing_under_the_final_names(folder, kill):
    names = ["out", "nbest", "forests", "log"]
    command = [
        *(*PROGRAM, "model", "--output", "out", "--nbest-output", "nbest", "--forest-output", "forests"),
        *("--json-log", "log"),
    ]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, bufsize=0) as process:
        process.stdin.write((folder / "test.de").read_bytes())
        while not any(path.name.startswith(".nbest") and path.stat().st_size for path in folder.iterdir()):
            assert process.poll() is None
            process.stdin.write(b"der hund\n" * 50)  # until a batch has reached the disk
        process.send_signal(kill)
        process.wait()
    assert not any((folder / name).exists() for name in names)
    if kill == signal.SIGTERM:
        assert left(folder) == set()


def test_python_takes_the_same_options(folder):
    summary = decode_file(folder / "model", folder / "test.de", DecodeOutputs(folder / "out"))
    assert summary.sentences == SENTENCES
    assert summary.words == len((folder / "test.de").read_text().split())
    decoder = PhraseDecoder.open(folder / "model")
    scores = [one.score for one in decoder.translate_all((folder / "test.de").read_text().splitlines())]
    assert summary.average_score == pytest.approx(sum(scores) / len(scores))
    with pytest.raises(OptionError, match="is an input too"):
        decode_file(decoder, folder / "test.de", DecodeOutputs(folder / "test.de"))
    with pytest.raises(OptionError, match="a decoder has weights and options already"):
        decode_file(decoder, folder / "test.de", DecodeOutputs(folder / "out"), options=SearchOptions())
    with pytest.raises(InputError, match="holds a line end"):
        decoder.translate("der\nhund")

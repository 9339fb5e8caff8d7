"""What `tunesmith decode` says when something is wrong, and what it leaves behind."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import resource
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.decode.commands import PROGRAM, SENTENCES, decode, decode_process, left

from tunesmith.candidates import Pool
from tunesmith.decode import PhraseDecoder, SearchOptions
from tunesmith.errors import InputError
from tunesmith.model import Model
from tunesmith.weights import Weights


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


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of memory is read there")
@pytest.mark.parametrize("words", [1_000, 10_000])
def test_a_long_line_is_translated_in_bounded_memory(folder, words):
    vocabulary = (folder / "test.de").read_text().split()
    line = " ".join(vocabulary[i % len(vocabulary)] for i in range(words))
    program = (
        "from tunesmith import *; from tunesmith.decode import *;"
        "narrow = SearchOptions(pop_limit=20, stack_size=20);"
        "decode_file('model', 'long', DecodeOutputs('out'), Decoding(search=narrow, threads=1));"
        "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])"
    )
    (folder / "long").write_text(line + "\n")
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, check=True)
    assert int(done.stdout) < 400_000  # kilobytes, with Python and all that it loads
    assert len((folder / "out").read_text().split()) > words / 3


def long_line(folder, words):
    vocabulary = (folder / "test.de").read_text().split()
    return " ".join(vocabulary[i % len(vocabulary)] for i in range(words))


def test_a_line_that_needs_more_memory_than_allowed_is_an_error_with_its_line(folder):
    (folder / "two").write_text(f"der hund\n{long_line(folder, 2_000)}\n")
    done = decode("model", "--input", "two", "--memory", "1M", folder=folder)
    assert done.returncode == 1
    assert (
        "two:2: the sentence has 2000 words and needs more than 1 MB; lower the pop limit, the stack size or"
        " the table limit, raise the memory limit, or split it" in done.stderr
    )
    done = decode("model", "--input", "two", "--memory", "much", folder=folder)
    assert done.returncode == 2
    assert "--memory must be an amount such as 1G" in done.stderr


def test_a_limit_changes_no_translation_that_fits_and_needs_what_is_reported(folder):
    source = (folder / "test.de").read_text().splitlines()
    found = [PhraseDecoder.open(folder / "model").translate(line) for line in source]
    memory = max(each.memory for each in found)
    enough = PhraseDecoder.open(folder / "model", options=SearchOptions(memory=memory))
    assert [each.text for each in enough.translate_all(source, threads=1)] == [each.text for each in found]
    for line, each in zip(source, found, strict=True):
        few = PhraseDecoder.open(folder / "model", options=SearchOptions(memory=each.memory - 1))
        with pytest.raises(InputError, match="raise the memory limit"):
            few.translate(line)


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of memory is read there")
@pytest.mark.parametrize("megabytes", [16, 64])
def test_a_process_holds_no_more_than_the_limit_for_a_long_line(folder, megabytes):
    """What remains of the process is measured on a short line."""
    (folder / "long").write_text(long_line(folder, 30_000))
    program = (
        "from tunesmith.decode import *; from tunesmith.errors import InputError\n"
        "def peak(): return int(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])\n"
        f"decoder = PhraseDecoder.open('model', options=SearchOptions(memory='{megabytes}M'))\n"
        "line = open('long').read()\n"
        "decoder.translate(line[:400])\n"
        "before = peak()\n"
        "try: decoder.translate(line)\n"
        "except InputError as error: print(peak() - before, error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, check=True, text=True
    )
    assert f"30000 words and needs more than {megabytes} MB" in done.stdout
    kilobytes = int(done.stdout.split()[0])
    # A line of words and the lists of it take 12 MB before its search begins.
    assert megabytes << 8 < kilobytes < (megabytes + 24) << 10


def test_a_line_too_long_for_free_reordering_is_an_error_with_its_line(folder):
    done = decode("model", "--distortion-limit", -1, folder=folder, stdin="der hund\n" + "der " * 9_000)
    assert done.returncode == 1
    assert "-:2: the sentence has 9000 words, too many to reorder without a limit" in done.stderr


def test_weights_must_be_those_of_the_features(folder):
    weights = dict(Weights.read(folder / "model" / "weights.start.json"))
    cases = {
        "missing": (
            {n: v for n, v in weights.items() if n != "LM0"},
            "missing: no weight for the feature 'LM0'; every feature of the model needs one, and 0 switches"
            " it off\n",
        ),
        "none near": (
            {n: v for n, v in weights.items() if n != "TranslationModel0_1"},
            "and 0 switches it off\n",  # TranslationModel0_0 has a weight, and is meant
        ),
        "misspelt": ({n.replace("LM0", "LMO"): v for n, v in weights.items()}, "did you mean 'LMO'?"),
        "of another": (
            {n.replace("LexicalReordering0", "Glue"): v for n, v in weights.items()},
            "of another: these weights are of another model: they have Glue_0, Glue_1, Glue_2, ..., which"
            " this one does not have, and none for 'LexicalReordering0_0'\n",
        ),
        "more": (
            weights | {"LM00": 1.0},
            "the weight 'LM00' is of no feature of this model; did you mean 'LM0'? (if the input has it,"
            " declare: --arc-feature)\n",
        ),
    }
    for name, (values, message) in cases.items():
        Weights(values).write(folder / name)
        done = decode("model", "--weights", name, "--output", "out", folder=folder, stdin="a\n")
        assert done.returncode == 1
        assert message in f"{done.stderr}\n"
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
        (("--output", "model/phrases.bin"), "is a file of the model"),
        (("--nbest-output", "-"), "is another output too"),
        (("--output", "out", "--forest-output", "-"), "forests are a mapped file"),
        (("--output", "out", "--forest-output", "f.gz"), "f.gz: files of forests are compressed internally"),
        (("--output", "out", "--unique"), "need --nbest-output"),
        (("--output", "out", "--nbest-output", "x.parquet"), "parquet cannot be written incrementally"),
        (("--output", "out", "--nbest-output", "x", "--nbest", 0), "outputs: --nbest must be at least 1"),
        (("--output", "out", "--unknown-words", "keep"), "--unknown-words cannot be 'keep'"),
        (("--output", "out", "--input-format", "xml"), "unknown input format 'xml'"),
    ]:
        done = decode(*given, *more, folder=folder)
        assert done.returncode in (1, 2), more
        assert message in done.stderr, more
        assert "Traceback" not in done.stderr
        assert left(folder) == set()
    assert len((folder / "test.de").read_text().splitlines()) == SENTENCES


@pytest.mark.process
@pytest.mark.parametrize("output", ["--output", "--nbest-output", "--forest-output", "--json-log"])
def test_a_full_disk_is_an_error_that_leaves_nothing(folder, output):
    done = decode_process(
        *("model", "--input", "test.de", output, "file"),
        *(() if output == "--output" else ("--output", "/dev/null")),
        folder=folder,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300)),
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},  # Python would cache modules that are cut off
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "file" in done.stderr
    assert left(folder) == set()


@pytest.mark.process
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


@pytest.mark.process
@pytest.mark.parametrize("kill", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_killed_process_leaves_nothing_under_the_final_names(folder, kill):
    names = ["out", "nbest", "forests", "log"]
    command = [
        *(*PROGRAM, "model", "--output", "out", "--nbest-output", "nbest", "--forest-output", "forests"),
        *("--json-log", "log"),
    ]
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # else, under nohup, the process would ignore it
    try:
        started = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, bufsize=0)
    finally:
        signal.signal(signal.SIGHUP, before)
    with started as process:
        process.stdin.write((folder / "test.de").read_bytes())
        while not any(path.name.startswith(".nbest") and path.stat().st_size for path in folder.iterdir()):
            assert process.poll() is None
            process.stdin.write(b"der hund\n" * 50)  # until a batch has reached the disk
        process.send_signal(kill)
        process.wait()
    assert not any((folder / name).exists() for name in names)
    if kill != signal.SIGKILL:
        assert process.returncode == 128 + kill
        assert left(folder) == set()


def test_a_model_with_features_of_other_decoders_is_refused(small_model):
    model = Model.open(small_model)
    foreign = replace(model, penalties={**model.penalties, "Straight0": "Straight"})
    with pytest.raises(InputError, match="is not a model that this decoder knows") as caught:
        PhraseDecoder(foreign, {**model.weights, "Straight0": 0.3})
    assert caught.value.path == small_model
    assert "'Straight0' of kind 'Straight'" in str(caught.value)
    assert "\n" not in str(caught.value)

"""The model as Python holds it: opening, classes, text of every kind, files that are damaged."""

from __future__ import annotations

import math
import pickle
import random
import struct
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from tests.damaged_containers import sealed, section_mutations, sections
from tests.lm.backoff_models import BackoffModel

from tunesmith.container import write_container
from tunesmith.corpus import Sentences, Vocabulary
from tunesmith.errors import InputError
from tunesmith.lm import LanguageModel, compile_lm

MODEL = BackoffModel(
    3,
    {
        ("<s>",): (-9.0, -0.5),
        ("</s>",): (-1.0, 0.0),
        ("<unk>",): (-4.0, 0.0),
        ("N",): (-0.7, -0.25),
        ("V",): (-0.8, -0.125),
        ("中",): (-2.0, 0.0),
        ("<s>", "N"): (-0.2, -0.0625),
        ("N", "V"): (-0.3, 0.0),
        ("V", "</s>"): (-0.4, 0.0),
        ("<s>", "N", "V"): (-0.1, 0.0),
    },
)
SENTENCE = "N V 中 N V zzz N"
CLASSES = "dog\tN\ncat\tN\nruns V\nodd\tZ\n"


@pytest.fixture
def model(tmp_path: Path) -> LanguageModel:
    return MODEL.compile(tmp_path)


def test_the_content_tells_a_binary_from_text(model: LanguageModel, tmp_path: Path) -> None:
    text = LanguageModel.open(tmp_path / "model.arpa")
    assert text.full_scores("N V 中 N") == model.full_scores("N V 中 N")
    assert text.counts == model.counts == [6, 3, 1]
    assert list(text.vocabulary) == list(model.vocabulary)


def test_tables_in_memory_answer_as_mapped_ones(model: LanguageModel, tmp_path: Path) -> None:
    copied = LanguageModel.open(tmp_path / "model.bin", in_memory=True, verify=True)
    (tmp_path / "model.bin").unlink()
    assert copied.full_scores("N V 中 N") == model.full_scores("N V 中 N")


@pytest.mark.parametrize("compiled", [True, False])
def test_a_class_model_scores_words_by_their_class(
    compiled: bool, tmp_path: Path, model: LanguageModel
) -> None:
    (tmp_path / "words.classes").write_text(CLASSES)
    if compiled:
        compile_lm(tmp_path / "model.arpa", tmp_path / "classes.bin", class_file=tmp_path / "words.classes")
        by_class = LanguageModel.open(tmp_path / "classes.bin")
    else:
        by_class = LanguageModel.open(tmp_path / "model.bin", class_file=tmp_path / "words.classes")
    assert by_class.full_scores("dog runs cat") == model.full_scores("N V N")
    assert by_class.full_scores("N odd </s>") == model.full_scores("zzz zzz </s>")  # a class is not a word
    assert "dog" in by_class and "N" not in by_class


def test_a_class_model_is_not_written_as_one_of_words(tmp_path: Path, model: LanguageModel) -> None:
    (tmp_path / "words.classes").write_text(CLASSES)
    by_class = LanguageModel.open(tmp_path / "model.bin", class_file=tmp_path / "words.classes")
    with pytest.raises(InputError, match="class-based language model cannot be written as ARPA"):
        by_class.write_arpa(tmp_path / "new.arpa")
    assert not (tmp_path / "new.arpa").exists()


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("dog\n", 1, "a word and its class"),
        ("dog N V\n", 1, "a word and its class"),
        ("dog N\ndog V\n", 2, "has a class already"),
        ("dog Q\n", None, "no class is a word"),
        ("", None, "empty"),
    ],
)
def test_bad_classes_are_refused(
    text: str, line: int | None, message: str, tmp_path: Path, model: LanguageModel
) -> None:
    (tmp_path / "words.classes").write_text(text)
    with pytest.raises(InputError, match=message) as raised:
        LanguageModel.open(tmp_path / "model.bin", class_file=tmp_path / "words.classes")
    assert raised.value.line == line


def test_perplexity_with_and_without_unknown_words(model: LanguageModel) -> None:
    found = model.perplexity(["N V", "zzz"])
    logs = [-0.2, -0.1, -0.4, -4.5, -1.0]
    assert (found.sentences, found.tokens, found.unknown) == (2, 5, 1)
    assert found.score / math.log(10) == pytest.approx(sum(logs), abs=1e-5)
    assert found.including_unknown == pytest.approx(10 ** (-sum(logs) / 5), rel=1e-5)
    assert found.excluding_unknown == pytest.approx(10 ** (-(sum(logs) + 4.5) / 4), rel=1e-5)


def test_scores_do_not_depend_on_threads_or_on_the_vocabulary(model: LanguageModel) -> None:
    draw = random.Random(1)
    lines = [" ".join(draw.choices(["N", "V", "中", "x"], k=draw.randint(0, 9))) for _ in range(1000)]
    one = model.score_text(lines, threads=1)
    many = model.score_text(Sentences.of(lines, Vocabulary(["x", "unused", "V"])), threads=4)
    closed = model.score_text(Sentences.of(lines, Vocabulary(["N", "V", "中"]), grow=False), threads=2)
    for other in (many, closed):
        assert np.array_equal(one.scores, other.scores)
        assert np.array_equal(one.orders, other.orders)
        assert np.array_equal(one.unknown, other.unknown)
    assert one.sentence_scores().tolist() == pytest.approx([model.score(line) for line in lines], abs=1e-4)


@pytest.mark.parametrize(
    "line", ["", " ", "N " * 10_000, "N\tV", "N\x00V \x01", "中 שלום N", "||| N |||", "<s> N </s> V"]
)
def test_text_of_every_kind_is_scored_as_the_definition_says(line: str, model: LanguageModel) -> None:
    history: tuple[str, ...] = ("<s>",)
    expected = []
    for word in [*line.split(" "), "</s>"]:
        if word:
            known = word if (word,) in MODEL.ngrams else "<unk>"
            expected.append(MODEL.probability(history[-2:], known) * math.log(10))
            history = (*history, known)
    assert [word.score for word in model.full_scores(line)] == pytest.approx(expected, abs=1e-5)


def test_a_line_end_within_a_sentence_is_refused(model: LanguageModel) -> None:
    with pytest.raises(InputError, match="line end"):
        model.score("N\nV")
    assert len(model.score_text([])) == 0


def test_a_model_is_queried_from_many_threads_at_once(model: LanguageModel) -> None:
    found: list[float] = []
    workers = [threading.Thread(target=lambda: found.append(model.score("N V 中"))) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert found == [model.score("N V 中")] * 8


def test_foreign_and_truncated_files_are_refused(model: LanguageModel, tmp_path: Path) -> None:
    path = tmp_path / "other.bin"
    write_container(path, "phrases", 1, {"a": np.arange(3)})
    with pytest.raises(InputError, match="holds 'phrases'; expected 'ngramlm'"):
        LanguageModel.open(path)
    whole = (tmp_path / "model.bin").read_bytes()
    for size in (0, 10, 63, 64, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(InputError, match=r"other\.bin"):
            LanguageModel.open(path)
    with pytest.raises(InputError, match="no such file"):
        LanguageModel.open(tmp_path / "none.bin")
    with pytest.raises(InputError, match="directory"):
        LanguageModel.open(tmp_path)


@pytest.mark.slow
def test_a_file_of_wrong_values_is_refused_or_answers_but_never_crashes(
    model: LanguageModel, tmp_path: Path
) -> None:
    whole = (tmp_path / "model.bin").read_bytes()
    refused, path = 0, tmp_path / "damaged.bin"
    full = bytearray(whole)  # no free slot anywhere
    for name, part in sections(whole).items():
        if name.startswith("order.") and name != "order.1":
            full[part.start : part.stop] = b"\x01" * len(part)
    wrong = [content for _, content in section_mutations(whole, 400)]
    for content in [*wrong, sealed(bytes(full), whole)]:
        path.write_bytes(content)
        try:
            LanguageModel.open(path).full_scores(SENTENCE)
        except InputError:
            refused += 1
    assert 0 < refused < 400


SMALL_FILES = """
import resource, signal, sys
from tunesmith.errors import InputError
from tunesmith.lm import compile_lm

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (256, 256))
try:
    compile_lm(sys.argv[1], sys.argv[2])
except InputError as error:
    print(error.path, error.line, error.message)
"""


@pytest.mark.process
def test_a_full_disk_is_an_error_of_the_output_and_leaves_no_file(
    model: LanguageModel, tmp_path: Path
) -> None:
    arpa, output = tmp_path / "model.arpa", tmp_path / "full" / "lm.bin"
    output.parent.mkdir()
    command = [sys.executable, "-Bc", SMALL_FILES, str(arpa), str(output)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"{output} None cannot write")
    assert not list(output.parent.iterdir())


def test_damaged_words_are_told_with_the_name_of_the_file(model: LanguageModel, tmp_path: Path) -> None:
    whole = bytearray((tmp_path / "model.bin").read_bytes())
    table, sections = struct.unpack_from("<QQ", whole, 32)
    for at in range(table, table + 64 * sections, 64):
        if whole[at : at + 32].rstrip(b"\0") == b"words.offsets":
            struct.pack_into("<q", whole, struct.unpack_from("<Q", whole, at + 40)[0] + 8, 1 << 40)
    path = tmp_path / "damaged.bin"
    path.write_bytes(whole)
    with pytest.raises(InputError, match=r"damaged\.bin: is damaged: .*words") as caught:
        LanguageModel.open(path)
    assert caught.value.path == str(path)


def test_binaries_are_never_taken_for_text(model: LanguageModel, tmp_path: Path) -> None:
    binary = tmp_path / "model.bin"
    with pytest.raises(InputError, match=r"model\.bin: is compiled already"):
        compile_lm(binary, tmp_path / "other.bin")
    write_container(tmp_path / "foreign", "phrases", 1, {})
    with pytest.raises(InputError, match="foreign: is a Tunesmith binary file of 'phrases'"):
        compile_lm(tmp_path / "foreign", tmp_path / "other.bin")
    for size in (8, 20, 63, 64, 200):
        (tmp_path / "cut.bin").write_bytes(binary.read_bytes()[:size])
        with pytest.raises(InputError, match=r"cut\.bin: is .*truncated"):
            LanguageModel.open(tmp_path / "cut.bin")


@pytest.mark.parametrize("name", ["model.bin", "model.arpa"])
def test_a_model_is_pickled_as_the_file_it_was_opened_from(
    model: LanguageModel, tmp_path: Path, name: str
) -> None:
    (tmp_path / "classes").write_text(CLASSES)
    opened = LanguageModel.open(tmp_path / name, class_file=tmp_path / "classes")
    again = pickle.loads(pickle.dumps(opened))
    assert again.full_scores("dog runs") == opened.full_scores("dog runs")
    with pytest.raises(InputError, match="cannot be pickled"):
        pickle.dumps(LanguageModel(model.native))

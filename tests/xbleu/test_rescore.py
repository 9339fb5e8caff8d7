"""N-best lists with the features of a trained reordering model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run
from tests.decode import tiny
from tests.decode.test_sparse_reordering import FORMS
from tests.xbleu.attached import SENTENCES, all_names, dense, write_lists, write_reordering

from tunesmith import Decoding, decode_file
from tunesmith.candidates import Pool
from tunesmith.decode import DecodeOutputs, parse_markup
from tunesmith.decode.opening import open_decoder
from tunesmith.errors import InputError, OptionError
from tunesmith.features import SparseReordering
from tunesmith.features.sparse_hrm import SparseHRM, SparseHRMBiPhrases, SparseHRMLocal, SparseHRMUncommon
from tunesmith.model import Model
from tunesmith.model.importing import import_model
from tunesmith.tables.reordering import ReorderingSpec
from tunesmith.xbleu.attach import attach
from tunesmith.xbleu.rescore import rescore


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tiny.write_model(tmp_path_factory.mktemp("plain") / "moses", seed=5)
    write_lists(folder)
    return Model.open(folder)


def write_nbest(model: Model, folder: Path, **options: bool) -> Path:
    (folder / "source").write_text("".join(f"{line}\n" for line in SENTENCES))
    outputs = DecodeOutputs(folder / "text", nbest=folder / "nbest", nbest_size=20, **options)
    decode_file(model.directory, folder / "source", outputs)
    return folder / "nbest"


def phrases_of(line: str) -> list[tuple[int, int, str]]:
    fields = [part.strip() for part in line.split("|||")]
    words, phrases = fields[1].split(), []
    for segment in fields[4].replace("*", "").split():
        spans = [[int(each) for each in side.split("-")] for side in segment.split("=")]
        (source, target) = ((span[0], span[-1] + 1) for span in spans)
        phrases.append((*source, " ".join(words[slice(*target)])))
    return phrases


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_values_are_those_of_the_decoder_with_the_model_attached(
    form: dict[str, object], plain: Model, tmp_path: Path
):
    template = SparseReordering("Trained", top=2, **form)  # type: ignore[arg-type]
    reordering = write_reordering(tmp_path / "reordering", template, all_names(plain, template))
    attach(plain.directory, reordering, tmp_path / "model")
    decoder = open_decoder(tmp_path / "model")
    lists = write_nbest(plain, tmp_path, nbest_segments=True)
    done = rescore(lists, reordering, tmp_path / "rescored", source=tmp_path / "source")
    before, after = Pool.read(lists), Pool.read(tmp_path / "rescored")
    assert after.feature_names == (*before.feature_names, *done.names)
    assert (done.lists, done.candidates) == (len(SENTENCES), len(before.features))
    columns = [after.feature_names.index(name) for name in done.names]
    values = after.features.to_dense()
    nonzero = 0
    for number, line in enumerate(lists.read_text().splitlines()):
        sentence = SENTENCES[int(line.split()[0])]
        expected = dense(decoder.replay(sentence, phrases_of(line)), "Trained")
        found = dict(zip(done.names, values[number, columns].tolist(), strict=True))
        assert found == pytest.approx({name: expected[name] for name in done.names}, abs=1e-5)
        nonzero += sum(value != 0 for value in found.values())
    assert nonzero
    width = len(before.feature_names)
    assert (values[:, :width] == before.features.to_dense()).all()


MARKED = (
    "a b c",
    "b a d c",
    "d a d",
    '<x translation="b">b</x> a c',
    'a <x translation="W X" prob="0.5">b c</x> d',
    'c <x translation="fresh">a b</x>',
    '<x translation="a">a</x> d a',
)
"""Unknown words (d), words that the table copies (a, b), and phrases given by the input."""
WORDS = tuple(parse_markup(line).source for line in MARKED)


@pytest.fixture(scope="module")
def copying(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """A model that translates a and b as themselves, among others."""
    folder = tmp_path_factory.mktemp("copying") / "moses"
    tiny.write_model(folder, seed=5)
    for name, numbers, rest in (
        ("phrases", " 0.9" * 4, " ||| 0-0 ||| 1 1 1 |||"),
        ("reordering", " 0.4" * 8, ""),
    ):
        lines = (folder / name).read_text().splitlines()
        lines += [f"{word} ||| {word} |||{numbers}{rest}" for word in "ab"]
        (folder / name).write_text("".join(f"{line}\n" for line in sorted(lines)))
    import_model(folder / "moses.ini", folder / "copying")
    write_lists(folder / "copying")
    return Model.open(folder / "copying")


@dataclass(frozen=True)
class Lists:
    """Lists of a decoder with a reordering model: without its features, and what they were."""

    reordering: Path
    lines: list[str]
    values: list[dict[str, float]]

    @classmethod
    def of(
        cls, plain: Model, template: SparseReordering, folder: Path, lines: Sequence[str], **options: object
    ) -> Lists:
        names = all_names(plain, template, (*WORDS, *SENTENCES))
        kept = {name for name in names if "_source_a_" not in name}  # target and pair weights are left
        labels = ReorderingSpec(template.model, template.orientations).labels
        kept |= {f"Trained_{side}_d_{label}" for side in ("source", "target") for label in labels}
        reordering = write_reordering(folder / "reordering", template, kept)
        attach(plain.directory, reordering, folder / "model")
        (folder / "marked").write_text("".join(f"{line}\n" for line in lines))
        (folder / "source").write_text("".join(f"{parse_markup(line).source}\n" for line in lines))
        outputs = DecodeOutputs(folder / "text", nbest=folder / "own", nbest_size=30, nbest_segments=True)
        decode_file(
            folder / "model",
            folder / "marked",
            outputs,
            Decoding(search=options),
            input_format="markup-inclusive",
        )
        texts, values = [], []
        for line in (folder / "own").read_text().splitlines():
            found = re.findall(r" (Trained_\w+)= (\S+)", line)
            values.append({name: float(value) for name, value in found})
            texts.append(re.sub(r" Trained_\w+= \S+", "", line))
        assert (
            values and all(values) and {line.split()[0] for line in texts} == set(map(str, range(len(lines))))
        )
        return cls(reordering, texts, values)

    def rescored(self, folder: Path, lines: Sequence[str]) -> list[dict[str, float]]:
        (folder / "lists").write_text("".join(f"{line}\n" for line in lines))
        rescore(folder / "lists", self.reordering, folder / "rescored", source=folder / "source")
        found = (folder / "rescored").read_text().splitlines()
        return [
            {name: float(value) for name, value in re.findall(r" (Trained_\w+)= (\S+)", line)}
            for line in found
        ]


@pytest.mark.parametrize("orientations", ["mslrg", "mslr", "msd"])
@pytest.mark.parametrize("kind", [SparseHRMLocal, SparseHRM, SparseHRMUncommon, SparseHRMBiPhrases])
def test_unknown_copied_and_given_phrases_have_the_values_of_the_decoder(
    kind: type[SparseReordering], orientations: Any, copying: Model, tmp_path: Path
):
    template = kind("Trained", classes=(2,), orientations=orientations)
    lists = Lists.of(copying, template, tmp_path, MARKED)
    segments = [line.split(" ||| ")[4] for line in lists.lines]
    assert any("*" in each for each in segments) and any("*" not in each for each in segments)
    for found, expected in zip(lists.rescored(tmp_path, lists.lines), lists.values, strict=True):
        assert found == pytest.approx(expected, abs=1e-4)


def test_dropped_words_have_the_values_of_the_decoder(copying: Model, tmp_path: Path):
    template = SparseHRMBiPhrases("Trained", classes=(2,))
    lists = Lists.of(copying, template, tmp_path, ["a d b", "d"], unknown_words="drop")
    assert any("1=*" in line for line in lists.lines)
    for found, expected in zip(lists.rescored(tmp_path, lists.lines), lists.values, strict=True):
        assert found == pytest.approx(expected, abs=1e-4)


def test_without_marks_the_penalty_says_which_copied_words_are_unknown(copying: Model, tmp_path: Path):
    template = SparseHRMBiPhrases("Trained", classes=(2,))
    lists = Lists.of(copying, template, tmp_path, ["a b c", "b a d c", "", "d a d"])
    compared = 0
    unmarked = [line.replace("*", "") for line in lists.lines]
    found = lists.rescored(tmp_path, unmarked)
    for line, values, expected in zip(lists.lines, found, lists.values, strict=True):
        target = line.split(" ||| ")[1].split()
        if "d" not in target or not {"a", "b"} & set(target):  # only unknown words are copied, or none
            assert values == pytest.approx(expected, abs=1e-4)
            compared += "*" in line
    assert compared


def test_lists_without_phrases_and_other_texts_are_refused(plain: Model, tmp_path: Path):
    template = SparseReordering("Trained", top=2)
    reordering = write_reordering(tmp_path / "reordering", template, all_names(plain, template))
    lists = write_nbest(plain, tmp_path)
    with pytest.raises(InputError, match="--nbest-segments"):
        rescore(lists, reordering, tmp_path / "rescored", source=tmp_path / "source")
    assert not (tmp_path / "rescored").exists()
    lists = write_nbest(plain, tmp_path, nbest_segments=True)
    (tmp_path / "short").write_text("a b c\n")
    with pytest.raises(InputError, match="short has 1 lines; expected the text that was decoded"):
        rescore(lists, reordering, tmp_path / "rescored", source=tmp_path / "short")
    (tmp_path / "other").write_text("a\n" * len(SENTENCES))
    with pytest.raises(InputError, match="is the source the text that was decoded"):
        rescore(lists, reordering, tmp_path / "rescored", source=tmp_path / "other")
    with pytest.raises(OptionError, match="need the format moses"):
        DecodeOutputs(nbest="lists.jsonl", nbest_segments=True)


BAD_LINES = (
    ("UnknownWordPenalty0= abc", "0=0", "has the UnknownWordPenalty 'abc'; expected a number"),
    ("UnknownWordPenalty0= nan", "0=0", "has the UnknownWordPenalty 'nan'; expected a number"),
    ("LM0= -1", "3-1=0", "has the phrase '3-1=0'; expected source words = target words"),
    ("LM0= -1", "0=1-0", "has the phrase '0=1-0'; expected source words"),
    ("LM0= -1", "0=0**", r"has the phrase '0=0\*\*'; expected source words"),
    ("LM0= -1", "0-999999999=0", "do not cover its 1 source words"),
    ("LM0= -1", f"0-{'9' * 5000}=0", "expected source words = target words"),
    ("Trained_swap= 0.5", "0=0", "has the feature Trained_swap already: the lists were rescored before"),
)


@pytest.mark.parametrize(("features", "segments", "message"), BAD_LINES)
def test_damaged_lines_are_errors_with_their_line(
    features: str, segments: str, message: str, plain: Model, tmp_path: Path
):
    template = SparseReordering("Trained", top=2)
    reordering = write_reordering(tmp_path / "reordering", template, all_names(plain, template))
    (tmp_path / "source").write_text("a\n")
    line = f"0 ||| W ||| {features} ||| -1 ||| {segments}\n"
    (tmp_path / "lists").write_text("0 ||| W ||| LM0= -1 ||| -1 ||| 0=0\n" + line)
    with pytest.raises(InputError, match=message) as error:
        rescore(tmp_path / "lists", reordering, tmp_path / "rescored", source=tmp_path / "source")
    assert error.value.line == 2
    assert not (tmp_path / "rescored").exists()


def test_empty_lists_do_not_replace_a_file(plain: Model, tmp_path: Path):
    template = SparseReordering("Trained", top=2)
    reordering = write_reordering(tmp_path / "reordering", template, all_names(plain, template))
    for name, text in (("source", "a\n"), ("lists", ""), ("rescored", "of before\n")):
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match="has no candidates"):
        rescore(tmp_path / "lists", reordering, tmp_path / "rescored", source=tmp_path / "source")
    assert (tmp_path / "rescored").read_text() == "of before\n"


@pytest.mark.process
def test_the_commands_write_and_rescore_lists(plain: Model, tmp_path: Path):
    template = SparseReordering("Trained", top=2)
    reordering = write_reordering(tmp_path / "reordering", template, all_names(plain, template))
    (tmp_path / "source").write_text("a b c\n")
    flags = ("--nbest", "5", "--nbest-output", tmp_path / "lists", "--nbest-segments", "--quiet")
    done = run("decode", plain.directory, "--input", tmp_path / "source", *flags)
    assert done.returncode == 0, done.stderr
    done = run(
        "xbleu", "rescore", tmp_path / "lists", reordering, "--source", tmp_path / "source",
        "-o", tmp_path / "lists2",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "candidates of 1 sentences: added Trained_monotone" in done.stderr
    assert all(" Trained_swap= " in line for line in (tmp_path / "lists2").read_text().splitlines())

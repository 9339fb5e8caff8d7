"""N-best lists with the features of a trained reordering model."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.commands import run
from tests.decode import tiny
from tests.decode.test_sparse_reordering import FORMS
from tests.xbleu.attached import SENTENCES, all_names, dense, write_lists, write_reordering

from tunesmith.candidates import Pool
from tunesmith.decode import DecodeOutputs, decode_file
from tunesmith.decode.opening import open_decoder
from tunesmith.errors import InputError, OptionError
from tunesmith.features import SparseReordering
from tunesmith.model import Model
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
    for segment in fields[4].split():
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

"""`tunesmith decode`: its contract and its outputs."""

from __future__ import annotations

import json
import subprocess

import numpy as np
import pytest
from tests.decode.commands import PROGRAM, SENTENCES, decode, decode_process, left

from tunesmith import Decoding, decode_file
from tunesmith.candidates import Pool
from tunesmith.decode import DecodeOutputs, PhraseDecoder, SearchOptions
from tunesmith.errors import InputError, OptionError
from tunesmith.features import TEMPLATES
from tunesmith.forest.file import ForestFile
from tunesmith.model import train
from tunesmith.weights import Weights


@pytest.mark.process
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


@pytest.mark.process
def test_without_files_it_reads_standard_input_and_writes_standard_output(folder):
    decode_process("model", "--input", "test.de", "--output", "out", folder=folder)
    done = decode_process("model", "--quiet", folder=folder, stdin=(folder / "test.de").read_text())
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (folder / "out").read_text()


@pytest.mark.process
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
        decode_file(folder / "model", folder / "test.de", DecodeOutputs(**names), Decoding(threads=threads))
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


@pytest.mark.slow
def test_raw_text_is_prepared_as_in_training(small_corpus, tmp_path):
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


def test_python_takes_the_same_options(folder):
    summary = decode_file(folder / "model", folder / "test.de", DecodeOutputs(folder / "out"))
    assert summary.sentences == SENTENCES
    assert summary.words == len((folder / "test.de").read_text().split())
    decoder = PhraseDecoder.open(folder / "model")
    scores = [one.score for one in decoder.translate_all((folder / "test.de").read_text().splitlines())]
    assert summary.average_score == pytest.approx(sum(scores) / len(scores))
    with pytest.raises(OptionError, match="is an input too"):
        decode_file(decoder, folder / "test.de", DecodeOutputs(folder / "test.de"))
    with pytest.raises(OptionError, match="a decoder already has weights, options and templates"):
        decode_file(
            decoder, folder / "test.de", DecodeOutputs(folder / "out"), Decoding(search=SearchOptions())
        )
    with pytest.raises(InputError, match="contains a line break"):
        decoder.translate("der\nhund")


def test_given_translations_are_used_where_markup_is_asked_for(folder):
    (folder / "marked").write_text('<np translation="the given words">der hund</np> schläft .\n')
    done = decode("model", "--input", "marked", "--input-format", "markup", folder=folder)
    assert done.returncode == 0, done.stderr
    assert "the given words" in done.stdout
    refused = decode("model", "--input", "marked", "--input-format", "markup", "--prepare", folder=folder)
    assert refused.returncode == 1
    assert "prepare the text before adding markup" in refused.stderr


@pytest.mark.slow
def test_features_of_templates_are_added_by_name(folder):
    done = decode(
        *("model", "--input", "test.de", "--output", "out", "--nbest", 3, "--nbest-output", "nbest"),
        *("--template", "border-bigrams", "--template", "phrase-length"),
        folder=folder,
    )
    assert done.returncode == 0, done.stderr
    names = Pool.read(folder / "nbest").feature_names
    assert any(name.startswith("BorderBigram_") for name in names)
    assert any(name.startswith("PhraseLength_") for name in names)
    wrong = decode("model", "--input", "test.de", "--template", "border-bigram", folder=folder)
    assert wrong.returncode == 2
    assert "border-bigrams" in wrong.stderr


def test_one_sentence_is_one_sentence(folder):
    assert decode("model", folder=folder, stdin="der\n").stderr.startswith("1 sentence, 1 word (")
    assert decode("model", folder=folder, stdin="der hund\n\n").stderr.startswith("2 sentences, 2 words (")


def test_the_help_names_all_templates(folder):
    shown = " ".join(decode("--help", folder=folder).stdout.replace("│", " ").split())
    own = [name for name, made in TEMPLATES.items() if made.__module__.startswith("tunesmith.")]
    assert len(own) >= 2
    assert [name for name in own if name not in shown] == []

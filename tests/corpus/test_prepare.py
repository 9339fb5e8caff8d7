"""Raw parallel text becomes text fit for training."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import pytest
from sacremoses import MosesTokenizer

from tunesmith.corpus import blocks
from tunesmith.corpus.alignments import Alignments
from tunesmith.corpus.prepare import PrepareOptions, prepare
from tunesmith.corpus.truecase import Truecaser
from tunesmith.errors import InputError, OptionError
from tunesmith.files import read_lines

SOURCE = ["Das ist gut.", "", "Das ist gut.", "x " * 90, "a", "Er\x01 sagt:\tJa\u2028!", "Ein Haus ist gut."]
TARGET = [
    "That is good.",
    "empty",
    "That is good.",
    "y",
    "b c d e f g h i j k",
    "He says: Yes!",
    "A house is good.",
]
AS_GIVEN = PrepareOptions(tokenize="none", case="keep")


def write(folder: Path, source: list[str], target: list[str]) -> tuple[Path, Path]:
    for name, lines in (("raw.de", source), ("raw.en", target)):
        (folder / name).write_bytes("".join(line + "\n" for line in lines).encode())
    return folder / "raw.de", folder / "raw.en"


def test_text_is_tokenized_lowercased_cleaned_and_counted(tmp_path: Path) -> None:
    said: list[str] = []
    (tmp_path / "docs").write_text("".join(f"d{number}\n" for number in range(7)))
    done = prepare(
        *write(tmp_path, SOURCE, TARGET),
        tmp_path / "out",
        PrepareOptions("de", "en", deduplicate="pair"),
        documents=tmp_path / "docs",
        progress=said.append,
    )
    assert read_lines(tmp_path / "out.de") == ["das ist gut .", "er sagt : ja !", "ein haus ist gut ."]
    assert read_lines(tmp_path / "out.en") == ["that is good .", "he says : yes !", "a house is good ."]
    assert read_lines(tmp_path / "out.docs") == ["d0", "d5", "d6"]
    assert done.rows.tolist() == [0, 5, 6]
    assert done.counts == {
        "kept": 3, "control": 0, "empty": 1, "short": 0, "long": 1, "ratio": 1, "duplicate": 1,
    }  # fmt: skip
    assert done.tokens == (14, 14)
    assert said[-1] == (
        "kept 3 of 7 sentence pairs; dropped: 1 with an empty side (line 2); 1 with a side over 80 tokens"
        " (max_length) (line 4); 1 with over 9 times as many tokens on one side as on the other (ratio)"
        " (line 5); 1 repeated (line 3)"
    )
    assert Alignments.of([[(i, 0)] for i in range(7)]).take(done.rows) == Alignments.of(
        [[(0, 0)], [(5, 0)], [(6, 0)]]
    )


def test_truecasing_trains_on_the_cleaned_text_and_saves_its_models(tmp_path: Path) -> None:
    source = ["Ein Haus", "das Haus ist da", "Da ist das Haus", "Das ist gut"]
    done = prepare(
        *write(tmp_path, source, source), tmp_path / "out", PrepareOptions("de", "en", case="true")
    )
    assert done.truecasers is not None
    assert done.truecasers[0] == Truecaser.train(source) == Truecaser.load(tmp_path / "out.truecase.de")
    assert read_lines(tmp_path / "out.de") == [
        "Ein Haus",
        "das Haus ist da",
        "da ist das Haus",
        "das ist gut",
    ]
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("case", ["lower", "true", "keep"])
def test_small_blocks_give_the_same_files(tmp_path: Path, case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    options = PrepareOptions("de", "en", case=case, deduplicate="pair")  # type: ignore[arg-type]
    inputs = write(tmp_path, SOURCE * 3, TARGET * 3)
    whole = prepare(*inputs, tmp_path / "whole", options)
    plain = blocks.parallel_blocks
    monkeypatch.setattr("tunesmith.corpus.prepare.parallel_blocks", lambda paths: plain(paths, 2))
    parts = prepare(*inputs, tmp_path / "parts", options)
    for suffix in ("de", "en"):
        assert (tmp_path / f"parts.{suffix}").read_bytes() == (tmp_path / f"whole.{suffix}").read_bytes()
    assert parts.rows.tolist() == whole.rows.tolist()
    assert parts.counts == whole.counts


def test_text_as_given_keeps_its_tokens_in_any_script(tmp_path: Path) -> None:
    lines = ["שלום עולם .", "我 们 ||| 好", "don't  split"]
    done = prepare(*write(tmp_path, lines, lines), tmp_path / "out", AS_GIVEN)
    assert done.source.name == "out.source"
    assert read_lines(done.source) == ["שלום עולם .", "我 们 ||| 好", "don't split"]


def test_lines_of_ten_thousand_words_are_dropped_or_kept_as_asked(tmp_path: Path) -> None:
    lines = ["w " * 10_000, "a"]
    inputs = write(tmp_path, lines, lines)
    assert prepare(*inputs, tmp_path / "out", AS_GIVEN).counts["long"] == 1
    wide = PrepareOptions(tokenize="none", case="keep", max_length=10_000)
    assert prepare(*inputs, tmp_path / "out", wide).tokens == (10_001, 10_001)


def test_pairs_with_control_characters_are_dropped_on_demand(tmp_path: Path) -> None:
    drop = PrepareOptions("de", "en", controls="drop")
    done = prepare(*write(tmp_path, SOURCE, TARGET), tmp_path / "out", drop)
    assert done.counts["control"] == 1
    assert done.rows.tolist() == [0, 2, 6]


def test_compressed_files_and_dos_line_ends_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"a b\r\nc\r\n"))
    (tmp_path / "b.xz").write_bytes(lzma.compress(b"x\ny"))
    done = prepare(tmp_path / "a.gz", tmp_path / "b.xz", tmp_path / "out", AS_GIVEN)
    assert read_lines(done.source) == ["a b", "c"]
    assert read_lines(done.target) == ["x", "y"]


def test_a_failed_run_leaves_nothing(tmp_path: Path) -> None:
    inputs = write(tmp_path, ["a", "b"], ["a"])
    for case in ("lower", "true"):
        with pytest.raises(InputError, match=r"raw\.de:2: this line has no partner"):
            prepare(*inputs, tmp_path / "out", PrepareOptions("de", "en", case=case))  # type: ignore[arg-type]
    (tmp_path / "raw.en").write_bytes(b"a\n\xfc\n")
    with pytest.raises(InputError, match=r"raw\.en:2: not UTF-8"):
        prepare(*inputs, tmp_path / "out", AS_GIVEN)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["raw.de", "raw.en"]


def test_documents_that_are_too_few_are_refused_with_the_line(tmp_path: Path) -> None:
    inputs = write(tmp_path, ["a", "b"], ["a", "b"])
    (tmp_path / "docs").write_text("d\n")
    with pytest.raises(InputError, match="no partner") as caught:
        prepare(*inputs, tmp_path / "out", AS_GIVEN, documents=tmp_path / "docs")
    assert caught.value.line == 2


def test_nothing_left_is_an_error(tmp_path: Path) -> None:
    for case in ("lower", "true", "keep"):
        options = PrepareOptions(tokenize="none", case=case)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="dropped: 2 with an empty side"):
            prepare(*write(tmp_path, ["", "a"], ["b", " "]), tmp_path / "out", options)


def test_a_full_disk_is_an_error_and_no_side_appears(tmp_path: Path) -> None:
    (tmp_path / "out.source").symlink_to("/dev/full")
    with pytest.raises(InputError, match="cannot write"):
        prepare(*write(tmp_path, ["a"], ["b"]), tmp_path / "out", AS_GIVEN)
    assert not (tmp_path / "out.target").exists()


def test_an_output_that_is_an_input_is_refused(tmp_path: Path) -> None:
    inputs = write(tmp_path, ["a"], ["b"])
    with pytest.raises(OptionError, match="is an input"):
        prepare(*inputs, tmp_path / "raw", PrepareOptions("de", "en"))
    assert read_lines(inputs[0]) == ["a"]


def test_wrong_options_are_refused() -> None:
    with pytest.raises(OptionError, match="name the languages"):
        PrepareOptions("de")
    with pytest.raises(OptionError, match="such as 'en'"):
        PrepareOptions("german", "en")
    with pytest.raises(OptionError, match="did you mean 'lower'"):
        PrepareOptions("de", "en", case="lowr")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="max_length"):
        PrepareOptions("de", "en", max_length=0)
    assert PrepareOptions("en", "en").suffixes == ("source", "target")


@pytest.mark.slow
def test_europarl_is_what_sacremoses_and_python_make_of_it(shared_data: Path, tmp_path: Path) -> None:
    raw = [shared_data / f"europarl-fr-en.dev.{language}.xz" for language in ("fr", "en")]
    done = prepare(*raw, tmp_path / "dev", PrepareOptions("fr", "en", max_length=60), threads=2)
    lines = [read_lines(path) for path in raw]
    expected = []
    for row, pair in enumerate(zip(*lines, strict=True)):
        tokens = [
            [token.lower() for token in MosesTokenizer(language).tokenize(text, escape=False)]
            for language, text in zip(("fr", "en"), pair, strict=True)
        ]
        sizes = sorted(len(side) for side in tokens)
        if sizes[0] >= 1 and sizes[1] <= 60 and sizes[1] <= 9 * sizes[0]:
            expected.append((row, *(" ".join(side) for side in tokens)))
    found = zip(done.rows.tolist(), read_lines(done.source), read_lines(done.target), strict=True)
    assert list(found) == expected


TRUE = PrepareOptions("de", "en", case="true")


def test_all_outputs_are_checked_before_the_work(tmp_path: Path) -> None:
    inputs = write(tmp_path, SOURCE, TARGET)
    said: list[str] = []
    (tmp_path / "out.truecase.en").mkdir()
    with pytest.raises(InputError, match=r"out\.truecase\.en: is a directory"):
        prepare(*inputs, tmp_path / "out", TRUE, progress=said.append)
    with pytest.raises(InputError, match="folder does not exist"):
        prepare(*inputs, tmp_path / "out", AS_GIVEN, lines=tmp_path / "no" / "lines", progress=said.append)
    with pytest.raises(OptionError, match="is another output"):
        prepare(*inputs, tmp_path / "out", AS_GIVEN, lines=tmp_path / "out.source", progress=said.append)
    with pytest.raises(OptionError, match="is an input"):
        prepare(*inputs, tmp_path / "out", AS_GIVEN, lines=inputs[0], progress=said.append)
    assert not said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.truecase.en", "raw.de", "raw.en"]


@pytest.mark.parametrize("full", ["out.truecase.en", "lines"])
def test_no_file_appears_where_one_cannot_be_written(tmp_path: Path, full: str) -> None:
    (tmp_path / full).symlink_to("/dev/full")
    with pytest.raises(InputError, match="cannot write"):
        prepare(*write(tmp_path, SOURCE, TARGET), tmp_path / "out", TRUE, lines=tmp_path / "lines")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([full, "raw.de", "raw.en"])

"""Binary files of Moses and its language models: refused with the way to their text."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tables.toy_tables import INI, write_model

from tunesmith.errors import InputError
from tunesmith.model.moses_import import import_moses

KENLM = b"mmap lm http://kheafield.com/code format version 5\n\0" + bytes(200)


@pytest.fixture
def moses(tmp_path: Path) -> Path:
    write_model(tmp_path)
    return tmp_path


def refusal(moses: Path, *changes: tuple[str, str]) -> str:
    text = INI
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    (moses / "moses.ini").write_text(text)
    with pytest.raises(InputError) as caught:
        import_moses(moses / "moses.ini", moses / "model")
    assert not (moses / "model").exists()
    return str(caught.value)


@pytest.mark.parametrize(
    ("kind", "path", "maker", "query"),
    [
        (
            "PhraseDictionaryCompact",
            "phrase-table.minphr",
            "processPhraseTableMin -in",
            "queryPhraseTableMin",
        ),
        ("PhraseDictionaryBinary", "phrase-table", "processPhraseTable -ttable", "queryPhraseTable -n 4"),
        ("PhraseDictionaryOnDisk", "phrase-table.folder", "CreateOnDiskPt 1 1 4", None),
        ("ProbingPT", "probing", "binarize4moses2.perl --phrase-table", None),
    ],
)
def test_binary_phrase_tables_are_refused_with_what_made_them(
    kind: str, path: str, maker: str, query: str | None, moses: Path
) -> None:
    changes = ("PhraseDictionaryMemory", kind), ("path=phrase-table", f"path={path}")
    message = refusal(moses, *changes)
    assert maker in message
    assert f"write `PhraseDictionaryMemory` instead of `{kind}`" in message
    assert ("If the text is lost" in message) == (query is not None)
    assert query is None or query in message


def test_text_beside_a_compact_table_is_pointed_out(moses: Path) -> None:
    changes = ("Memory name", "Compact name"), ("path=phrase-table", "path=phrase-table.minphr")
    message = refusal(moses, *changes)
    assert "perhaps phrase-table.gz, which is in the same folder" in message
    assert "queryPhraseTableMin -n 4 -t phrase-table.minphr < phrases > phrase-table" in message


@pytest.mark.parametrize(
    ("start", "advice"),
    [
        (KENLM, "build_binary lm.arpa lm.binary"),
        (b"blmt 3 10", "compile-lm --text=yes"),
        (b"SRILM_BINARY_NGRAM_002\n", "-write-lm lm.arpa"),
        (b"\0\1\2", "is not an ARPA file"),
    ],
)
def test_binary_language_models_are_refused_with_the_way_to_text(
    start: bytes, advice: str, moses: Path
) -> None:
    (moses / "lm.binary").write_bytes(start)
    message = refusal(moses, ("path=lm.arpa", "path=lm.binary"))
    assert advice in message
    assert message.startswith(str(moses / "lm.binary"))
    if start == KENLM:
        assert "perhaps lm.arpa, which is in the same folder" in message


def test_text_beside_a_missing_binary_file_is_pointed_out(moses: Path) -> None:
    message = refusal(moses, ("path=lm.arpa", "path=lm.bin"))
    assert "perhaps lm.arpa, which is in the same folder" in message


@pytest.mark.parametrize(
    ("suffix", "maker"), [(".minlexr", "processLexicalTableMin"), (".binlexr.idx", "processLexicalTable")]
)
def test_binary_reordering_tables_are_refused_with_what_made_them(
    suffix: str, maker: str, moses: Path
) -> None:
    (moses / f"lex{suffix}").write_bytes(bytes(20))
    message = refusal(moses, ("path=reordering-table.wbe-msd-bidirectional-fe", "path=lex"))
    assert maker in message
    assert "name the text" in message


@pytest.mark.parametrize(
    ("old", "name"),
    [("reordering-table.wbe-msd-bidirectional-fe", "lex.minlexr"), ("phrase-table", "pt.minphr")],
)
def test_binary_tables_in_the_place_of_text_are_recognized(old: str, name: str, moses: Path) -> None:
    (moses / name).write_bytes(bytes(20))
    assert "TableMin -in" in refusal(moses, (f"path={old}", f"path={name}"))

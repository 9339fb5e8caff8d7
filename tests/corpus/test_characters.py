"""Entities and invisible characters of raw text."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.commands import run
from tests.corpus.test_tokenize import by_sacremoses

from tunesmith.corpus.characters import clean_characters, clean_line
from tunesmith.corpus.prepare import PrepareOptions, prepare
from tunesmith.corpus.side import side_of
from tunesmith.corpus.tokenize import Tokenizer
from tunesmith.texts import Texts

PIECES = [
    "&amp;",
    "&",
    "amp;",
    "&#39;",
    "&#x27;",
    "&sect;",
    "&section;",
    "&copycat;",
    "sect",
    ";",
    "\u200b",
    "\u00ad",
    "\u2060",
    "\ufeff",
    "é",
    "a",
    " ",
]
ENTITIES = {"&#39;": "'", "&#x27;": "'", "&sect;": "§"}
"""All that joined pieces can contain, beside `&amp;`."""
TEXT = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)


@pytest.mark.parametrize(
    ("raw", "tokens"),
    [
        ("A &amp; B", "A & B"),
        ("R&amp;D, it&apos;s", "R & D , it 's"),
        ("&quot;x&quot; &lt; y", '" x " < y'),
        ("caf&eacute; &#39;n&#x27;", "café ' n'"),
        ("one&nbsp;two", "one two"),
        ("AT&T; stays", "AT & T ; stays"),
        ("&section; &regular; &copycat;", "& section ; & regular ; & copycat ;"),
        ("&sect; &reg; &copy;", "§ ® ©"),
        ("twice &amp;amp; once", "twice & amp ; once"),
        ("zero\u200bwidth", "zero width"),
        ("a \u200b b", "a b"),
        ("\ufeffFirst line", "First line"),
        ("soft\u00adhyphen word\u2060joiner", "softhyphen wordjoiner"),
        ("\u200b", ""),
    ],
)
def test_entities_become_characters_and_invisible_ones_are_no_tokens(raw: str, tokens: str) -> None:
    assert Tokenizer("en")(raw) == tokens


def test_joiners_of_letters_stay() -> None:
    assert clean_line("می\u200cخواهم \u200d") == "می\u200cخواهم \u200d"


@given(line=TEXT)
def test_clean_tokens_are_those_of_moses_for_text_with_its_entities_replaced(line: str) -> None:
    shown = unescape(line, ENTITIES).replace("\u200b", " ")
    for character in "\u00ad\u2060\ufeff":
        shown = shown.replace(character, "")
    assert Tokenizer("en")(line) == by_sacremoses(shown, "en")
    assert Tokenizer("en", characters="keep")(line) == by_sacremoses(line, "en")


@given(lines=st.lists(TEXT, max_size=6))
def test_lines_are_cleaned_each_by_itself(lines: list[str]) -> None:
    assert list(clean_characters(Texts.of(lines))) == [clean_line(line) for line in lines]


def test_text_with_nothing_to_clean_is_the_same_object() -> None:
    lines = Texts.of(["a b", "c; d"])
    assert clean_characters(lines) is lines
    assert clean_characters(Texts.of(["a & b", "c"])) == Texts.of(["a & b", "c"])


def test_models_of_earlier_versions_keep_entities_as_they_were_trained() -> None:
    old = {"tokenize": "moses", "case": "keep", "target_language": "en"}
    line = Texts.of(["A &amp; B"])
    assert list(side_of(old, "target").prepare(line)) == ["A & amp ; B"]
    assert list(side_of(old | {"characters": "clean"}, "target").prepare(line)) == ["A & B"]


def test_tokenized_text_is_prepared_as_it_is(tmp_path: Path) -> None:
    for name in ("raw.de", "raw.en"):
        (tmp_path / name).write_text("it &apos;s\n")
    options = PrepareOptions(tokenize="none", case="keep")
    prepared = prepare(tmp_path / "raw.de", tmp_path / "raw.en", tmp_path / "out", options)
    assert prepared.target.read_text() == "it &apos;s\n"
    assert "characters" not in options.determinants
    assert PrepareOptions("de", "en").determinants["characters"] == "clean"


def test_the_command_keeps_them_on_request() -> None:
    given = ("corpus", "tokenize", "--language", "en")
    assert run(*given, stdin="A &amp; B\n").stdout == "A & B\n"
    assert run(*given, "--characters", "keep", stdin="A &amp; B\n").stdout == "A & amp ; B\n"

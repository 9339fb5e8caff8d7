"""Moses' markup of input."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.decode.constraints import GivenPhrase
from tunesmith.decode.input import read_requests
from tunesmith.decode.markup import parse_markup
from tunesmith.decode.request import Request
from tunesmith.errors import InputError, OptionError

LINE = 'ich sehe <np translation="the house" prob="0.8">das haus</np> dort'


def test_a_tag_gives_the_translation_of_its_words():
    assert parse_markup(LINE) == Request(
        "ich sehe das haus dort", phrases=(GivenPhrase(2, 4, "the house", 0.8),), exclusive=True
    )
    assert parse_markup(LINE, "inclusive") == Request(
        "ich sehe das haus dort", phrases=(GivenPhrase(2, 4, "the house", 0.8),), exclusive=False
    )


def test_tags_may_be_ignored_or_taken_for_words():
    assert parse_markup(LINE, "ignore") == Request("ich sehe das haus dort")
    assert parse_markup(LINE, "pass-through") == Request(LINE)
    assert parse_markup("a < b", "pass-through") == Request("a < b")


def test_alternatives_have_probabilities_of_their_own():
    request = parse_markup("<x translation='a || b c' prob='0.3||0.7'>f</x>")
    assert request.phrases == (GivenPhrase(0, 1, "a", 0.3), GivenPhrase(0, 1, "b c", 0.7))
    assert [phrase.probability for phrase in parse_markup("<x translation='a||b'>f</x>").phrases] == [1, 1]


def test_tags_are_borders_of_words_and_need_no_translation():
    assert parse_markup("a<x>b</x>c <y n='1'/> d") == Request("a b c d")
    request = parse_markup('  a  <n translation="">b</n>  ')
    assert request == Request("a b", phrases=(GivenPhrase(1, 2, "", 1.0),))


def test_escapes_stand_for_characters_unless_they_are_kept():
    line = '&lt;b&gt; <n translation="R&amp;D &quot;x&#124;">a&amp;lt;</n> &unknown; &#32; &#55296;'
    assert parse_markup(line) == Request(
        "<b> a&lt; &unknown; &#32; &#55296;", phrases=(GivenPhrase(1, 2, 'R&D "x|', 1.0),)
    )
    assert parse_markup(line, unescape=False).source == "&lt;b&gt; a&amp;lt; &unknown; &#32; &#55296;"


@pytest.mark.parametrize(
    ("text", "words"),
    [("a\tb", "a b"), ("a\u00a0b", "a b"), ("a\u2028b\t", "a b"), ("a\x01b", "ab"), ("a \x01 b", "a b")],
)
def test_phrases_are_counted_by_the_words_that_are_decoded(tmp_path, text, words):
    (tmp_path / "in").write_text(f'{text} <np translation="Q{text}">c</np> a\n', encoding="utf-8")
    ((request,),) = read_requests(tmp_path / "in", "markup")
    place = len(words.split())
    assert request.source == f"{words} c a"
    assert request.phrases == (GivenPhrase(place, place + 1, f"Q{words}", 1.0),)


@pytest.mark.parametrize("code", [0, 1, 9, 10, 32, 127, 133, 160, 8232, 12288])
def test_escapes_do_not_break_words(tmp_path, code):
    (tmp_path / "in").write_text(f'a&#{code};b <np translation="Q">c</np>\n')
    ((request,),) = read_requests(tmp_path / "in", "markup")
    assert request == replace(
        parse_markup('x <np translation="Q">c</np>'), source=f"a&#{code};b c", id="0", line=1
    )


@pytest.mark.parametrize(
    ("line", "position", "message"),
    [
        ("a < b", 3, "expected a tag, or &lt;"),
        ("a <b", 3, "expected a tag"),
        ("<b>a", 1, "<b> is not closed"),
        ("a </b>", 3, "expected no closing tag"),
        ("<a>x</b>", 5, "expected </a>"),
        ("<a>x <b>y</b></a>", 6, "cannot be nested"),
        ("x <a translation='y'></a>", 3, "translates no words"),
        ("<a translation='y'/>", 1, "translates no words"),
        ("<a translation='y' prob='2'>x</a>", 1, "above 0, at most 1"),
        ("<a translation='y' prob='nan'>x</a>", 1, "above 0, at most 1"),
        ("<a translation='y||z' prob='.5'>x</a>", 1, "expected 2"),
        ("<a translation='y' translation='z'>x</a>", 1, "twice"),
        ("<a translation=y>x</a>", 1, "expected a tag"),
    ],
)
def test_malformed_markup_is_refused_with_its_position(line, position, message):
    with pytest.raises(InputError, match=f"character {position}: .*{message}"):
        parse_markup(line)


def test_an_unknown_mode_is_refused():
    with pytest.raises(OptionError, match="did you mean 'exclusive'"):
        parse_markup("a", "exclusiv")  # type: ignore[arg-type]


@given(st.text(alphabet="ab<>/='\"&;| \n\u05d0\u4e2d", max_size=40))
def test_any_text_is_parsed_or_refused(line):
    try:
        request = parse_markup(line)
    except InputError as error:
        assert "character" in str(error)
    else:
        assert all(0 <= phrase.begin < phrase.end for phrase in request.phrases)

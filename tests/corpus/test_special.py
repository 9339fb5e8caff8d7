"""Characters that are special to Moses."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from sacremoses import MosesTokenizer

from tunesmith.corpus.special import escape_special, unescape_special


@given(st.text("&|<>'\"[]abmplt;#19 ", max_size=30))
def test_escaping_is_that_of_sacremoses_and_is_undone(text: str) -> None:
    assert escape_special(text) == MosesTokenizer("en").escape_xml(text)
    assert unescape_special(escape_special(text)) == text


def test_old_entities_are_known_and_none_is_undone_twice() -> None:
    assert unescape_special("a &bar;&bra;&ket; &amp;lt;") == "a |[] &lt;"
    assert "|||" not in escape_special("a ||| b")

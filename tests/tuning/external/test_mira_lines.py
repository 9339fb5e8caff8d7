"""Lines of Mr. MIRA's protocol."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.decode.input.seg import Seg
from tunesmith.errors import InputError
from tunesmith.tuning.external.feature_bytes import decode_features
from tunesmith.tuning.external.mira_lines import MiraCandidate, MiraSentence

WORDS = st.lists(st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1)).map(" ".join)
VALUES = st.floats(allow_nan=False, allow_infinity=False).filter(bool)
VECTORS = st.dictionaries(st.sampled_from(["lm", "tm_0", "größe", "a|||b", "word penalty"]), VALUES)


@given(st.integers(0, 99), st.integers(0, 99), WORDS, VECTORS, VALUES)
def test_a_candidate_comes_back_but_for_the_separator(number, words, text, features, score):
    candidate = MiraCandidate(str(number), words, text, features, score)
    line = candidate.line()
    assert "\n" not in line
    assert line.count("|||") == 4
    escaped = text.replace("|||", "&#124;&#124;&#124;")
    assert MiraCandidate.parse(line) == MiraCandidate(str(number), words, escaped, features, score)


@given(WORDS.filter(lambda text: "seg" not in text and "(" not in text), VECTORS)
def test_decoders_read_what_is_sent(text, delta):
    sentence = MiraSentence.parse(text, 7)
    request = Seg.parse(sentence.line(delta))
    assert (request.source, request.id) == (text.strip(), "7")
    assert decode_features(request.attributes["delta"]) == delta


@given(st.text())
def test_any_line_is_read_or_an_input_error(line):
    for parse in (MiraCandidate.parse, lambda text: MiraSentence.parse(text, 0)):
        with contextlib.suppress(InputError):
            parse(line)


@pytest.mark.parametrize("score", ["", "x", "inf", "-inf", "nan", "1 2"])
def test_a_score_that_is_no_number_is_refused(score):
    with pytest.raises(InputError, match="expected a finite number"):
        MiraCandidate.parse(f"0 ||| 1 ||| a ||| ||| {score}")

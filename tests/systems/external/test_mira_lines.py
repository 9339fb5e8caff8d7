"""Lines of Mr. MIRA's protocol."""

from __future__ import annotations

import base64
import contextlib
import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.decode.input.seg import Seg
from tunesmith.errors import InputError
from tunesmith.systems.external.feature_bytes import decode_features
from tunesmith.systems.external.mira_lines import MiraCandidate, MiraSentence

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


SIZES = st.builds(
    lambda exponent, part, sign: sign * math.ldexp(part, exponent),
    st.integers(-200, 200),
    st.floats(0.5, 1, exclude_max=True),
    st.sampled_from([-1.0, 1.0]),
)


def cut_answer(features: dict[str, float], score: str) -> str:
    """A candidate as cdec writes it, whose payload lacks half a byte."""
    data = b"".join(name.encode() + b"\0" + struct.pack("<d", value) for name, value in features.items())
    assert len(data) % 3 == 2
    return f"0 ||| 1 ||| a ||| {base64.b64encode(data).decode()[:-2]}== ||| {score}"


@given(SIZES, st.floats(0.1, 10))
def test_a_cut_feature_is_what_explains_the_score(value, weight):
    line = cut_answer({"ab": value}, repr(weight * value))
    assert MiraCandidate.parse(line, {"ab": weight}).features == {"ab": value}


def test_six_digits_of_a_score_tell_a_small_feature_from_a_usual_one():
    weights = {"lm": 1.0, "tm_0": 0.5, "ab": 0.3}
    for value in (-1e-5, 2e-5, -0.65536, 3.0):
        features = {"lm": -48.25, "tm_0": -21.5, "ab": value}
        score = sum(weights.get(name, 0.0) * each for name, each in features.items())
        found = MiraCandidate.parse(cut_answer(features, f"{score:.6g}"), weights).features
        assert list(found.items()) == list(features.items())


@pytest.mark.parametrize(
    ("score", "weights"), [("-0.5", None), ("7", {"ab": 1.0}), ("0", {"ab": 0.0}), ("0", {})]
)
def test_a_cut_feature_has_its_usual_size_if_the_score_does_not_tell(score, weights):
    assert MiraCandidate.parse(cut_answer({"ab": -0.5}, score), weights).features == {"ab": -0.5}


def test_a_whole_feature_is_not_changed_by_a_score_that_it_does_not_explain():
    line = MiraCandidate("0", 1, "a", {"ab": 1e-6}, 0.065536).line()
    assert MiraCandidate.parse(line, {"ab": 1.0}).features == {"ab": 1e-6}


def test_a_candidate_without_features_has_a_word_in_their_place():
    line = MiraCandidate("0", 1, "a", {"zero": 0.0}, 0.0).line()
    assert line.split() == ["0", "|||", "1", "|||", "a", "|||", "AAAA", "|||", "0.0"]
    assert MiraCandidate.parse(line).features == {}

"""Feature vectors in base64."""

from __future__ import annotations

import base64
import contextlib
import math
import struct

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tunesmith.errors import InputError
from tunesmith.systems.external.feature_bytes import decode_features, encode_features, restore_features

NAMES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=8)
VALUES = st.floats(allow_nan=False, allow_infinity=False).filter(bool)
COMMON = st.floats(2**-15, 2**17, exclude_max=True) | st.floats(-(2**17), -(2**-15), exclude_min=True)


def payload(features: dict[str, float]) -> bytes:
    return b"".join(name.encode() + b"\0" + struct.pack("<d", value) for name, value in features.items())


def as_cdec_writes(data: bytes) -> str:
    """The digits of cdec's encoder: four of a whole block of three bytes; of a shorter one the first two, for
    its first twelve bits, and `==`. A block of two bytes loses its last four bits."""
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    text = ""
    for place in range(0, len(data), 3):
        block = data[place : place + 3]
        first, second, third = block.ljust(3, b"\0")
        text += digits[first >> 2] + digits[(first & 3) << 4 | second >> 4]
        text += digits[(second & 15) << 2 | third >> 6] + digits[third & 63] if len(block) == 3 else "=="
    return text


def as_cdec_reads(text: str) -> dict[str, float]:
    """What cdec's decoder makes of digits: whole blocks only, `=` for zero, up to an empty name."""
    data, features = base64.b64decode(text.replace("=", "A")), {}
    while data and data[0]:
        name, _, rest = data.partition(b"\0")
        features[name.decode()] = struct.unpack("<d", rest[:8])[0]
        data = rest[8:]
    return features


@given(st.dictionaries(NAMES, VALUES))
def test_what_is_encoded_comes_back(features):
    assert decode_features(encode_features(features)) == features


@given(st.dictionaries(NAMES, VALUES))
def test_peers_read_what_we_write(features):
    assert as_cdec_reads(encode_features(features)) == features


@given(st.dictionaries(NAMES, VALUES))
def test_standard_base64_without_filling_is_read(features):
    assert decode_features(base64.b64encode(payload(features)).decode()) == features


@given(st.dictionaries(NAMES, VALUES))
@example({"a": 0.25})
@example({"ab": 0.25})
@example({"ab": 1e-5})
@example({"ab": -1e300})
@example({"abc": 0.25})
def test_we_read_of_what_peers_write_what_their_decoders_read(features):
    text = as_cdec_writes(payload(features))
    assert decode_features(text) == as_cdec_reads(text)


@given(st.dictionaries(NAMES, VALUES))
def test_only_payloads_with_a_last_block_of_two_bytes_are_cut(features):
    data = payload(features)
    if len(data) % 3 != 2:
        assert decode_features(as_cdec_writes(data)) == features


@given(st.dictionaries(NAMES, COMMON, min_size=1))
def test_what_peers_cut_off_features_of_usual_size_is_restored(features):
    assert restore_features(as_cdec_writes(payload(features))) == features


@pytest.mark.parametrize("name", ["a", "ab", "abc"])
def test_each_length_modulo_three_survives_both_ways(name):
    data = payload({name: -2.25})
    assert {len(payload({other: 1.0})) % 3 for other in ("a", "ab", "abc")} == {0, 1, 2}
    assert len(base64.b64decode(encode_features({name: -2.25}))) % 3 == 0
    for text in (encode_features({name: -2.25}), base64.b64encode(data).decode(), as_cdec_writes(data)):
        assert decode_features(text) == restore_features(text) == {name: -2.25}


def test_a_small_delta_that_was_cut_is_not_made_larger():
    (value,) = decode_features(as_cdec_writes(payload({"ab": 1e-5}))).values()
    assert abs(value) < 2**-239


def test_cdec_itself_would_lose_what_it_cut():
    cut = as_cdec_writes(payload({"ab": -2.25, "cdef": 0.5}))
    assert len(payload({"ab": -2.25, "cdef": 0.5})) % 3 == 0
    assert as_cdec_reads(cut) == {"ab": -2.25, "cdef": 0.5}
    cut = as_cdec_writes(payload({"ab": 0.5}))
    assert len(payload({"ab": 0.5})) % 3 == 2
    assert as_cdec_reads(cut) != {"ab": 0.5}


@given(st.text() | st.binary().map(lambda data: base64.b64encode(data).decode()))
def test_any_text_is_a_vector_or_an_input_error(text):
    with contextlib.suppress(InputError):
        assert all(map(math.isfinite, decode_features(text).values()))


def test_nothing_is_an_empty_text():
    assert encode_features({}) == encode_features({"zero": 0.0}) == ""
    assert decode_features("") == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%%%%", "expected features in base64, found '%%%%'"),
        ("YWI", "expected features in base64"),
        ("größe", "expected features in base64"),
        (base64.b64encode(b"a name that goes on").decode(), "within a name or a value, after 0 whole ones"),
        (base64.b64encode(payload({"lm": 1.5})[:-3]).decode(), "end within a name or a value"),
        (base64.b64encode(payload({"lm": math.nan})).decode(), "the feature 'lm' is nan"),
        (base64.b64encode(payload({"lm": -math.inf})).decode(), "the feature 'lm' is -inf"),
        (base64.b64encode(payload({"lm": 1.0}) * 2).decode(), "the feature 'lm' is there twice"),
        (base64.b64encode(b"\xff\0" + bytes(8)).decode(), "is not UTF-8"),
    ],
)
def test_what_is_no_vector_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        decode_features(text)


def test_a_last_feature_far_from_usual_sizes_is_not_restored():
    with pytest.raises(InputError, match="cannot be restored"):
        restore_features(as_cdec_writes(payload({"lm": 1e-200})))


@pytest.mark.parametrize("features", [{"": 1.0}, {"a\0b": 1.0}, {"lm": math.nan}, {"lm": math.inf}])
def test_what_cannot_be_sent_is_refused(features):
    with pytest.raises(InputError, match="expected"):
        encode_features(features)

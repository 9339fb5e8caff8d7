from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.candidates.compare import candidates
from tests.candidates.readers.conftest import Make
from tests.strategies import any_text

from tunesmith import _native
from tunesmith.candidates import Pool
from tunesmith.candidates.readers.base import assemble
from tunesmith.errors import InputError


def parse(text: str | bytes) -> Pool:
    parser = _native.JsonlParser()
    parser.feed(text.encode() if isinstance(text, str) else text)
    return assemble(parser.finish())


def sentence(hypothesis: str) -> str:
    return '{"id": 0, "hypotheses": [' + hypothesis + "]}"


def test_all_that_a_sentence_may_have_is_read(make: Make) -> None:
    lines = """\
{"id": "a", "source": "s", "references": ["r", "q"], "hypotheses": [
 {"text": "x y", "features": {"lm": -3.1, "tm": 2}, "scores": {"comet": 0.5}, "total": -1},
 {"total": 1e3, "scores": {"comet": 0}, "text": "", "features": {}}]}
""".replace("\n ", " ")
    lines += '\n{"hypotheses": [{"text": "z", "features": {"new": 1}, "scores": {"comet": 1}, "total": 0}], '
    lines += '"references": ["", "t"], "source": "u", "id": 17}'
    pool = Pool.read(make(lines, "x.jsonl"))
    assert pool.ids == ("a", "17")
    assert candidates(pool) == [[("x y", {"lm": -3.1, "tm": 2.0}), ("", {})], [("z", {"new": 1.0})]]
    assert [list(reference) for reference in pool.references] == [["r", ""], ["q", "t"]]
    assert pool.sources == ["s", "u"]
    assert pool.scores["comet"].tolist() == [0.5, 0.0, 1.0]
    assert pool.totals is not None and pool.totals.tolist() == [-1.0, 1000.0, 0.0]


def test_the_order_of_features_may_be_told_first() -> None:
    pool = parse('{"feature_names": ["b", "a"]}\n' + sentence('{"features": {"a": 1, "c": 2}}'))
    assert pool.feature_names == ("b", "a", "c")
    assert pool.texts is None


@given(st.lists(any_text, min_size=1), st.booleans())
def test_strings_are_read_as_pythons_json_reads_them(texts: list[str], ascii_only: bool) -> None:
    hypotheses = [{"text": text, "features": {}} for text in texts]
    line = json.dumps({"id": 1, "hypotheses": hypotheses}, ensure_ascii=ascii_only)
    assert list(parse(line).texts or []) == texts


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**25), 10**25))
def test_numbers_are_read_as_python_reads_them(value: float) -> None:
    pool = parse(sentence(f'{{"features": {{"f": {json.dumps(value)}}}}}'))
    assert pool.features.values.tobytes() == np.float64(value).tobytes()


@given(st.text(st.sampled_from('\\"/bfnrtuUdD0123456789aAeEfF é\t'), max_size=16))
def test_a_string_is_refused_if_and_only_if_pythons_json_refuses_it(content: str) -> None:
    try:
        expected = json.loads(f'"{content}"')
        expected.encode()  # Python takes lone surrogates, which no UTF-8 can hold
    except ValueError:
        with pytest.raises(InputError):
            parse(sentence(f'{{"text": "{content}"}}'))
    else:
        assert parse(sentence(f'{{"text": "{content}"}}')).texts == [expected]


@given(st.text(st.sampled_from("0123456789+-.eE"), min_size=1, max_size=8))
def test_a_number_is_refused_if_and_only_if_pythons_json_refuses_it(content: str) -> None:
    try:
        expected = float(json.loads(content))
        assert np.isfinite(expected)
    except (ValueError, AssertionError):
        with pytest.raises(InputError):
            parse(sentence(f'{{"features": {{"f": {content}}}}}'))
    else:
        found = parse(sentence(f'{{"features": {{"f": {content}}}}}')).features.values
        assert found.tobytes() == np.float64(expected).tobytes() or expected == 0.0 == found[0]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('{"id": 0}', "no 'hypotheses'"),
        ('{"hypotheses": [{"features": {}}]}', "no 'id'"),
        ('{"id": 0, "hypotheses": []}', "sentence '0' has no candidates"),
        ('{"id": 0.5, "hypotheses": []}', "expected a string or a whole number at byte 8"),
        ('{"id": null, "hypotheses": []}', "expected a finite number at byte"),
        ('{"id": 0, "id": 1, "hypotheses": []}', "repeated key 'id'"),
        ('{"id": 0, "hypothesis": []}', "unknown key 'hypothesis'; expected one of id, hypotheses,"),
        (sentence('{"text": "a", "text": "b"}'), "repeated key 'text'"),
        (
            sentence('{"text": "a", "score": -0.1}'),
            'a log probability, are features: "features": {"logprob": -0.5}',
        ),
        (sentence('{"feature": {}}'), "unknown key 'feature'; expected one of text, features, scores, total"),
        (sentence('{"features": {"a": 1, "b": 2, "a": 1}}'), "feature 'a' is repeated in one candidate"),
        (sentence('{"features": {"a": NaN}}'), "expected a finite number at byte"),
        (sentence('{"features": {"a": 1e999}}'), "feature 'a' is inf; expected a finite number"),
        (sentence('{"features": {"a": true}}'), "expected a finite number at byte"),
        (sentence('{"features": {"a": "1"}}'), "expected a finite number at byte"),
        (sentence('{"features": {"a": 01}}'), "expected ',' or '}' at byte"),
        (sentence('{"features": {"a": 1.}}'), "expected a digit at byte"),
        (sentence('{"features": {"a": 1,}}'), "expected a string at byte"),
        (sentence('{"scores": {"c": 1, "c": 2}}'), "score 'c' is repeated in one candidate"),
        (sentence('{"text": "a"}, {"features": {}}'), "some candidates have a text and some"),
        (sentence('{"scores": {"c": 1}}, {"features": {}}'), "some candidates have a score 'c' and some"),
        (sentence('{"text": "\\ud800"}'), "expected the second half of a surrogate pair at byte"),
        (sentence('{"text": "\\udc00"}'), "instead of half a surrogate pair"),
        (sentence('{"text": "\\ud800\\u0041"}'), "expected the second half of a surrogate pair at byte"),
        (sentence('{"text": "\\x"}'), "one of"),
        (sentence('{"text": "\\u12g4"}'), "expected a hexadecimal digit at byte"),
        (sentence('{"text": "a\tb"}'), "an escape instead of a control character"),
        (sentence("{}") + " x", "expected nothing more at byte"),
        (sentence("{}")[:-1], "expected ',' or '}' at byte"),
        ("[]", "expected an object at byte 1, found '['"),
    ],
)
def test_what_is_not_right_is_an_error_with_the_line(make: Make, line: str, complaint: str) -> None:
    path = make(f"\n\n{line}\n", "x.jsonl")
    with pytest.raises(InputError, match=":3: .*" + re.escape(complaint)):
        Pool.read(path)


def test_a_repeated_id_is_an_error(make: Make) -> None:
    line = '{"id": %s, "hypotheses": [{"features": {"a": 1}}]}\n'
    with pytest.raises(InputError, match=":2: sentence '1' is there twice"):
        Pool.read(make(line % 1 + line % '"1"', "x.jsonl"))


def test_names_told_first_stand_alone_and_once() -> None:
    with pytest.raises(InputError, match="must be the only key of its line"):
        parse('{"feature_names": ["a"], "id": 0}')
    with pytest.raises(InputError, match="two features are named 'a'"):
        parse('{"feature_names": ["a", "a"]}')
    with pytest.raises(InputError, match="must be on the first line"):
        parse(sentence('{"features": {}}') + '\n{"feature_names": ["a"]}')


def test_sentences_have_the_same_number_of_references() -> None:
    line = '{"id": %d, "references": %s, "hypotheses": [{"features": {"a": 1}}]}'
    with pytest.raises(InputError, match="this sentence has 2 references, but those before it have 1"):
        parse(line % (0, '["a"]') + "\n" + line % (1, '["a", "b"]'))
    with pytest.raises(InputError, match="some sentences have a reference"):
        parse(line % (0, '["a"]') + "\n" + sentence('{"features": {}}').replace("0", "1"))
    with pytest.raises(InputError, match="this sentence has 1 references, but those before it have 0"):
        parse(sentence('{"features": {}}') + "\n" + line % (1, '["a"]'))


def test_a_file_of_blank_lines_is_an_error() -> None:
    with pytest.raises(InputError, match="no sentences in this file"):
        parse("\n \n")

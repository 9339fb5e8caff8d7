from __future__ import annotations

import gzip
import itertools

import pytest
from tests.candidates.readers.conftest import Make

from tunesmith.candidates import Pool
from tunesmith.candidates.readers.base import READERS
from tunesmith.candidates.readers.detect import detect
from tunesmith.errors import InputError, OptionError

SAMPLES = {
    "moses": b"0 ||| a ||| LM= 1 ||| 0\n",
    "moses-old": b"0||| a ||| lm: 1 ||| 0\n",
    "cdec": b"0 ||| a ||| LM=1 ||| 0\n",
    "travatar": b"0 ||| a ||| 0 ||| LM=1\n",
    "jsonl": b'{"id": 0, "hypotheses": [{"text": "a", "features": {"LM": 1}}]}\n',
}


@pytest.mark.parametrize("name", SAMPLES)
def test_each_format_is_told_by_its_first_line(name: str) -> None:
    assert detect("lists", SAMPLES[name]).name == name


@pytest.mark.parametrize(("name", "other"), [*itertools.permutations(SAMPLES, 2)])
def test_no_file_can_be_read_in_the_format_of_another(make: Make, name: str, other: str) -> None:
    with pytest.raises(InputError, match=":1: "):
        Pool.read(make(SAMPLES[name]), format=other)


def test_the_first_line_with_features_decides(make: Make) -> None:
    assert detect("lists", b"0 ||| a ||| ||| 0\n" + SAMPLES["cdec"]).name == "cdec"
    assert detect("lists", b"0 ||| a ||| ||| 0\n" + SAMPLES["moses-old"]).name == "moses-old"


def test_a_line_of_another_format_further_on_is_an_error_that_tells_the_guess(make: Make) -> None:
    path = make(SAMPLES["moses"] + SAMPLES["cdec"])
    with pytest.raises(InputError, match=r":2: .*read as moses; name the format if it is another"):
        Pool.read(path)
    with pytest.raises(InputError) as caught:
        Pool.read(path, format="moses")
    assert "name the format" not in str(caught.value)


def test_the_suffix_decides_before_the_content(make: Make) -> None:
    assert detect("x.jsonl.gz", b"0 ||| a").name == "jsonl"
    with pytest.raises(InputError, match=r"x\.jsonl:1: unexpected JSON"):
        Pool.read(make(SAMPLES["moses"], "x.jsonl"))


def test_a_first_line_longer_than_a_chunk_is_seen_whole(make: Make) -> None:
    text = "word " * 500_000
    pool = Pool.read(make(f"0 ||| {text} ||| LM=1 ||| 0\n"))
    assert pool.texts is not None and pool.texts[0] == text.strip()


@pytest.mark.parametrize("content", ["plain text\n", "a ||| b\n", "\n", "0 ||| a ||| x y ||| 1\n"])
def test_what_fits_no_format_is_an_error_that_lists_them(make: Make, content: str) -> None:
    with pytest.raises(InputError, match="cannot detect the format: .* one of " + ", ".join(READERS)):
        Pool.read(make(content))


def test_scores_without_names_are_told_how_to_be_written(make: Make) -> None:
    with pytest.raises(InputError, match=r"scores need names: 'ID \|\|\| text \|\|\| logprob=-0\.5'"):
        Pool.read(make("0 ||| the house ||| -0.5\n"))
    named = Pool.read(make("0 ||| the house ||| logprob=-0.5\n"))
    assert (named.feature_names, named.features.values.tolist()) == (("logprob",), [-0.5])


def test_a_compressed_file_without_its_suffix_is_told(make: Make) -> None:
    with pytest.raises(InputError, match=r"compressed, but the name does not end in \.gz"):
        Pool.read(make(gzip.compress(SAMPLES["moses"]), "lists"))


def test_a_misspelt_format_or_option_is_an_error_with_a_suggestion(make: Make) -> None:
    with pytest.raises(OptionError, match="unknown candidate format 'mose'; did you mean 'moses'"):
        Pool.read(make(SAMPLES["moses"]), format="mose")
    with pytest.raises(
        OptionError, match="no such option: feature of format 'flat'; did you mean 'features'"
    ):
        Pool.read(make(SAMPLES["moses"]), format="flat", feature={})

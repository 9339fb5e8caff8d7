"""The recaser: the best path of cased forms, learned from cased text."""

from __future__ import annotations

import itertools
import lzma
from pathlib import Path

import pytest

from tunesmith.corpus.recase import Recaser, train_recaser
from tunesmith.corpus.tokenize import Tokenizer
from tunesmith.errors import InputError
from tunesmith.generated import generate

TEXT = [
    "We saw the White House in May .",
    "They may paint the white house ; we may not .",
    "The White House is in Washington .",
    "In May the white dog may sleep . It may rain : we stay .",
    "He met Mr Brown at the White House . The brown dog slept .",
    "She painted a white house and a brown one .",
    '" The house is white , " said Mr Brown .',
] * 3


@pytest.fixture(scope="module")
def recaser() -> Recaser:
    return train_recaser(lambda: [TEXT])


@pytest.mark.parametrize(
    "line",
    [
        "We may paint a white house in Washington in May .",
        "They saw Mr Brown at the White House .",
        "Mr Brown saw a brown dog in May . They may sleep : we stay .",
        '" We saw Washington , " said Mr Brown .',
        "Unknown words stay lowercase unless they are first .",
        "",
    ],
)
def test_context_and_position_choose_the_case(recaser: Recaser, line: str) -> None:
    assert recaser(line.lower()) == line


def test_the_path_is_the_best_of_all_paths(recaser: Recaser) -> None:
    words = ["may", "the", "white", "house", "may", "may", "brown", "house"]
    choices = [list(recaser.forms.get(word, {word: 1})) for word in words]
    assert sum(len(forms) > 1 for forms in choices) >= 5

    def score(path: tuple[str, ...]) -> float:
        total = 0.0
        for word, previous, form, following in zip(
            words, ("<s>", *path), path, [*words[1:], "</s>"], strict=False
        ):
            if len(recaser.forms.get(word, ())) > 1:
                total += recaser._log_probabilities(word, previous, following)[form]
        return total

    best = max(itertools.product(*choices), key=score)
    assert score(tuple(recaser._best_forms(words))) == pytest.approx(score(best))


def test_probabilities_sum_to_one(recaser: Recaser) -> None:
    import math

    for word, previous, following in (("white", "the", "house"), ("may", "in", "</s>"), ("brown", "x", "y")):
        scores = recaser._log_probabilities(word, previous, following)
        assert sum(map(math.exp, scores.values())) == pytest.approx(1)


def test_text_that_does_not_capitalize_sentences_is_not_capitalized() -> None:
    plain = train_recaser(lambda: [[f"{line[0].lower()}{line[1:]}" for line in TEXT]])
    assert plain("we saw the white house .") == "we saw the White House ."


def test_lowercase_text_teaches_nothing() -> None:
    plain = train_recaser(lambda: [[line.lower() for line in TEXT]])
    assert plain == Recaser({}, {}, {}, frozenset())
    assert plain("the white house .") == "the white house ."


def test_a_recaser_is_the_same_when_read_again(recaser: Recaser, tmp_path: Path) -> None:
    recaser.save(tmp_path / "recaser")
    assert Recaser.load(tmp_path / "recaser") == recaser
    (tmp_path / "wrong").write_text("tunesmith-recaser 1 <s>\nword House\n")
    with pytest.raises(InputError, match=r"wrong:2: found 'word House'; expected"):
        Recaser.load(tmp_path / "wrong")
    (tmp_path / "foreign").write_text("the (5/7) The (2)\n")
    with pytest.raises(InputError, match="expected 'tunesmith-recaser 1'"):
        Recaser.load(tmp_path / "foreign")


def accuracy(made: list[str], wanted: list[str]) -> float:
    """Return the share of words with letters that have the right case."""
    pairs = [
        (a, b)
        for line, right in zip(made, wanted, strict=True)
        for a, b in zip(line.split(" "), right.split(" "), strict=True)
        if b.lower() != b.upper()
    ]
    return sum(a == b for a, b in pairs) / len(pairs)


def test_held_out_generated_text_is_recased() -> None:
    text = [pair.target for pair in generate(400, seed=1)]
    test = [pair.target for pair in generate(100, seed=2)]
    recaser = train_recaser(lambda: [text])
    assert accuracy(list(recaser.apply(line.lower() for line in test)), test) > 0.985


@pytest.mark.slow
def test_held_out_europarl_is_recased_better_than_by_the_most_frequent_case(shared_data: Path) -> None:
    from tunesmith.corpus.truecase import Truecaser, detruecase

    tokenizer = Tokenizer("en")
    sets = {}
    for name, count in (("train", 5000), ("dev", 500)):
        with lzma.open(shared_data / f"europarl-fr-en.{name}.en.xz", "rt", encoding="utf-8") as stream:
            sets[name] = list(
                tokenizer.tokenize(line.rstrip("\n") for line in itertools.islice(stream, count))
            )
    recaser, best = train_recaser(lambda: [sets["train"]]), Truecaser.train(sets["train"]).best
    lower = [line.lower() for line in sets["dev"]]
    frequent = detruecase(" ".join(best.get(word, word) for word in line.split(" ")) for line in lower)
    recased = accuracy(list(recaser.apply(lower)), sets["dev"])
    assert recased > accuracy(frequent, sets["dev"])
    assert recased > 0.975

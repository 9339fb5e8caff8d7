"""Word classes, against the criterion computed from its definition and a plain greedy merge of classes."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tunesmith.cli.main import _build
from tunesmith.corpus import Sentences
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.classes import WordClasses, class_information, train_classes
from tunesmith.generated import generate

words = st.sampled_from(["a", "b", "c", "d", "e"])
texts = st.lists(st.lists(words, max_size=6).map(" ".join), min_size=1, max_size=12).filter(any)


def information(lines, class_of):
    """Average mutual information of adjacent classes, straight from the definition."""
    pairs = Counter()
    for line in lines:
        tokens = line.split()
        if tokens:
            row = ["border", *(class_of[token] for token in tokens), "border"]
            pairs.update(itertools.pairwise(row))
    total = sum(pairs.values())
    left, right = Counter(), Counter()
    for (a, b), count in pairs.items():
        left[a] += count
        right[b] += count
    return sum(n / total * math.log(n * total / (left[a] * right[b])) for (a, b), n in pairs.items())


def greedy(lines, k):
    """Merge, of all pairs of classes, the one that costs least, from a class a word down to k classes."""
    class_of = {word: word for line in lines for word in line.split()}
    pairs = Counter()
    for line in lines:
        if line:
            pairs.update(itertools.pairwise(["border", *line.split(), "border"]))
    names = ["border", *sorted(class_of)]
    place = {name: i for i, name in enumerate(names)}
    counts = np.zeros((len(names), len(names)))
    for (a, b), count in pairs.items():
        counts[place[a], place[b]] = count

    def value(matrix):
        def xlogx(x):
            return float((x[x > 0] * np.log(x[x > 0])).sum())

        return xlogx(matrix) - xlogx(matrix.sum(0)) - xlogx(matrix.sum(1))

    def merged(matrix, a, b):
        result = matrix.copy()
        result[a] += result[b]
        result[:, a] += result[:, b]
        return np.delete(np.delete(result, b, 0), b, 1)

    members = [[name] for name in names]
    while len(members) - 1 > k:
        choices = itertools.combinations(range(1, len(members)), 2)
        a, b = max(choices, key=lambda pair: value(merged(counts, *pair)))
        counts = merged(counts, a, b)
        members[a] += members.pop(b)
    return {word: number for number, group in enumerate(members[1:]) for word in group}


@given(texts, st.integers(1, 5))
def test_the_reported_information_is_that_of_the_definition(lines, k):
    sentences = Sentences.of(lines)
    trained = train_classes(sentences, k)
    assert trained.mutual_information == pytest.approx(information(lines, trained), abs=1e-9)
    assert class_information(sentences, trained) == pytest.approx(trained.mutual_information, abs=1e-9)


@given(texts, st.integers(2, 4))
def test_no_single_word_gains_by_moving(lines, k):
    trained = train_classes(Sentences.of(lines), k)
    for word, to in itertools.product(trained, range(trained.n_classes)):
        moved = dict(trained) | {word: to}
        assert information(lines, moved) <= trained.mutual_information + 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("k", [4, 8, 15])
def test_information_is_at_most_one_percent_below_a_plain_greedy_merge(k):
    common = Counter(word for pair in generate(300, seed=3) for word in pair.references[0].split())
    known = {word for word, _ in common.most_common(45)}
    lines = [
        " ".join(word if word in known else "rare" for word in pair.references[0].split())
        for pair in generate(300, seed=3)
    ]
    trained = train_classes(Sentences.of(lines), k)
    assert trained.mutual_information >= 0.99 * information(lines, greedy(lines, k))


def test_words_of_a_kind_share_a_class():
    lines = [f"the {noun} {verb}" for noun in ("cat", "dog", "cow") for verb in ("runs", "sits", "eats")]
    trained = train_classes(Sentences.of(lines), 3)
    assert len({trained[noun] for noun in ("cat", "dog", "cow")}) == 1
    assert len({trained[verb] for verb in ("runs", "sits", "eats")}) == 1
    assert trained.converged


@pytest.mark.slow
def test_threads_do_not_change_classes():
    sentences = Sentences.of(pair.source for pair in generate(800, seed=5))
    one, two = (train_classes(sentences, 20, threads=threads) for threads in (1, 2))
    assert dict(one) == dict(two)


def test_more_classes_than_words_give_each_its_own():
    trained = train_classes(Sentences.of(["a b", "c"]), 80)
    assert sorted(trained.values()) == [0, 1, 2]


def test_a_vocabulary_of_one_word_is_one_class():
    assert dict(train_classes(Sentences.of(["x x", "", "x"]), 4)) == {"x": 0}


def test_numbers_of_classes_may_be_any(tmp_path):
    sentences = Sentences.of(["a b", "b a a"])
    near, far = ({"a": 0, "b": 1}, {"a": 100_000, "b": 2_000_000_000})
    assert class_information(sentences, far) == class_information(sentences, near)


def test_a_word_without_a_class_is_named():
    with pytest.raises(InputError, match="'b' has no class"):
        class_information(Sentences.of(["a b"]), {"a": 0})


def test_text_without_words_is_refused():
    with pytest.raises(InputError, match="no words"):
        train_classes(Sentences.of(["", ""]), 4)


@pytest.mark.parametrize("option", [{"classes": 0}, {"epochs": 0}, {"classes": 2.5}])
def test_counts_below_one_are_refused(option):
    with pytest.raises(OptionError, match="at least 1"):
        train_classes(Sentences.of(["a b"]), **option)


def test_classes_survive_writing_and_reading(tmp_path):
    trained = train_classes(Sentences.of(["a b 猫", "שלום a"]), 3)
    trained.write(tmp_path / "classes.gz")
    assert dict(WordClasses.read(tmp_path / "classes.gz")) == dict(trained)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\n", ":1: found 'a'"),
        ("a\t1\na\t2\n", ":2: the word 'a' has two"),
        ("a\t-1\n", "number of its class"),
    ],
)
def test_a_bad_file_of_classes_is_an_error_with_its_line(tmp_path, text, message):
    path = tmp_path / "classes"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        WordClasses.read(path)


def test_text_becomes_classes():
    classes = WordClasses({"a": 0, "b": 1})
    mapped = classes.apply(Sentences.of(["b a", "", "new b"]))
    assert [mapped.text(i) for i in range(3)] == ["1 0", "", "<unk> 1"]


def test_the_command_writes_classes(tmp_path):
    text = tmp_path / "text"
    text.write_text("".join(pair.source + "\n" for pair in generate(50, seed=1)))
    output = tmp_path / "classes"
    run = CliRunner().invoke(_build(), ["classes", str(text), "-k", "5", "-o", str(output)])
    assert run.exit_code == 0
    assert WordClasses.read(output).n_classes == 5

"""Aligners: new text, saving, threads, and text that is not as one expects."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from tunesmith.align import ALIGNMENT_MODELS, Aligner, align_corpus, train_aligner
from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.errors import InputError, OptionError
from tunesmith.generated import generate

MODELS = sorted(ALIGNMENT_MODELS)


def bitext(pairs: list[tuple[str, str]]) -> Bitext:
    return Bitext(Sentences.of(s for s, _ in pairs), Sentences.of(t for _, t in pairs))


@pytest.fixture(scope="module")
def text() -> Bitext:
    return bitext([(p.source, p.references[0]) for p in generate(300, seed=2, lowercase=True)])


@pytest.fixture(scope="module", params=MODELS)
def aligner(request, text: Bitext) -> Aligner:
    return train_aligner(text, request.param)


def test_the_result_does_not_depend_on_threads(text: Bitext, aligner: Aligner) -> None:
    for threads in (1, 2, 5):
        other = train_aligner(text, aligner.model.name, threads=threads)
        assert other.history == aligner.history
        assert np.array_equal(other.table.forward(), aligner.table.forward())
        assert np.array_equal(other.table.reverse(), aligner.table.reverse())
        assert other.directions(text, threads=threads) == aligner.directions(text)


def test_directions_are_mirrored_when_the_sides_are_exchanged(text: Bitext, aligner: Aligner) -> None:
    mirrored = train_aligner(text.reversed(), aligner.model.name)
    forward, reverse = aligner.directions(text)
    other_reverse, other_forward = mirrored.directions(text.reversed())
    same = sum(
        {(j, i) for i, j in a.tolist()} == {(i, j) for i, j in b.tolist()}
        for found, other in ((forward, other_forward), (reverse, other_reverse))
        for a, b in zip(found, other, strict=True)
    )
    assert same >= 2 * len(text) - 4  # ties and the last bits of floats may differ


def test_posteriors_are_distributions_and_the_links_follow_them(text: Bitext, aligner: Aligner) -> None:
    part = text.take(np.arange(20))
    for direction, axis in (("forward", 0), ("reverse", 1)):
        matrices = aligner.posteriors(part, direction)
        for row, matrix in enumerate(matrices):
            assert matrix.shape == (len(part.source[row]), len(part.target[row]))
            assert matrix.min() >= 0
            assert matrix.sum(axis=axis).max() <= 1 + 1e-4
    links = aligner.directions(part)[0]
    held = [aligner.posteriors(part)[row][i, j] for row in range(20) for i, j in links[row]]
    assert np.mean(held) > 0.7


def test_an_opened_aligner_aligns_as_the_saved_one(text: Bitext, aligner: Aligner, tmp_path: Path) -> None:
    aligner.save(tmp_path / "a.bin")
    opened = Aligner.open(tmp_path / "a.bin")
    assert opened.model == aligner.model
    assert opened.history == aligner.history
    assert opened.align(text) == aligner.align(text)
    lines = [(text.source.text(row), text.target.text(row)) for row in reversed(range(50))]
    anew = bitext(lines)  # the same sentences in other numbers
    assert opened.align(anew) == aligner.align(text.take(np.arange(49, -1, -1)))
    aligner.save(tmp_path / "b.bin")
    assert (tmp_path / "a.bin").read_bytes() == (tmp_path / "b.bin").read_bytes()


def test_truncated_damaged_and_foreign_files_are_refused(
    text: Bitext, aligner: Aligner, tmp_path: Path
) -> None:
    path = tmp_path / "a.bin"
    aligner.save(path)
    whole = path.read_bytes()
    for damaged in (whole[: len(whole) // 2], b"", b"no aligner", whole[:-1]):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"a\.bin"):
            Aligner.open(path)
    middle = len(whole) // 2
    path.write_bytes(whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1 :])
    with pytest.raises(InputError):
        Aligner.open(path)
    with pytest.raises(InputError, match="no such file"):
        Aligner.open(tmp_path / "none.bin")


def test_unknown_words_go_with_each_other(aligner: Aligner) -> None:
    known = bitext([("der mann schläft .", "the man sleeps .")])
    new = bitext([("der xenokrates schläft .", "the xenocrates sleeps .")])
    assert [1, 1] in aligner.align(new)[0].tolist()
    assert len(aligner.align(known)[0]) >= 2
    gone = bitext([("ξ", "ψ"), ("", "ψ"), ("der", "")])
    assert [len(row) for row in aligner.align(gone)][1:] == [0, 0]


def test_words_that_a_vocabulary_got_after_training_are_unknown(text: Bitext) -> None:
    first = text.take(np.arange(100))
    aligner = train_aligner(first, "diagonal")
    before = aligner.align(first)
    text.source.vocabulary.add("später-gekommen")
    assert aligner.align(first) == before


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    "pairs",
    [
        [("a", "b")],
        [("a a a", "b b")] * 3,
        [("", ""), ("a", ""), ("", "b"), ("a c", "b d")],
        [("我 喜歡 茶", "I like tea"), ("我 喜歡 書", "I like books")],
        [("אני אוהב תה", "I like tea"), ("أنا أحب الشاي", "I like tea")],
        [("a ||| \x01 b", "||| \x7f x"), ("a", "x")],
    ],
    ids=["one-pair", "one-word", "empty-sides", "chinese", "right-to-left", "control"],
)
def test_odd_text_gives_links_inside_the_sentences(model: str, pairs: list[tuple[str, str]]) -> None:
    made = bitext(pairs)
    found = align_corpus(made, model)
    assert len(found) == len(pairs)
    found.check(made)
    for row, (source, target) in enumerate(pairs):
        if not (source and target):
            assert len(found[row]) == 0


@pytest.mark.parametrize("model", MODELS)
def test_ten_thousand_words_in_a_line_are_aligned_without_a_matrix(model: str) -> None:
    long = " ".join(f"w{k}" for k in range(10_000)), " ".join(f"v{k}" for k in range(3_000))
    middle = " ".join(f"w{k}" for k in range(300)), " ".join(f"v{k}" for k in range(300))
    made = bitext([long, middle, ("w1 w2", "v1 v2"), ("w2 w3", "v2 v3")])
    aligner = train_aligner(made, model, em_iterations=2)
    assert len(aligner.table) <= 300 * 300  # nothing is learned from the first line
    found = aligner.align(made)
    found.check(made)
    assert [1, 1] in found[0].tolist()  # which the short pairs teach
    assert [1, 1] in found[1].tolist()
    assert aligner.posteriors(made.take([1]))[0].shape == (300, 300)
    with pytest.raises(InputError, match="cells"):
        aligner.posteriors(made)


def test_text_without_words_and_wrong_options_are_refused() -> None:
    with pytest.raises(InputError, match="no sentence pair"):
        train_aligner(bitext([("", "a"), ("b", "")]))
    made = bitext([("a", "b")])
    with pytest.raises(OptionError, match="did you mean 'diagonal'"):
        train_aligner(made, "diagnal")
    with pytest.raises(OptionError, match="did you mean 'em_iterations'"):
        train_aligner(made, "ibm1", em_iteration=3)
    with pytest.raises(OptionError, match="null must be between 0 and 1"):
        train_aligner(made, "hmm", null=1.0)
    with pytest.raises(OptionError, match="pseudo above 0"):
        train_aligner(made, "ibm1", pseudo=0.0)
    with pytest.raises(OptionError, match="at least 1"):
        train_aligner(made, "hmm", em_iterations=0)
    with pytest.raises(OptionError, match="symmetrize cannot be"):
        align_corpus(made, "ibm1", "diag")
    with pytest.raises(OptionError, match="direction"):
        train_aligner(made, "ibm1").posteriors(made, "sideways")  # type: ignore[arg-type]


def test_progress_has_a_line_an_iteration() -> None:
    lines: list[str] = []
    train_aligner(bitext([("a", "b")]), "hmm", em_iterations=2, ibm1=1, progress=lines.append)
    assert [line.split(":")[0] for line in lines] == [
        "1 sentence pairs, 1 word pairs",
        "ibm1 1",
        "hmm 1",
        "hmm 2",
    ]


def test_unknown_words_within_training_text_are_left_alone() -> None:
    source = Sentences.of(["a b", "a"])
    made = Bitext(Sentences.of(["a z", "a"], source.vocabulary, grow=False), Sentences.of(["x y", "x"]))
    for model in MODELS:
        found = align_corpus(made, model)
        assert isinstance(found, Alignments)
        found.check(made)


def test_an_empty_bitext_has_no_posteriors_and_no_links(aligner: Aligner) -> None:
    assert aligner.posteriors(bitext([])) == []
    assert len(aligner.align(bitext([]))) == 0


def test_an_aligner_is_pickled_as_the_file_it_was_opened_from(
    text: Bitext, aligner: Aligner, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="cannot be pickled"):
        pickle.dumps(aligner)
    aligner.save(tmp_path / "a.bin")
    assert pickle.loads(pickle.dumps(Aligner.open(tmp_path / "a.bin"))).align(text) == aligner.align(text)

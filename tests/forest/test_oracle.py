"""BLEU oracles against every derivation, by sacrebleu's statistics."""

from __future__ import annotations

import time

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from tests.forest.enumeration import Listed, listed
from tests.forest.large_forests import chain
from tests.forest.rolled_forests import WORDS, forbid, forbidden, forests, scores

from tunesmith.errors import InputError, OptionError
from tunesmith.forest import BleuOracle, Edge, Forest, build_forest, oracle_bleu
from tunesmith.metrics import Bleu

SACREBLEU = sacrebleu.metrics.BLEU(tokenize="none", force=True)

texts = st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=7).map(" ".join)
references = st.lists(texts, min_size=1, max_size=3)


def sacrebleu_stats(one: Listed, refs: list[str]) -> np.ndarray:
    """Return sacrebleu's own statistics, in our order."""
    found = SACREBLEU.corpus_score([" ".join(one.words)], [[ref] for ref in refs])
    pairs = np.stack([found.counts, found.totals], axis=1).ravel()
    return np.concatenate([pairs, [found.ref_len]]).astype(np.float64)


def objectives(forest: Forest, refs: list[str], background, weights, model) -> dict[tuple[int, ...], float]:
    """Return model_weight * score + metric_weight * gain of each derivation that is not forbidden."""
    metric, values = Bleu(), {}
    for one in listed(forest):
        if np.isneginf(model[list(one.edges)]).any():
            continue
        stats = sacrebleu_stats(one, refs)
        gain = float(metric.sentence_score(stats, background))
        if background is not None:
            gain *= float(metric.size(stats + background))
        values[one.edges] = weights[0] * model[list(one.edges)].sum() + weights[1] * gain
    return values


@given(
    forests(max_derivations=60),
    references,
    st.sampled_from([None, np.ones(9), np.array([9.5, 12, 5, 11, 3, 10, 2, 9, 13])]),
    st.sampled_from([(0.0, 1.0), (0.0, -1.0), (1.0, 1.0), (1.0, -1.0), (0.5, 2.0), (-1.0, 1.0)]),
    forbidden,
)
def test_without_a_beam_the_best_derivation_is_found(
    forest: Forest, refs: list[str], background, weights: tuple[float, float], edges_out: set[int]
) -> None:
    model_weight, metric_weight = weights
    model = forbid(scores(forest), edges_out)
    wanted = objectives(forest, refs, background, weights, model)

    def search() -> BleuOracle:
        return oracle_bleu(
            forest,
            refs,
            background=background,
            scores=model,
            model_weight=model_weight,
            metric_weight=metric_weight,
            beam=None,
        )

    if not wanted:
        with pytest.raises(InputError, match="forbid every derivation"):
            search()
        return
    found = search()
    edges = found.derivation.edges
    assert found.score == pytest.approx(max(wanted.values()), abs=1e-9)
    assert wanted[edges] == pytest.approx(found.score, abs=1e-9)
    assert found.model == found.derivation.score == pytest.approx(model[list(edges)].sum())
    assert found.score == pytest.approx(model_weight * found.model + metric_weight * found.gain)
    [chosen] = [one for one in listed(forest) if one.edges == edges]
    assert found.derivation.words == chosen.words
    assert found.stats.tolist() == sacrebleu_stats(chosen, refs).tolist()


@given(forests(max_derivations=60), references, st.integers(1, 4), st.sampled_from([1.0, -1.0]))
def test_a_beam_finds_a_derivation_that_is_no_better_than_the_best(
    forest: Forest, refs: list[str], beam: int, sign: float
) -> None:
    wanted = objectives(forest, refs, None, (0.0, sign), scores(forest))
    found = oracle_bleu(forest, refs, metric_weight=sign, beam=beam)
    assert wanted[found.derivation.edges] == pytest.approx(found.score, abs=1e-9)
    assert found.score <= max(wanted.values()) + 1e-9
    wide = oracle_bleu(forest, refs, metric_weight=sign, beam=100_000)
    assert wide.score == pytest.approx(max(wanted.values()), abs=1e-9)


@given(
    forests(max_derivations=40),
    references,
    st.sampled_from(["add-one", "add-one-all", "grounded", "exp", "floor", "pseudo-document", "none"]),
    st.sampled_from(["closest", "shortest", "average"]),
    st.integers(1, 4),
)
def test_every_variant_of_sentence_bleu_has_its_oracle(forest, refs, sentence, length, order) -> None:
    metric = Bleu(sentence=sentence, reference_length=length, order=order)
    best = max(
        float(metric.sentence_score(metric.stats(" ".join(one.words), refs))) for one in listed(forest)
    )
    for beam in (None, 100_000):
        assert oracle_bleu(forest, refs, metric=metric, beam=beam).score == pytest.approx(best, abs=1e-9)


@given(forests(max_derivations=40), references, st.sampled_from([0.5, 5.0]), st.sampled_from([1.0, -1.0]))
def test_a_floor_that_is_worth_more_than_a_match_is_heeded(forest, refs, floor: float, sign: float) -> None:
    metric = Bleu(sentence="none", smooth="floor", smooth_value=floor, order=2)
    gains = [float(metric.score(metric.stats(" ".join(one.words), refs))) for one in listed(forest)]
    found = oracle_bleu(forest, refs, metric=metric, metric_weight=sign, beam=None)
    assert found.score == pytest.approx(max(sign * gain for gain in gains), abs=1e-9)


ODD_WORDS = ("10\u00a0000", "10", "000", "\u3000", "", "a b", "\u2003a", "b")


@given(
    st.lists(st.lists(st.sampled_from(ODD_WORDS), min_size=1, max_size=4), min_size=1, max_size=3),
    st.lists(st.lists(st.sampled_from(ODD_WORDS), max_size=5).map(" ".join), min_size=1, max_size=2),
    st.sampled_from([1.0, -1.0]),
)
def test_white_space_within_words_is_counted_as_the_metric_counts_it(steps, refs, sign: float) -> None:
    forest = build_forest(
        [
            [Edge((), ("b",), {})],
            *([Edge((node,), (-1, word), {}) for word in words] for node, words in enumerate(steps)),
        ]
    )
    metric = Bleu()
    gains = [float(metric.sentence_score(metric.stats(" ".join(one.words), refs))) for one in listed(forest)]
    for beam in (None, 100_000):
        found = oracle_bleu(forest, refs, metric_weight=sign, beam=beam)
        assert found.stats.tolist() == metric.stats(found.derivation.text, refs).tolist()
        assert found.score == pytest.approx(max(sign * gain for gain in gains), abs=1e-9)


def choices(generator: np.random.Generator, length: int, width: int, vocabulary: int) -> Forest:
    """Return a lattice of `length` steps, each of `width` words or pairs of words."""
    nodes = [[Edge((), (), {})]]
    for node in range(length):
        words = [f"w{w}" for w in generator.integers(0, vocabulary, 2 * width)]
        nodes.append([Edge((node,), (-1, *words[2 * i : 2 * i + 1 + i % 2]), {}) for i in range(width)])
    return build_forest(nodes)


def test_a_beam_is_close_to_the_best() -> None:
    generator = np.random.default_rng(7)
    exact, beamed, narrow = 0.0, 0.0, 0.0
    for _ in range(20):
        forest = choices(generator, 8, 4, 12)
        refs = [" ".join(f"w{w}" for w in generator.integers(0, 12, 12)) for _ in range(2)]
        exact += oracle_bleu(forest, refs, beam=None).score
        beamed += oracle_bleu(forest, refs).score
        narrow += oracle_bleu(forest, refs, beam=1).score
    assert 0.97 * exact <= beamed <= exact
    assert narrow < beamed


def test_matches_are_clipped_to_the_largest_count_of_one_reference() -> None:
    forest = build_forest(
        [[Edge((), ("the",), {}), Edge((), ("cat",), {})], [Edge((0, 0, 0), (-1, -2, -3), {})]]
    )
    found = oracle_bleu(forest, ["the the cat", "cat the"], metric=Bleu(order=1), beam=None)
    assert found.stats.tolist() == [3, 3, 3]
    worst = oracle_bleu(forest, ["the the cat", "cat the"], metric=Bleu(order=1), metric_weight=-1, beam=None)
    assert worst.stats.tolist() == [1, 3, 3]  # cat cat cat


def test_edges_come_in_preorder() -> None:
    forest = build_forest(
        [
            [Edge((), ("x",), {}), Edge((), ("a",), {})],
            [Edge((0,), (-1, "b"), {})],
            [Edge((1, 0), (-2, -1), {})],
        ]
    )
    assert oracle_bleu(forest, ["x a b"]).derivation.edges == (3, 2, 1, 0)


def test_weights_serve_as_scores() -> None:
    forest = build_forest([[Edge((), ("a",), {"lm": 1.0}), Edge((), ("b",), {"lm": 3.0})]])
    hope = oracle_bleu(forest, ["a"], scores={"lm": 2.0}, model_weight=1.0)
    assert (hope.derivation.text, hope.model) == ("b", 6.0)
    assert oracle_bleu(forest, ["a"], scores={"lm": 2.0}).derivation.text == "a"


def test_references_without_known_words_leave_all_derivations_alike() -> None:
    forest = build_forest([[Edge((), ("a",), {}), Edge((), ("b", "c"), {})]])
    assert oracle_bleu(forest, ["x y"], beam=None).gain == 0.0
    assert oracle_bleu(forest, [""], beam=None).gain == 0.0
    assert oracle_bleu(forest, ["", "b c"], beam=None).derivation.text == "b c"


def test_what_makes_no_sense_is_refused() -> None:
    forest = build_forest([[Edge((), ("a",), {})]])
    with pytest.raises(InputError, match="no derivation was found"):
        oracle_bleu(build_forest([]), ["a"])
    with pytest.raises(InputError, match="no references"):
        oracle_bleu(forest, [])
    with pytest.raises(InputError, match="a list of strings"):
        oracle_bleu(forest, "a")
    with pytest.raises(InputError, match="9 finite statistics"):
        oracle_bleu(forest, ["a"], background=np.ones(8))
    with pytest.raises(InputError, match="none negative"):
        oracle_bleu(forest, ["a"], background=-np.ones(9))
    with pytest.raises(InputError, match="for 1 edges"):
        oracle_bleu(forest, ["a"], scores=np.ones(2))
    with pytest.raises(InputError, match="edge 0 is nan"):
        oracle_bleu(forest, ["a"], scores=np.array([np.nan]))
    with pytest.raises(InputError, match="no finite sum"):
        pairs = build_forest([[Edge((), ("a",), {}), Edge((), ("b",), {})], [Edge((0, 0), (-1, -2), {})]])
        oracle_bleu(pairs, ["a"], scores=np.array([-1.7e308, 0.0, 1.0]))
    with pytest.raises(OptionError, match="beam"):
        oracle_bleu(forest, ["a"], beam=0)
    with pytest.raises(OptionError, match="needs `scores`"):
        oracle_bleu(forest, ["a"], model_weight=1.0)
    with pytest.raises(OptionError, match="must be finite"):
        oracle_bleu(forest, ["a"], metric_weight=float("nan"))
    with pytest.raises(OptionError, match="words are compared unchanged"):
        oracle_bleu(forest, ["a"], metric=Bleu(lowercase=True))


def test_an_exact_oracle_that_would_grow_too_large_asks_for_a_beam() -> None:
    forest = choices(np.random.default_rng(1), 12, 4, 5)
    with pytest.raises(InputError, match="more than 1000 numbers for this forest; give it a beam"):
        oracle_bleu(forest, ["w0 w1 w2 w3 w4 w0 w1"], beam=None, max_work=1000)


@pytest.mark.slow
@pytest.mark.parametrize("vocabulary", [8, 300])
def test_an_exact_oracle_of_a_large_forest_gives_up_within_seconds(vocabulary: int) -> None:
    generator = np.random.default_rng(1)
    forest = choices(generator, 100, 20, vocabulary)
    reference = " ".join(f"w{w}" for w in generator.integers(0, vocabulary, 100))
    begin = time.process_time()
    with pytest.raises(InputError, match="give it a beam"):
        oracle_bleu(forest, [reference], beam=None)
    assert time.process_time() - begin < 20  # a few seconds where nothing else runs


@pytest.mark.slow
def test_deep_chains_need_no_recursion() -> None:
    depth = 100_000
    forest = chain(depth)
    found = oracle_bleu(forest, ["a b b"])
    assert found.derivation.edges == tuple(range(depth, -1, -1))
    assert found.stats[:4].tolist() == [3, depth + 1, 2, depth]


@pytest.mark.slow
def test_a_forest_of_many_edges_takes_seconds() -> None:
    generator = np.random.default_rng(3)
    forest = choices(generator, 5_000, 20, 300)
    reference = " ".join(f"w{w}" for w in generator.integers(0, 300, 30))
    assert forest.edge_count > 100_000
    assert len(oracle_bleu(forest, [reference], beam=8).derivation.edges) == 5_001

"""Word lattices: read as Moses reads them, and searched as brute force would."""

from __future__ import annotations

import ast
import itertools
import math
import pickle
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.decode.lattice_derivations import Arcs, BruteForce, plf, random_lattice

from tunesmith import _native
from tunesmith.decode import Lattice, PhraseDecoder, Request, SearchOptions
from tunesmith.errors import InputError
from tunesmith.forest import kbest
from tunesmith.model import Model
from tunesmith.weights import Weights

EVERYTHING = SearchOptions(pop_limit=0, stack_size=1 << 20, distortion_limit=-1, table_limit=0)
INPUT_WEIGHT = 0.7


def with_input_weight(model: Path, options: SearchOptions = EVERYTHING) -> PhraseDecoder:
    weights = dict(PhraseDecoder.open(model).weights) | {"InputFeature0": INPUT_WEIGHT}
    return PhraseDecoder.open(model, weights, options)


DIAMOND: Arcs = [
    [("das", 0.5, 1), ("ist", 0.25, 2)],
    [("haus", 0.5, 2)],
    [("klein", 1.0, 1)],
    [("groß", 0.1, 1), ("xyz", 2.0, 1)],
]
SKIP: Arcs = [
    [("das", 0.4, 1), ("groß", 0.6, 3)],
    [("haus", 1.0, 1), ("haus", 0.3, 2)],
    [("ist", 1.0, 1)],
    [("klein", 1.0, 1)],
]
RANDOM = [random_lattice(seed, [0.1, 0.5, 1.0]) for seed in range(25)]


@pytest.mark.parametrize("arcs", [DIAMOND, SKIP, *RANDOM], ids=plf)
@pytest.mark.parametrize("limit", [-1, 1])
def test_the_best_of_all_derivations_of_all_sentences_is_found(tiny_model, arcs, limit):
    options = SearchOptions(
        pop_limit=0, stack_size=1 << 20, distortion_limit=limit, table_limit=0, early_discard=False
    )
    decoder = with_input_weight(tiny_model, options)
    every = list(BruteForce(decoder, arcs).derivations(math.inf if limit < 0 else limit))
    found = decoder.translate(Lattice(plf(arcs)), forest=True)
    score = max(every)[0]
    assert found.score == pytest.approx(score, abs=1e-4)
    texts = {text for value, text in every if value == pytest.approx(score, abs=1e-4)}
    assert found.text in texts
    # All that the search keeps is real: a column translated twice would make a text that no sentence has.
    kept = kbest(found.forest, decoder.weights, 5000, unique=True)
    best: dict[str, float] = {}
    for value, other in every:
        best[other] = max(value, best.get(other, -math.inf))
    assert {" ".join(one.words): one.score for one in kept} == pytest.approx(best, abs=1e-3)


def test_distances_are_shortest_ways(tiny_model):
    for arcs in (DIAMOND, SKIP):
        lattice = Lattice(plf(arcs)).native
        wanted = BruteForce(with_input_weight(tiny_model), arcs).distances
        for i, j in itertools.product(range(len(arcs) + 1), repeat=2):
            expected = wanted[min(i, j)][max(i, j)]
            assert lattice.distance(i, j) == (2**32 - 1 if expected == math.inf else expected)


def test_a_chain_is_the_same_as_the_sentence(small_model, small_corpus):
    decoder = PhraseDecoder.open(small_model)
    for line in (small_corpus / "de").read_text().splitlines()[:40]:
        chain = Lattice(plf([[(word, 1, 1)] for word in line.split()]))
        assert not chain.has_scores
        one, other = decoder.translate(line), decoder.translate(chain)
        assert (one.text, one.score, one.phrases) == (other.text, other.score, other.phrases)
        assert one.features == other.features


def test_a_chain_with_values_adds_their_logs(small_model):
    decoder = with_input_weight(small_model, SearchOptions())
    line = "der hund schläft ."
    chain = Lattice(plf([[(word, 0.5, 1)] for word in line.split()]))
    one, other = decoder.translate(line), decoder.translate(chain)
    assert one.text == other.text
    assert other.features["InputFeature0"] == pytest.approx(4 * math.log(0.5))
    assert other.score == pytest.approx(one.score + INPUT_WEIGHT * 4 * math.log(0.5), abs=1e-5)


def test_of_two_sentences_the_better_one_is_translated(tiny_model):
    decoder = with_input_weight(tiny_model)
    for value in (1e-9, 1.0):
        lattice = Lattice(plf([[("das", 1.0, 1)], [("haus", 1.0, 1), ("xyz", value, 1)]]))
        scores = [
            decoder.translate("das haus").score,
            decoder.translate("das xyz").score + INPUT_WEIGHT * math.log(value),
        ]
        assert decoder.translate(lattice).score == pytest.approx(max(scores), abs=1e-4)


def test_links_lead_to_the_columns_where_the_arcs_of_the_best_way_begin(tiny_model):
    arcs: Arcs = [
        [("xyz", 1.0, 1), ("das", 1.0, 2)],
        [("xyz", 1.0, 1)],
        [("xyz", 1.0, 1), ("haus", 1.0, 3)],
        [("xyz", 1.0, 1)],
        [("xyz", 1.0, 1)],
        [("ist", 1.0, 1)],
        [("abc", 1.0, 1), ("xyz", 1.0, 2)],
        [("abc", 1.0, 1)],
    ]
    found = PhraseDecoder.open(tiny_model, options=SearchOptions(distortion_limit=0)).translate(
        Lattice(plf(arcs))
    )
    assert found.text == "the house is xyz"
    assert any(phrase.source[0] == 0 and phrase.source[1] >= 5 for phrase in found.phrases)
    assert found.alignment == ((0, 0), (2, 1), (5, 2), (6, 3))


def test_values_without_a_weight_are_an_error_that_tells_which(small_model):
    decoder = PhraseDecoder.open(small_model)
    with pytest.raises(InputError, match="add a weight 'InputFeature0'"):
        decoder.translate(Lattice("((('das',0.5,1),),)"))


def test_a_model_may_list_the_feature_under_its_own_name(tiny_model):
    model = Model.open(tiny_model)
    listed = replace(
        model,
        penalties={**model.penalties, "Acoustic": "InputFeature"},
        weights=Weights({**model.weights, "Acoustic": INPUT_WEIGHT}),
    )
    lattice = Lattice(plf(DIAMOND))
    one, other = PhraseDecoder(listed).translate(lattice), with_input_weight(tiny_model, SearchOptions())
    assert one.score == other.translate(lattice).score
    assert "Acoustic" in one.features


def test_a_weight_for_values_may_come_and_go_while_the_decoder_is_open(tiny_model):
    always, decoder = with_input_weight(tiny_model), PhraseDecoder.open(tiny_model, options=EVERYTHING)
    plain, without = decoder.feature_names, decoder.weights
    lattice = Lattice(plf(DIAMOND))
    for _ in range(2):
        with pytest.raises(InputError, match="add a weight 'InputFeature0'"):
            decoder.translate(lattice)
        assert decoder.feature_names == plain
        assert "InputFeature0" not in plain
        decoder.weights = {**without, "InputFeature0": INPUT_WEIGHT}
        assert decoder.feature_names == always.feature_names
        found, expected = decoder.translate(lattice), always.translate(lattice)
        assert (found.text, found.score, found.features) == (expected.text, expected.score, expected.features)
        target = Request("", target=found.text, lattice=lattice)
        assert decoder.translate(target).score == pytest.approx(found.score, abs=1e-4)
        decoder.weights = without


def test_an_arc_without_a_value_has_only_its_distance(tiny_model):
    """Moses takes the last field as the distance: `('das', 1)` has no score, and leads one node on."""
    decoder = PhraseDecoder.open(tiny_model, options=EVERYTHING)
    short = Lattice("((('das',1),('das',2),),(('haus',1),),)")
    long = Lattice("((('das',1,1),('das',1,2),),(('haus',1,1),),)")
    assert not short.has_scores
    one, other = decoder.translate(short), decoder.translate(long)
    assert (one.text, one.score, one.features) == (other.text, other.score, other.features)


def test_further_values_are_features_of_their_own(tiny_model):
    names = ("InputFeature0_1", "InputFeature0_2", "parts")
    weights = dict(PhraseDecoder.open(tiny_model).weights)
    given = {**weights, "InputFeature0": INPUT_WEIGHT, **dict.fromkeys(names, 0.5)}
    decoder = PhraseDecoder.open(tiny_model, given, replace(EVERYTHING, arc_features=names))
    several = "((('das',0.5,0.25,1),),(('haus',0.5,0.1,0,parts=2,1),),)"
    found = decoder.translate(Lattice(several)).features
    plain = PhraseDecoder.open(tiny_model).translate("das haus").features
    expected = [2 * math.log(0.5), math.log(0.25) + math.log(0.1), -100, 2]
    assert [found[name] for name in ("InputFeature0", *names)] == pytest.approx(expected, rel=1e-6)
    assert {name: value for name, value in found.items() if name in plain} == dict(plain)
    with pytest.raises(
        InputError, match=r"features 'InputFeature0_1', 'InputFeature0_2', 'parts'.*declare them"
    ):
        with_input_weight(tiny_model).translate(Lattice(several))


@pytest.mark.parametrize(
    ("arc", "message"),
    [
        (
            "('a',0.5)",
            r"expected the distance to the end node of the arc as its last field, .* found '0\.5\)",
        ),
        (
            "('a')",
            r"rest of an arc: \('word', value, distance\), \('word', distance\) without .* at byte 7",
        ),
        ("('a',x=1,0.5,1)", "expected a feature name=value or the distance"),
        ("('a',1,x=1,x=2,1)", "expected each feature of an arc once"),
    ],
)
def test_an_arc_with_other_fields_is_an_error_that_says_what_is_expected(arc, message):
    with pytest.raises(InputError, match=message):
        _ = Lattice(f"(({arc},),)").native


def test_a_node_off_every_way_is_an_error():
    with pytest.raises(InputError, match="node 1 of the lattice is on no path from the start to the end"):
        _ = Lattice("((('a',1,2),),(('b',1,1),),)").native
    with pytest.raises(InputError, match="leads from node 0 to node 3; expected a higher one, at most 1"):
        _ = Lattice("((('a',1,3),),)").native


def test_values_that_floats_cannot_add_are_an_error_that_names_them():
    message = r"expected a value of 'x' of at most 1e6 in size at byte \d+, found '1e300"
    with pytest.raises(InputError, match=message):
        _ = Lattice("((('a',{'y':1,'x':1e300},1),),)").native


def test_too_many_nodes_are_an_error_and_not_all_of_memory():
    with pytest.raises(InputError, match="has 10001 nodes; expected at most 8192"):
        _ = Lattice(plf([[("a", 1, 1)]] * 10_000)).native


def test_requests_share_their_lattice():
    """All distances are kept, so copies would cost far more than what is translated."""
    lattice = _native.WordLattice([[("a", 0.0, 1)], [("b", 0.0, 2)]])
    before = sys.getrefcount(lattice)
    requests = [_native.DecoderRequest(lattice) for _ in range(5)]
    assert sys.getrefcount(lattice) == before + len(requests)
    with pytest.raises(TypeError):
        _native.DecoderRequest(None)  # type: ignore[arg-type]


def test_lattices_can_be_pickled():
    lattice = Lattice("((('a',0.5,1),),)")
    assert lattice.columns == 1
    assert pickle.loads(pickle.dumps(lattice)) == lattice


words = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters=" "), min_size=1
).filter(lambda word: word.isprintable() and word != "*EPS*")


@given(st.lists(st.tuples(words, st.floats(1e-30, 1e30)), min_size=1, max_size=5))
def test_what_python_writes_as_tuples_is_read(columns):
    written = plf([[(word, value, 1)] for word, value in columns])
    assert [node[0][0] for node in ast.literal_eval(written)] == [word for word, _ in columns]
    lattice = Lattice(written)
    assert lattice.columns == len(columns)


@given(st.text(alphabet="()',ab1.0{}: \\\"", max_size=40))
def test_any_text_is_a_lattice_or_an_error(text):
    try:
        assert Lattice(text).columns >= 0
    except InputError as error:
        assert str(error)

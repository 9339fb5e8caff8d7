"""Features that the arcs of lattices name: each has a weight of its own, and is shown by its name."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from tests.decode.commands import decode
from tests.decode.derivations import all_derivations, dot, total
from tests.decode.lattice_derivations import Arcs, BruteForce, Said, features, plf, random_lattice

from tunesmith import _native
from tunesmith.candidates import Pool
from tunesmith.decode import Lattice, PhraseDecoder, Request, SearchOptions
from tunesmith.errors import InputError, OptionError
from tunesmith.forest import Forest, kbest

WEIGHTS = {"LatticePosterior": 0.8, "Parts": -0.35}
NAMES = tuple(WEIGHTS)
SAID: list[Said] = [
    {},
    {"Parts": 1},
    {"Parts": 3, "LatticePosterior": -0.25},
    {"LatticePosterior": -2.5, "InputFeature0": -0.5},
    0.3,
    1.0,
]
POSTERIOR = Lattice("((('das',{'LatticePosterior': -0.7, 'Parts': 2},1),),)")
EVERYTHING = SearchOptions(
    pop_limit=0, stack_size=1 << 20, distortion_limit=-1, table_limit=0, arc_features=NAMES
)


def open_decoder(model: Path, options: SearchOptions = EVERYTHING, **weights: float) -> PhraseDecoder:
    own = dict(PhraseDecoder.open(model).weights)
    return PhraseDecoder.open(model, {**own, **WEIGHTS, **weights}, options)


@pytest.mark.parametrize("seed", range(25))
def test_the_best_of_all_derivations_is_found_and_the_forest_has_all_of_them(tiny_model, seed):
    arcs = random_lattice(seed, SAID)
    decoder = open_decoder(tiny_model, InputFeature0=0.6)
    every = list(BruteForce(decoder, arcs).derivations(math.inf))
    found = decoder.translate(Lattice(plf(arcs)), forest=True)
    assert found.score == pytest.approx(max(every)[0], abs=1e-4)
    best: dict[str, float] = {}
    for score, text in every:
        best[text] = max(score, best.get(text, -math.inf))
    kept = kbest(found.forest, decoder.weights, 5000, unique=True)
    assert {" ".join(one.words): one.score for one in kept} == pytest.approx(best, abs=1e-3)


@pytest.mark.parametrize("seed", range(10))
def test_the_features_of_derivations_are_sums_over_the_arcs_of_some_way(tiny_model, seed):
    arcs = random_lattice(seed, SAID)
    decoder = open_decoder(tiny_model, InputFeature0=0.6)
    names = ("InputFeature0", *NAMES)
    ways = set()
    for path in BruteForce(decoder, arcs).paths():
        sums = dict.fromkeys(names, 0.0)
        for _, arc in path:
            for name, value in features(arc).items():
                sums[name] += value
        ways.add(tuple(round(sums[name], 4) for name in names))
    found = decoder.translate(Lattice(plf(arcs)), forest=True)
    shown = {
        tuple(round(one.features.get(name, 0.0), 4) for name in names)
        for one in all_derivations(found.forest)
    }
    assert shown == ways
    assert tuple(round(found.features.get(name, 0.0), 4) for name in names) in ways
    assert found.score == pytest.approx(dot(found.features, decoder.weights), abs=1e-5)


def test_an_edge_has_one_value_a_feature_however_many_arcs_it_goes_over(tiny_model):
    arcs: Arcs = [[("das", {"Parts": 1, "LatticePosterior": -1}, 1)], [("haus", {"Parts": 2}, 1)]]
    forest = open_decoder(tiny_model).translate(Lattice(plf(arcs)), forest=True).forest
    whole = [forest.edge(i) for i in range(forest.edge_count) if forest.edge(i).span == (0, 2)]
    assert whole
    for edge in whole:
        assert (edge.features["Parts"], edge.features["LatticePosterior"]) == (3, -1)


def test_weights_choose_between_ways_and_may_change_while_the_decoder_is_open(tiny_model):
    arcs: Arcs = [[("groß", {"Parts": 1}, 1), ("klein", {"LatticePosterior": 1}, 1)]]
    decoder = open_decoder(tiny_model)
    for weights, text in (({"Parts": 50.0}, "big"), ({"LatticePosterior": 50.0}, "small")) * 2:
        decoder.weights = {**decoder.weights, **dict.fromkeys(NAMES, 0.0), **weights}
        assert decoder.translate(Lattice(plf(arcs))).text == text


def test_a_required_target_is_scored_with_the_features_of_its_way(tiny_model):
    arcs: Arcs = [[("groß", {"Parts": 1}, 1), ("klein", {"Parts": 4, "LatticePosterior": -1}, 1)]]
    decoder = open_decoder(tiny_model)
    for text, parts in (("big", 1), ("small", 4)):
        found = decoder.translate(Request("", target=text, lattice=Lattice(plf(arcs))))
        assert (found.text, found.features["Parts"]) == (text, parts)
        assert found.score == pytest.approx(dot(found.features, decoder.weights), abs=1e-5)


def test_a_chain_without_features_is_the_same_as_the_sentence(small_model, small_corpus):
    decoder = open_decoder(small_model, SearchOptions(arc_features=NAMES))
    plain = PhraseDecoder.open(small_model)
    for line in (small_corpus / "de").read_text().splitlines()[:20]:
        chain = decoder.translate(Lattice(plf([[(word, {}, 1)] for word in line.split()])))
        for other in (decoder.translate(line), plain.translate(line)):
            assert (other.text, other.score, other.phrases) == (chain.text, chain.score, chain.phrases)
            assert other.features == chain.features


def test_features_without_a_column_go_by_name(tiny_model):
    """Native decoders take weights by name too, as they do for templates."""
    plain = PhraseDecoder.open(tiny_model)
    names = plain._model(plain.weights)
    dense = np.array([plain.weights[name] for name in names.names])
    model = _native.WeightedModel(names, dense, list(WEIGHTS.items()))
    said = {"Parts": 2, "LatticePosterior": -0.5}
    lattice = Lattice(plf([[("das", said, 1), ("ist", {"Parts": 1}, 1)], [("haus", said, 1)]]))
    settings = EVERYTHING.native(-1, forest=True)
    [found] = _native.translate(model, settings, [_native.DecoderRequest(lattice.native)], 1)
    expected = open_decoder(tiny_model).translate(lattice)
    assert found.score == pytest.approx(expected.score, abs=1e-6)
    assert total([dict(row) for row in found.steps(model)]) == pytest.approx(dict(expected.features))
    [best] = kbest(Forest(found.forest), {**plain.weights, **WEIGHTS}, 1)
    assert best.score == pytest.approx(expected.score, abs=1e-5)


def test_dense_features_are_in_lists_and_names(folder: Path):
    own = PhraseDecoder.open(folder / "model").weights
    (folder / "weights.json").write_text(json.dumps({**own, **WEIGHTS}))
    (folder / "in.plf").write_text(f"der hund\n{POSTERIOR.plf}\n")
    command = ["model", "-i", "in.plf", "-o", "out", "--weights", "weights.json", "--nbest-output", "n.jsonl"]
    done = decode(*command, "--arc-feature", "Parts", "--arc-feature", "LatticePosterior", folder=folder)
    assert done.returncode == 0, done.stderr
    pool = Pool.read(folder / "n.jsonl")
    assert set(NAMES) <= set(pool.features.names)
    refused = decode(*command, "--arc-feature", "Parts", folder=folder)
    assert refused.returncode != 0
    assert "the weight 'LatticePosterior' is of no feature of this model" in refused.stderr


def test_a_feature_that_was_not_declared_is_an_error_that_tells_how(folder: Path):
    (folder / "in.plf").write_text(f"der hund\n{POSTERIOR.plf}\n")
    done = decode("model", "-i", "in.plf", "-o", "out", folder=folder)
    assert done.returncode != 0
    assert "in.plf:2: the arcs of the lattice have the features 'LatticePosterior', 'Parts'" in done.stderr
    assert (
        "'LatticePosterior', 'Parts', which the decoder does not know; declare them by --arc-feature"
        in done.stderr
    )
    assert not (folder / "out").exists()


def test_a_misspelt_feature_is_compared_with_those_that_were_declared(tiny_model):
    with pytest.raises(InputError, match=r"feature 'Part',.* did you mean 'Parts'"):
        open_decoder(tiny_model).translate(Lattice("((('das',{'Part':1},1),),)"))


def test_all_features_that_were_not_declared_are_named_at_once(tiny_model):
    message = r"the features 'A', 'C', .*declare them by arc_features and give them weights"
    with pytest.raises(InputError, match=message):
        open_decoder(tiny_model).translate(Lattice("((('das',{'A':1,'Parts':2,'C':3},1),),)"))


def test_features_of_the_model_cannot_be_named_by_arcs(tiny_model):
    with pytest.raises(InputError, match="have the feature 'LM0', which the decoder does not know"):
        open_decoder(tiny_model).translate(Lattice("((('das',{'LM0':1},1),),)"))
    with pytest.raises(InputError, match="two features have the name 'LM0'"):
        PhraseDecoder.open(tiny_model, options=SearchOptions(arc_features=("LM0",)))


def test_a_declared_feature_needs_a_weight(tiny_model):
    with pytest.raises(InputError, match="no weight for the feature 'LatticePosterior'"):
        PhraseDecoder.open(tiny_model, options=SearchOptions(arc_features=NAMES))


def test_the_feature_of_values_may_be_named_once_it_has_a_weight(tiny_model):
    lattice = Lattice("((('das',{'InputFeature0':-0.5,'Parts':1},1),),)")
    with pytest.raises(InputError, match="add a weight 'InputFeature0'"):
        open_decoder(tiny_model).translate(lattice)
    found = open_decoder(tiny_model, InputFeature0=1.0).translate(lattice)
    assert (found.features["InputFeature0"], found.features["Parts"]) == (-0.5, 1)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("Parts", "Parts"), "arc_features declares 'Parts' twice"),
        (("",), "arc_features needs names without blanks, not ''"),
        (("a b",), "arc_features needs names without blanks, not 'a b'"),
        (("a\x7f",), "arc_features needs names without blanks"),
        (("\ud800",), "arc_features needs names without blanks"),
        (("InputFeature0",), "it needs a weight, and need not be declared"),
        ("Parts", "must be a tuple of names, not 'Parts'"),
        (["Parts"], "must be a tuple of names"),
        ((1,), "must be a tuple of names"),
    ],
)
def test_names_that_cannot_be_declared_are_errors(names, message):
    with pytest.raises(OptionError, match=message):
        SearchOptions(arc_features=names)


@pytest.mark.parametrize(
    ("said", "wrong", "message"),
    [
        ("{'':1}", "''", "the name of a feature, not empty, without blanks and control characters"),
        ("{'a b':1}", "'a b", "the name of a feature, not empty"),
        ("{'a\u0001':1}", "'a", "the name of a feature, not empty"),
        ("{'a':nan}", "nan", "a finite number"),
        ("{'a':-inf}", "-inf", "a finite number"),
        ("{'a':1e999}", "1e999", "a finite number"),
        ("{'a':'1'}", "'1'", "a finite number"),
        ("{'a':-1000001}", "-1000001", "a value of 'a' of at most 1e6 in size"),
        ("{'a':1,'b':2,'a':1}", "'a'", "each feature of an arc once"),
        ("{'a':1", "1),", "the name of a feature"),
    ],
)
def test_what_is_no_feature_is_an_error_that_tells_where(said, wrong, message):
    text = f"((('w',{said},1),),)"
    with pytest.raises(InputError) as error:
        _ = Lattice(text).native
    assert f"expected {message}" in str(error.value)
    assert f"at byte {text.rindex(wrong) + 1}, found" in str(error.value)


def test_many_features_an_arc_are_read_in_little_time():
    many = {f"f{i}": i for i in range(50_000)}
    lattice = Lattice(plf([[("a", many, 1)], [("b", many, 1)]]))
    assert lattice.feature_names == tuple(sorted(many))
    assert not lattice.has_scores

"""The dense form of sparse reordering against the sparse form; searches with it against all derivations."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from tests.decode import tiny
from tests.decode.test_sparse_reordering import FORMS, WIDE
from tests.xbleu.attached import (
    all_names,
    assert_equal,
    dense,
    of_sparse,
    without_lexical,
    without_rows,
    write_lists,
    write_reordering,
)

from tunesmith.decode.constraints import GivenPhrase
from tunesmith.decode.lattice import Lattice
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.request import Request
from tunesmith.errors import InputError
from tunesmith.features import SparseReordering
from tunesmith.model import Model
from tunesmith.xbleu.attach import attach
from tunesmith.xbleu.reordering import TrainedReordering

ALL = {"identities": True, "stack": "block", "orientations": "mslrg", "classes": (2, 3)}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """A model of random pairs with a lexicalized reordering model."""
    folder = tiny.write_model(tmp_path_factory.mktemp("plain") / "moses", seed=5)
    write_lists(folder)
    return Model.open(folder)


def attached(plain: Model, template: SparseReordering, folder: Path) -> Model:
    reordering = write_reordering(folder / "reordering", template, all_names(plain, template))
    attach(plain.directory, reordering, folder / "model")
    return Model.open(folder / "model", verify=True)


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_scores_are_sums_of_sparse_features_and_the_search_finds_the_best(
    form: dict[str, object], plain: Model, tmp_path: Path
):
    """With and without a lexicalized model, which has no part in the scores."""
    template = SparseReordering("Trained", top=2, **form)  # type: ignore[arg-type]
    model = attached(plain, template, tmp_path)
    phi = TrainedReordering.open(tmp_path / "reordering").weights
    draw = random.Random(3)
    weights = {f"Trained_{each}": draw.uniform(-1, 1) for each in template.classes_of_orientations}
    sparse = PhraseDecoder(plain, None, WIDE, [template])
    decoders = [
        [PhraseDecoder(each, {**each.weights, **weights}, WIDE) for each in (chosen, without_rows(chosen))]
        for chosen in (model, without_lexical(model))
    ]
    seen = set()
    for sentence in ("a b c", " ".join(draw.choices(tiny.SOURCE, k=4))):
        derivations = list(tiny.derivations(decoders[0][0], sentence))
        expected = [of_sparse(sparse.replay(sentence, phrases), template, phi) for phrases in derivations]
        for decoder, by_words in decoders:
            scores = []
            for phrases, sums in zip(derivations, expected, strict=True):
                steps = decoder.replay(sentence, phrases)
                found = dense(steps, "Trained")
                assert_equal(found, sums)
                assert by_words.replay(sentence, phrases) == steps
                seen.update(found)
                scores.append(
                    sum(decoder.weights[name] * value for step in steps for name, value in step.items())
                )
            best = decoder.translate(sentence)
            assert best.score == pytest.approx(max(scores), abs=1e-4)
            kbest = decoder.kbest(sentence, 5, unique=False)
            assert kbest.scores.tolist() == pytest.approx(sorted(scores, reverse=True)[:5], abs=1e-4)
            assert by_words.kbest(sentence, 5, unique=False).scores.tolist() == kbest.scores.tolist()
    assert len(seen) > 1


@pytest.mark.parametrize("stack", ["none", "previous", "block"])
def test_lattices_and_unknown_and_given_phrases_score_as_in_the_sparse_form(
    stack: str, plain: Model, tmp_path: Path
):
    template = SparseReordering("Trained", **{**ALL, "stack": stack})  # type: ignore[arg-type]
    model = attached(plain, template, tmp_path)
    beside = replace(template, name="Sparse")
    weights = TrainedReordering.open(tmp_path / "reordering").weights
    phi = {name.replace("Trained_", "Sparse_", 1): value for name, value in weights.items()}
    inputs = (
        Lattice("((('a',1,1),('b',1,2),),(('c',1,1),),(('unseen',1,1),),(('b',1,1),),)"),
        "a unseen b",
        Request("a b c", phrases=(GivenPhrase(1, 3, "W X", 0.5),)),
        Request("b c a", phrases=(GivenPhrase(0, 1, "fresh", 1.0),)),
    )
    for text in inputs:
        lists = []
        for chosen in (model, without_rows(model)):
            decoder = PhraseDecoder(chosen, None, WIDE, [beside])
            best = decoder.kbest(text, 30, unique=False)
            lists.append(best.scores.tolist())
            seen = set()
            for number in range(len(best)):
                vector = best.features(number)
                row = dict(zip(vector.names(), vector.values.tolist(), strict=True))
                wanted = of_sparse([row], beside, phi)
                found = dense([row], "Trained")
                assert_equal(
                    found, Counter({name.replace("Sparse", "Trained"): wanted[name] for name in wanted})
                )
                seen.update(name for name, value in found.items() if value)
                score = sum(decoder.weights.get(name, 0.0) * value for name, value in row.items())
                assert best.scores[number] == pytest.approx(score, abs=1e-4)
            assert len(best) > 3 and len(seen) > 1
        assert lists[0] == lists[1]


def test_a_phrase_model_of_orientations_works_beside_each_kind_of_lexicalized_model(tmp_path: Path):
    template = SparseReordering("Trained", **ALL)  # type: ignore[arg-type]
    for number, (kind, width) in enumerate(
        (("hier-mslrg-bidirectional-fe", 10), ("wbe-msd-backward-f", 3), ("phrase-mslr-forward-fe", 4))
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        directory = tiny.write_model(folder / "moses", 7, kind, width)
        write_lists(directory)
        plain = Model.open(directory)
        model = attached(plain, template, folder)
        decoder, before = PhraseDecoder(model, None, WIDE), PhraseDecoder(plain, None, WIDE)
        names = [name for name in plain.weights if name.startswith("LexicalReordering")]
        for phrases in list(tiny.derivations(decoder, "a b c"))[:40]:
            steps = zip(decoder.replay("a b c", phrases), before.replay("a b c", phrases), strict=True)
            for ours, theirs in steps:
                assert [ours.get(name, 0.0) for name in names] == [theirs.get(name, 0.0) for name in names]


def test_states_of_a_local_model_are_those_of_the_lexicalized_one(plain: Model, tmp_path: Path):
    """A model without words of the stack adds nothing to states that have the stack: as many nodes."""
    template = SparseReordering("Trained", stack="none", between=False)
    model = attached(plain, template, tmp_path)
    zero = {name: 0.0 for name in model.weights if name.startswith("Trained_")}
    with_it = PhraseDecoder(model, {**model.weights, **zero}, WIDE).translate("a b c d", forest=True)
    without = PhraseDecoder(plain, None, WIDE).translate("a b c d", forest=True)
    assert with_it.forest is not None and without.forest is not None
    assert with_it.forest.node_count == without.forest.node_count
    assert with_it.score == pytest.approx(without.score)


def test_rows_of_another_table_are_refused(plain: Model, tmp_path: Path):
    template = SparseReordering("Trained", top=2)
    model = attached(plain, template, tmp_path)
    (tmp_path / "other").mkdir()
    other = Model.open(tiny.write_model(tmp_path / "other" / "moses", seed=6))
    mixed = replace(model, phrase_tables=other.anchored().phrase_tables)
    with pytest.raises(InputError, match="has the scores of the pairs of another table"):
        PhraseDecoder(mixed, None, WIDE)

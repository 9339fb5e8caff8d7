"""Feature templates in the decoder: scores, forests, recombination, vetoes, weights."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.decode.derivations import add, all_derivations, dot, total, viterbi
from tests.decode.toy_templates import Alternation, Ends, NoEnd, NoJumpBack

from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.settings import MOST, SearchOptions
from tunesmith.decode.translation import Translation
from tunesmith.errors import InputError, OptionError
from tunesmith.features import BorderBigrams, PhraseLength
from tunesmith.forest import Forest
from tunesmith.model import Model

TEMPLATES = (Ends(), Alternation(), BorderBigrams(), PhraseLength())
SPARSE = {
    "Ends": 0.3,
    "Ends_._.": -1.0,
    "Alternation_1": 0.7,
    "Alternation_0": -0.4,
    "Alternation_end": 0.25,
    "Alternation_steps": -0.1,
    "BorderBigram_<s>_the": 0.5,
    "BorderBigram_._</s>": 1.5,
    "PhraseLength_1x1": -0.6,
}
WIDE = SearchOptions(pop_limit=0, stack_size=MOST, table_limit=2)


@pytest.fixture(scope="module")
def model(small_model: Path) -> Model:
    return Model.open(small_model)


@pytest.fixture(scope="module")
def texts(small_corpus: Path) -> list[str]:
    return [*(small_corpus / "de").read_text().splitlines()[:12], "unseenword der", ""]


def decoder_of(model: Model, options: SearchOptions | None = None) -> PhraseDecoder:
    return PhraseDecoder(model, {**model.weights, **SPARSE}, options, TEMPLATES)


def phrases_of(found: Translation) -> list[tuple[int, int, str]]:
    words = found.text.split()
    return [(*each.source, " ".join(words[slice(*each.target)])) for each in found.phrases]


def forest_of(found: Translation) -> Forest:
    assert found.forest is not None
    return found.forest


@pytest.mark.slow
def test_the_score_is_the_sum_of_features_times_weights(model: Model, texts: list[str]):
    decoder = decoder_of(model)
    seen = set()
    for found in decoder.translate_all(texts):
        assert found.score == pytest.approx(dot(found.features, decoder.weights), abs=1e-4)
        seen |= set(found.features)
    assert set(SPARSE) <= seen  # so that each of them was put to the test
    assert any(name.startswith("Ends_") and name not in SPARSE for name in seen)


@pytest.mark.slow
def test_replay_steps_and_the_best_of_the_forest_agree(model: Model, texts: list[str]):
    decoder = decoder_of(model)
    for text, found in zip(texts, decoder.translate_all(texts, forest=True), strict=True):
        replayed = decoder.replay(text, phrases_of(found))
        assert len(replayed) == len(found.steps)
        for again, step in zip(replayed, found.steps, strict=True):
            assert again == pytest.approx(dict(step), abs=1e-4)
        score, features = viterbi(forest_of(found), decoder.weights)
        assert score == pytest.approx(found.score, abs=1e-3)
        assert features == pytest.approx(total(replayed), abs=1e-3)


@pytest.mark.parametrize("text", ["ein vater flog", "unseenword man hat", "es war schade ,"])
def test_every_derivation_of_a_forest_replayed_alone_has_the_same_features(model: Model, text: str):
    decoder = decoder_of(model, WIDE)
    found = decoder.translate(text, forest=True)
    derivations = all_derivations(forest_of(found))
    assert len(derivations) > 10
    for derivation in derivations:
        alone = total(decoder.replay(text, derivation.phrases))
        assert dict(derivation.features) == pytest.approx(alone, abs=1e-4)
    best = max(dot(each.features, decoder.weights) for each in derivations)
    assert found.score == pytest.approx(best, abs=1e-4)


def test_a_state_keeps_apart_what_differs_later(model: Model):
    plain = PhraseDecoder(model, options=WIDE).translate("ein vater flog", forest=True)
    apart = PhraseDecoder(model, None, WIDE, [Alternation()]).translate("ein vater flog", forest=True)
    assert forest_of(apart).node_count > forest_of(plain).node_count
    derivations = [{each.phrases for each in all_derivations(forest_of(found))} for found in (plain, apart)]
    assert derivations[0] == derivations[1]


def test_weights_of_zero_change_no_translation(model: Model, texts: list[str]):
    plain = PhraseDecoder(model).translate_all(texts)
    zero = PhraseDecoder(model, templates=[Ends(), PhraseLength()]).translate_all(texts)
    for expected, found in zip(plain, zero, strict=True):
        assert (found.text, found.score) == (expected.text, pytest.approx(expected.score))
        added = {name: value for name, value in found.features.items() if name not in expected.features}
        assert add(expected.features, added) == pytest.approx(dict(found.features))
        assert bool(added) == any(phrase.rule >= 0 for phrase in found.phrases)


@pytest.mark.slow
def test_threads_change_nothing(model: Model, texts: list[str]):
    decoder = decoder_of(model)
    runs = [
        [(found.text, found.score, dict(found.features)) for found in decoder.translate_all(texts, threads=n)]
        for n in (1, 4)
    ]
    assert runs[0] == runs[1]


@dataclass(frozen=True)
class PythonLength(PhraseLength):
    """The template without its twin."""

    def twin(self) -> None:
        return None


@pytest.mark.slow
def test_a_template_and_its_native_twin_agree(model: Model, texts: list[str]):
    weights = {**model.weights, "PhraseLength_1x1": -0.5, "PhraseLength_2x1": 0.75}
    native, python = (
        PhraseDecoder(model, weights, templates=[each]).translate_all(texts, forest=True)
        for each in (PhraseLength(), PythonLength())
    )
    for first, second in zip(native, python, strict=True):
        assert (first.text, first.score, first.features) == (second.text, second.score, second.features)
        forests = [forest_of(each) for each in (first, second)]
        assert [f.edge(i) for f in forests[:1] for i in range(f.edge_count)] == [
            f.edge(i) for f in forests[1:] for i in range(f.edge_count)
        ]


def test_a_veto_forbids_steps(model: Model, texts: list[str]):
    free = PhraseDecoder(model)
    bound = PhraseDecoder(model, templates=[NoJumpBack()])
    monotone = PhraseDecoder(model, options=SearchOptions(distortion_limit=0))
    jumps = 0
    for text in texts:
        assert bound.translate(text).text == monotone.translate(text).text
        found = free.translate(text)
        ends = [0, *(phrase.source[1] for phrase in found.phrases)]
        if any(phrase.source[0] != end for phrase, end in zip(found.phrases, ends, strict=False)):
            jumps += 1
            with pytest.raises(InputError, match="NoJumpBack forbids this derivation"):
                bound.replay(text, phrases_of(found))
    assert jumps > 0


def test_a_veto_at_the_end_leaves_no_translation(model: Model):
    decoder = PhraseDecoder(model, templates=[NoEnd()])
    found = decoder.translate("der hund", forest=True)
    assert (found.found, found.text, forest_of(found).node_count) == (False, "", 0)


def test_a_weight_must_be_of_a_feature_that_somebody_owns(model: Model):
    with pytest.raises(InputError, match="'Ends_x' is of no feature of this model"):
        PhraseDecoder(model, {**model.weights, "Ends_x": 1.0})
    with pytest.raises(InputError, match="'LMO' is of no feature of this model; did you mean 'LM0'"):
        PhraseDecoder(model, {**model.weights, "LMO": 1.0}, templates=[Ends()])
    PhraseDecoder(model, {**model.weights, "Ends_x": 1.0}, templates=[Ends()])


def test_templates_must_be_templates_with_names_of_their_own(model: Model):
    with pytest.raises(OptionError, match="is not a feature template"):
        PhraseDecoder(model, templates=["phrase-length"])  # type: ignore[list-item]
    with pytest.raises(OptionError, match="has no name"):
        PhraseDecoder(model, templates=[Ends(name="")])
    with pytest.raises(OptionError, match="two feature templates have the name 'Ends'"):
        PhraseDecoder(model, templates=[Ends(), Ends()])
    with pytest.raises(OptionError, match="'Ends_x' could have the names of those of 'Ends'"):
        PhraseDecoder(model, templates=[Ends(), Ends(name="Ends_x")])

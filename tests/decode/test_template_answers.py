"""What templates are told, and what becomes of their answers and errors."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from typing import Any

import pytest
from tests.decode.toy_templates import Made, MadePairs

from tunesmith import _native
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.request import Request
from tunesmith.decode.settings import SearchOptions
from tunesmith.errors import InputError
from tunesmith.features import Pair, PairTemplate, Sentence, Step
from tunesmith.model import Model


@pytest.fixture(scope="module")
def model(small_model: Path) -> Model:
    return Model.open(small_model)


def test_pairs_are_told_as_the_table_has_them(model: Model):
    told: dict[tuple[tuple[str, ...], tuple[str, ...]], Pair] = {}

    class Listener(PairTemplate):
        name = "Listener"

        def values(self, pair: Pair) -> dict[str, float]:
            assert (pair.source, pair.target) not in told, "a pair was asked for twice"
            told[pair.source, pair.target] = pair
            return {}

    decoder = PhraseDecoder(model, templates=[Listener()])
    decoder.translate("man hat keinen unseenword .")
    decoder.weights = {**decoder.weights, "LM0": 0.1}
    decoder.translate("man hat keinen unseenword .")
    table = model.phrase_table(0)
    for (source, target), pair in told.items():
        (entry,) = [each for each in table.lookup(" ".join(source)) if each.target == " ".join(target)]
        assert pair.known
        assert sorted(pair.alignment) == sorted(entry.alignment)
        (step, _) = decoder.replay(entry.source, [(0, len(source), entry.target)])
        assert pair.scores == {name: step.get(name, 0.0) for name in pair.scores}
        assert list(pair.scores) == [f"TranslationModel0_{i}" for i in range(4)]
    assert len(told) > 5


def fail(*arguments: object) -> Any:
    raise LookupError("lost")


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    "template",
    [
        MadePairs(fail),
        Made(start=fail),
        Made(apply=fail),
        Made(finish=fail),
        Made(estimate=fail),
    ],
)
def test_an_error_in_a_template_is_raised_as_it_is_with_the_template_s_name(
    model: Model, template: Any, threads: int
):
    texts = ["der hund", "ein mann .", "unseenword", "der mann sieht einen hund ."]
    decoder = PhraseDecoder(model, templates=[template])
    with pytest.raises(LookupError, match="lost") as caught:
        list(decoder.translate_all(texts, threads=threads))
    assert caught.value.__notes__ == [f"raised by the feature template {template.name!r}"]
    with pytest.raises(LookupError, match="lost"):
        decoder.replay("der", [(0, 1, model.phrase_table(0).lookup("der")[0].target)])


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        ((0, {"Made_x": float("nan")}), InputError, "'Made' gives 'Made_x' the value nan"),
        ((0, {"Made_x": float("inf")}), InputError, "'Made' gives 'Made_x' the value inf"),
        ((0, {"Made_x": 1e39}), InputError, "'Made' gives 'Made_x' the value 1e[+]39"),
        ((0, {"Made_x": -1.1e9}), InputError, "'Made_x' the value -1100000000.0; expected at most 1e[+]09"),
        ((0, {"": 1.0}), InputError, "'Made' names a feature ''"),
        ((0, {3: 1.0}), InputError, "'Made' names a feature 3"),
        ((0, {"LM0": 1.0}), InputError, "'Made' gives 'LM0', which is a feature of the model"),
        ((0, {"Made_x": "much"}), ValueError, "could not convert"),
        ((0, {"Made_\ud800": 1.0}), UnicodeEncodeError, "surrogates"),
        ((0, {"Made_x": None}), TypeError, "float"),
        (([], {}), TypeError, "unhashable"),
        ((0, 7), AttributeError, "items"),
        (0, TypeError, "unpack"),
        ((0, {}, 0), ValueError, "unpack"),
    ],
)
def test_a_wrong_answer_of_a_template_is_an_error(
    model: Model, answer: Any, kind: type[Exception], message: str
):
    decoder = PhraseDecoder(model, templates=[Made(apply=lambda tails, step: answer)])
    with pytest.raises(kind, match=message):
        decoder.translate("der hund")


def test_pair_templates_are_not_asked_about_unknown_words_and_given_phrases(model: Model):
    told = set()

    def note(pair: Pair) -> dict[str, float]:
        told.add(pair.target)
        return {"MadePairs": 1.0}

    decoder = PhraseDecoder(model, templates=[MadePairs(note)])
    found = decoder.translate(Request("der unseenword .", phrases=((0, 1, "Xyzzy"),)))
    assert {"Xyzzy", "unseenword"} <= set(found.text.split())
    assert told
    assert not told & {("Xyzzy",), ("unseenword",)}
    asked = sum(phrase.rule >= 0 for phrase in found.phrases)
    assert found.features.get("MadePairs", 0.0) == asked


def test_words_that_no_table_has_are_told_as_unknown(model: Model):
    told = []

    def note(tails: tuple[int, ...], step: Step) -> tuple[int, dict[str, float]]:
        told.append(step.pair)
        return 0, {}

    for unknown, target in (("pass", ("unseenword",)), ("drop", ())):
        told.clear()
        options = SearchOptions(unknown_words=unknown)
        decoder = PhraseDecoder(model, options=options, templates=[Made(apply=note)])
        decoder.translate("otherword unseenword")
        links = ((0, 0),) if target else ()
        assert Pair(("unseenword",), target, links, {}, known=False) in told


def test_a_template_that_refers_to_its_decoder_is_collected_with_it(model: Model):
    pairs, steps = MadePairs(lambda pair: {}), Made()
    decoder = PhraseDecoder(model, templates=[pairs, steps])
    pairs.decoder = steps.decoder = decoder  # type: ignore[attr-defined]
    translation, alive = decoder.translate("der hund"), weakref.ref(decoder)
    del decoder, pairs, steps
    gc.collect()
    assert alive() is None
    assert translation.features["LM0"] < 0  # what was found stays


def test_the_words_of_a_lattice_are_not_told_and_its_options_are(model: Model):
    told: set[tuple[str, ...]] = set()

    def note(tails: tuple[int, ...], step: Step) -> tuple[int, dict[str, float]]:
        told.add(step.pair.source)
        return tails[0] + 1, {"Made_step": 1.0}

    def start(sentence: Sentence) -> int:
        assert (sentence.words, sentence.columns) == ((), 2)
        return 0

    decoder = PhraseDecoder(model, templates=[Made(start=start, apply=note)])
    arcs = [[("der", -0.1, 1), ("unseenword", -0.2, 1)], [("hund", 0.0, 2)]]
    requests = [_native.DecoderRequest(_native.WordLattice(arcs))]
    native = decoder.options.native(6, forest=False)
    (found,) = _native.translate(decoder._weighted, native, requests, 1)
    assert found.found
    assert {("der",), ("unseenword",), ("hund",)} <= told

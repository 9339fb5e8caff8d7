"""Translations that are cut by p(e|f) before they are scored, and weights that change under them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.decode.toy_templates import Alternation, Ends

from tunesmith.decode import ChartDecoder, ChartOptions, PhraseDecoder, Request, SearchOptions, open_decoder
from tunesmith.decode.base import AnyDecoder
from tunesmith.errors import InputError
from tunesmith.features import LengthGroups, PhraseLength, RuleIdentity, SpanLength, TargetBigrams, Template
from tunesmith.model import Model
from tunesmith.weights import WeightStore

ALL = 1 << 20
GROUPS = LengthGroups()
TEMPLATES: dict[str, tuple[Template, ...]] = {
    "dense": (),
    "templates": (Ends(), PhraseLength(), Alternation(), GROUPS),
    "native": (RuleIdentity(), TargetBigrams(), SpanLength()),
}
SPARSE = {
    "Ends": 0.125,
    "PhraseLength_1x1": -0.25,
    "Alternation_steps": 0.5,
    "Alternation_1": 0.25,
    "TargetBigram_<s>_the": 0.5,
    "TargetBigram_the_house": 0.5,
    "SpanLength_2": 0.25,
}


@pytest.fixture(params=["phrase", "hiero", "index", "itg"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def opened(models: Path, kind: str, templates: Sequence[Template], **options: int) -> AnyDecoder:
    model = Model.open(models / kind)
    own = {name: value for name, value in SPARSE.items() if any(each.owns(name) for each in templates)}
    weights = {**model.weights, **own}
    return open_decoder(models / kind, weights, options, templates=templates)


def sentences(models: Path) -> list[str]:
    lines = (models / "test.de").read_text().splitlines()[:3]
    return [*(" ".join(line.split()[:5]) for line in lines), "das unbekannte haus"]


def shaken(weights: dict[str, float], seed: int) -> dict[str, float]:
    draw = random.Random(seed)
    return {name: value + draw.uniform(-0.3, 0.3) for name, value in weights.items()}


def found(decoder: AnyDecoder, texts: Sequence[str]) -> list[tuple[tuple[str, ...], list[float]]]:
    lists = [decoder.kbest(text, 20) for text in texts]
    return [(each.texts, each.scores.tolist()) for each in lists]


@pytest.mark.parametrize("templates", TEMPLATES.values(), ids=TEMPLATES)
def test_a_breadth_that_cuts_nothing_changes_nothing(
    models: Path, kind: str, templates: tuple[Template, ...]
) -> None:
    plain = opened(models, kind, templates)
    broad = opened(models, kind, templates, table_breadth=ALL)
    for text in sentences(models):
        expected, result = plain.translate(text, forest=True), broad.translate(text, forest=True)
        assert result.text == expected.text
        assert result.score == pytest.approx(expected.score, abs=1e-4)
        assert result.features == pytest.approx(expected.features, abs=1e-5)
        assert result.native.nodes == expected.native.nodes


@pytest.mark.parametrize("templates", TEMPLATES.values(), ids=TEMPLATES)
def test_new_weights_score_as_in_a_new_decoder(
    models: Path, kind: str, templates: tuple[Template, ...]
) -> None:
    texts = sentences(models)
    decoder = opened(models, kind, templates, table_breadth=3)
    first = dict(decoder.weights)
    before = found(decoder, texts)
    for seed in (1, 2):
        decoder.weights = shaken(first, seed)
        fresh = opened(models, kind, templates, table_breadth=3)
        fresh.weights = shaken(first, seed)
        assert found(decoder, texts) == found(fresh, texts) != before
    decoder.weights = first
    assert found(decoder, texts) == before


def test_the_best_pairs_by_probability_are_kept(small_model: Path, small_corpus: Path) -> None:
    model = Model.open(small_model)
    table = model.phrase_table()
    words = {word for line in (small_corpus / "de").read_text().splitlines()[:40] for word in line.split()}
    cut = 0
    for word in sorted(words):
        pairs = table.lookup(word)
        best = sorted(pairs, key=lambda pair: -pair.scores["p(e|f)"])  # ties in table order
        options = SearchOptions(table_breadth=2, table_limit=0)
        texts = PhraseDecoder(model, options=options).kbest(word, 50).texts
        assert sorted(texts) == sorted({pair.target for pair in best[:2]} or {word})
        cut += len(pairs) > 2
    assert cut > 3


RULES = """[X] ||| a ||| first ||| {name}={0} Other=1
[X] ||| a ||| second ||| {name}={1}
[X] ||| a ||| third ||| {name}={2} Other=2
[X] ||| a ||| tied ||| {name}={2}
"""


@pytest.mark.parametrize(
    ("name", "values", "kept"),
    [
        ("EgivenFCoherent", (2.5, 0.5, 1.0), {"second", "third"}),  # a cost
        ("TargetGivenSource", (-2.5, -0.5, -1.0), {"second", "third"}),
        ("EgivenFCoherent", (0.25, 0.5, 1.0), {"first", "second"}),
    ],
)
def test_the_best_rules_of_the_input_are_kept(
    small_index: Path, name: str, values: tuple[float, ...], kept: set[str]
) -> None:
    decoder = ChartDecoder.open(small_index, options=ChartOptions(table_breadth=2))
    with pytest.warns(match="without a weight"):
        result = decoder.kbest(Request("a", rules=RULES.format(*values, name=name)), 10)
    assert set(result.texts) == kept


def test_rules_without_the_probability_cannot_be_cut(small_index: Path) -> None:
    decoder = ChartDecoder.open(small_index, options=ChartOptions(table_breadth=2))
    rules = RULES.format(1, 2, 3, name="Mine")
    with (
        pytest.warns(match="without a weight"),
        pytest.raises(
            InputError, match=r"table_breadth cuts rules by .*'EgivenFCoherent'.* found Mine, Other"
        ),
    ):
        decoder.kbest(Request("a", rules=rules), 10)


def test_forced_decoding_sees_the_same_pairs(small_model: Path, small_corpus: Path) -> None:
    text = (small_corpus / "de").read_text().splitlines()[0]
    wide = PhraseDecoder.open(small_model)
    narrow = PhraseDecoder.open(small_model, options=SearchOptions(table_breadth=1, table_limit=0))
    reached = narrow.kbest(text, 5).texts[0]
    assert narrow.translate(Request(text, reached)).found
    missed = next(
        each for each in wide.kbest(text, 200).texts if not narrow.translate(Request(text, each)).found
    )
    assert wide.translate(Request(text, missed)).found


class Counted(WeightStore):
    """A store that must not be read feature by feature."""

    def __iter__(self):
        raise AssertionError("features were read one by one")

    items = __iter__


@pytest.mark.parametrize("breadth", [0, 5])
@pytest.mark.parametrize("templates", TEMPLATES.values(), ids=TEMPLATES)
def test_changes_of_a_store_are_seen_after_refresh(
    models: Path, kind: str, templates: tuple[Template, ...], breadth: int
) -> None:
    texts = sentences(models)[:2]
    expected = opened(models, kind, templates, table_breadth=breadth)
    first = dict(expected.weights)
    store = WeightStore.of(first)
    decoder = opened(models, kind, templates, table_breadth=breadth)
    decoder.weights = Counted(store.native)
    assert found(decoder, texts) == found(expected, texts)
    forced = decoder.translate(Request(texts[0], decoder.translate(texts[0]).text)).score
    changed = shaken(first, 7)
    store.set(changed, list(changed.values()))
    decoder.refresh()
    expected.weights = changed
    assert found(decoder, texts) == found(expected, texts)
    assert decoder.translate(Request(texts[0], decoder.translate(texts[0]).text)).score != forced
    decoder.refresh()
    assert found(decoder, texts) == found(expected, texts)


def test_lists_of_earlier_weights_keep_their_features(small_model: Path, small_corpus: Path) -> None:
    text = (small_corpus / "de").read_text().splitlines()[0]
    decoder = PhraseDecoder.open(small_model, options=SearchOptions(table_breadth=20))
    store = WeightStore.of(dict(decoder.weights))
    decoder.weights = store
    kept = decoder.kbest(text, 10)
    before = kept.features(3)
    store.set(["LM0"], [3.0])
    decoder.refresh()
    decoder.kbest(text, 10)
    after = kept.features(3)
    assert (before.names(), before.values.tolist()) == (after.names(), after.values.tolist())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"LM00": 1.0}, "'LM00' is of no feature of this model"),
        ({"LM0": None}, "no weight for the feature 'LM0'; every feature"),
        ({"LM0": -1000001}, "the weight 'LM0' is -1000001.0; expected"),
        ({"PhraseLengths_1x1": 1.0}, "'PhraseLengths_1x1' is of no feature"),
    ],
)
def test_stores_are_checked_as_mappings_are(small_model: Path, change: dict, message: str) -> None:
    decoder = PhraseDecoder(Model.open(small_model), templates=[PhraseLength()])
    weights = {**decoder.weights, "PhraseLength_9x9": 1.0, "PhraseLength": 0.5, **change}
    store = WeightStore.of({name: value for name, value in weights.items() if value is not None})
    with pytest.raises(InputError, match=message):
        decoder.weights = store
    assert not isinstance(decoder.weights, WeightStore)


class Claims(Ends):
    """Owns names that do not begin with its own."""

    def owns(self, name: str) -> bool:
        return name.startswith("Other_")


def test_templates_may_claim_names_of_a_store_by_rules_of_their_own(small_model: Path) -> None:
    decoder = PhraseDecoder(Model.open(small_model), templates=[Claims()])
    decoder.weights = WeightStore.of({**decoder.weights, "Other_x": 1.0})
    with pytest.raises(InputError, match="'Another_x' is of no feature"):
        decoder.weights = WeightStore.of({**decoder.weights, "Another_x": 1.0})

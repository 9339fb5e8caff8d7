"""Every template with a native twin gives the same features by both, in both decoders."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.opening import DECODERS
from tunesmith.decode.settings import MOST, ChartOptions, SearchOptions
from tunesmith.decode.translation import Translation
from tunesmith.errors import InputError
from tunesmith.features import TEMPLATES, SparseReordering, Template
from tunesmith.forest import kbest
from tunesmith.model import Model

TEXTS = ("das bild der schwester .", "schade , dass wir unseenword", "ja", "")
DERIVATIONS, CLASSES = 40, 4
PHRASE_ONLY = {name for name, kind in TEMPLATES.items() if issubclass(kind, SparseReordering)}


def without_twin(template: Template) -> Template:
    """The same template, asked through Python."""
    kind = type(template)
    plain = type(kind.__name__, (kind,), {"twin": lambda self: None})
    return plain(**{name: getattr(template, name) for name in (each.name for each in fields(kind))})


@pytest.fixture(scope="module")
def models(
    small_model: Path, small_hiero: Path, small_corpus: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Model]:
    """A phrase model and a hierarchical one, with word classes."""
    folder = tmp_path_factory.mktemp("twins")
    opened = {}
    for kind, directory in (("phrase", small_model), ("chart", small_hiero)):
        shutil.copytree(directory, folder / kind)
        for side, name in (("source", "de"), ("target", "en")):
            words = sorted(set((small_corpus / name).read_text().split()))
            for count in (CLASSES, 20, 50, 80):
                lines = [f"{word}\t{number % count}\n" for number, word in enumerate(words)]
                (folder / kind / f"classes.{side}.{count}.txt").write_text("".join(lines))
        opened[kind] = Model.open(folder / kind)
    return opened


def weights_of(model: Model, names: Iterator[str]) -> dict[str, float]:
    """A weight for every feature, from its name."""
    sparse = {name: hashlib.sha256(name.encode()).digest()[0] / 256 - 0.5 for name in names}
    return {**sparse, **model.weights}


def listed(found: Translation, decoder: AnyDecoder) -> list[tuple[float, str, dict[str, float]]]:
    """The best derivations of a forest; those with equal scores by their features."""
    assert found.forest is not None
    weights = dict.fromkeys(found.forest.feature_names, 0.0) | dict(decoder.weights)
    rows = [
        (round(each.score, 3), each.text, {name: value for name, value in each.features.items() if value})
        for each in kbest(found.forest, weights, DERIVATIONS)
    ]
    last = rows[-1][0]  # ties at the end of the list may be others
    return sorted((row for row in rows if row[0] > last), key=lambda row: (row[0], sorted(row[2].items())))


def given(name: str, options: dict[str, int]) -> dict[str, object]:
    """The options as a template takes them, some of which take several numbers of classes."""
    several = isinstance(getattr(TEMPLATES[name], "classes", 0), tuple)
    return {key: (value,) if several else value for key, value in options.items()}


@pytest.mark.parametrize("options", [{}, {"classes": CLASSES}], ids=["words", "classes"])
@pytest.mark.parametrize("kind", ["phrase", "chart"])
@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_and_its_native_twin_agree(
    name: str, kind: str, options: dict[str, int], models: dict[str, Model]
):
    if options and "classes" not in TEMPLATES[name].__dataclass_fields__:
        pytest.skip("has no words")
    model = models[kind]
    native = TEMPLATES[name](**given(name, options)).with_lists(model.directory)
    if native.twin() is None:
        pytest.skip("has no twin")
    search = DECODERS[model.decoder_kind]
    if kind == "chart" and name in PHRASE_ONLY:
        for each in (native, without_twin(native)):
            with pytest.raises(InputError, match=f"'{native.name}' needs a decoder that goes from left"):
                search(model, None, None, [each]).translate(TEXTS[0])
        return
    wide = SearchOptions(pop_limit=0, stack_size=MOST, table_limit=2)
    if kind == "chart":
        wide = ChartOptions(pop_limit=0, table_limit=2)
    seen: set[str] = set()
    for text in TEXTS:
        free = search(model, None, wide, [native]).translate(text, forest=True)
        assert free.forest is not None
        weights = weights_of(model, filter(native.owns, free.forest.feature_names))
        decoders = [search(model, weights, wide, [each]) for each in (native, without_twin(native))]
        ours, theirs = (listed(each.translate(text, forest=True), each) for each in decoders)
        assert ours == theirs
        seen |= {feature for _, _, row in ours for feature in row if native.owns(feature)}
    silent = {"phrase": {"structural-distortion", "span-length"}, "chart": set()}
    assert seen or name in silent[kind]


@pytest.mark.parametrize("kind", ["phrase", "chart"])
def test_k_best_lists_have_the_features_of_all_templates(kind: str, models: dict[str, Model]):
    model = models[kind]
    templates = [TEMPLATES[name]() for name in TEMPLATES if kind == "phrase" or name not in PHRASE_ONLY]
    search = DECODERS[model.decoder_kind]
    free = search(model, None, None, templates).translate(TEXTS[0], forest=True)
    assert free.forest is not None
    names = (name for name in free.forest.feature_names if any(each.owns(name) for each in templates))
    decoder = search(model, weights_of(model, names), None, templates)
    found, best = decoder.translate(TEXTS[0]), decoder.kbest(TEXTS[0], 5)
    vector = best.features(0)
    features = dict(zip(vector.names(), vector.values.tolist(), strict=True))
    expected = {name: value for name, value in found.features.items() if value}
    assert features == pytest.approx(expected, abs=1e-4)
    assert best.scores[0] == pytest.approx(found.score, abs=1e-3)
    for number in range(len(best)):
        vector = best.features(number)
        score = sum(
            decoder.weights.get(name, 0.0) * value
            for name, value in zip(vector.names(), vector.values.tolist(), strict=True)
        )
        assert best.scores[number] == pytest.approx(score, abs=1e-3)

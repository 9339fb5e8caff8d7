"""Distortion that is paid when words are skipped, against the definition by cases."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.decode.lattice_derivations import WORDS, plf, random_lattice
from tests.decode.tiny import Phrases, derivations, score, write_model
from tests.small_models import fit_manifest

from tunesmith.decode import Lattice, PhraseDecoder, SearchOptions
from tunesmith.decode.translation import BORDER
from tunesmith.forest import kbest

EXHAUSTIVE = SearchOptions(pop_limit=0, stack_size=1 << 20, distortion_limit=-1)
Range = tuple[int, int]


def early_cost(covered: set[int], last: Range | None, current: Range) -> int:
    """The cases of Moore and Quirk (2007), as Moses words them; words are numbered, `covered` is before."""
    words = set(range(*current))
    prefix = 0
    while prefix in covered:
        prefix += 1
    initial = set(range(prefix))
    if current[0] == len(initial):  # adjacent to the longest translated initial segment
        return 0
    if last is not None and max(words) < max(range(*last)):  # left of the last phrase
        return 2 * len(words)
    if last is None or set(range(*last)) <= initial:
        between = set(range(len(initial), current[0]))
    else:
        between = set(range(last[1], current[0]))
    return 2 * (len(between) + len(words))


def expected(phrases: Phrases) -> list[int]:
    covered: set[int] = set()
    costs, last = [], None
    for begin, end, _ in phrases:
        costs.append(-early_cost(covered, last, (begin, end)))
        covered |= set(range(begin, end))
        last = begin, end
    return costs


def ranges(spans: Iterable[Range]) -> Phrases:
    return tuple((*span, "") for span in spans)


def switch_on(model: Path) -> None:
    """Set what an import of `[early-distortion-cost]` sets."""
    path = model / "features.json"
    record = json.loads(path.read_text())
    record["settings"]["early_distortion_cost"] = 1
    path.write_text(json.dumps(record))
    fit_manifest(model)


@pytest.fixture(scope="module", params=[1, 2])
def tiny(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    model = write_model(tmp_path_factory.mktemp("early") / "moses", request.param)
    switch_on(model)
    return model


def test_random_derivations_have_the_cost_of_the_definition(tiny: Path) -> None:
    decoder = PhraseDecoder.open(tiny, options=EXHAUSTIVE)
    table = decoder.model.phrase_table()
    draw = random.Random(5)
    kinds = set()
    for _ in range(60):
        words = [draw.choice("abcd") for _ in range(draw.randint(1, 9))]
        chosen, begin = [], 0
        while begin < len(words):
            end = min(len(words), begin + draw.randint(1, 2))
            pairs = table.lookup(" ".join(words[begin:end]))
            end = end if pairs else begin + 1
            pairs = pairs or table.lookup(words[begin])
            chosen.append((begin, end, pairs[0].target if pairs else words[begin]))
            begin = end
        draw.shuffle(chosen)
        phrases = tuple(chosen)
        found = [step.get("Distortion0", 0) for step in decoder.replay(" ".join(words), phrases)]
        assert found[:-1] == expected(phrases)
        kinds |= set(found)
    assert len(kinds) > 5


@pytest.mark.parametrize("sentence", ["a b c", "b d a", "a b a b"])
def test_search_finds_the_best_of_all_derivations(tiny: Path, sentence: str) -> None:
    decoder = PhraseDecoder.open(tiny, options=EXHAUSTIVE)
    best = max(score(decoder, sentence, phrases) for phrases in derivations(decoder, sentence))
    assert decoder.translate(sentence).score == pytest.approx(best, abs=1e-4)
    pruned = PhraseDecoder.open(tiny, options=SearchOptions(pop_limit=1 << 20, distortion_limit=-1))
    assert pruned.translate(sentence).score == pytest.approx(best, abs=1e-4)


def test_forests_and_translations_have_the_cost_of_the_definition(tiny: Path) -> None:
    decoder = PhraseDecoder.open(tiny, options=EXHAUSTIVE)
    found = decoder.translate("a b c d", forest=True)
    forest = found.forest
    assert forest is not None
    assert found.features.get("Distortion0", 0) == sum(
        expected(ranges(each.source for each in found.phrases))
    )
    values = set()
    for derivation in kbest(forest, forest.scores(decoder.weights), 300):
        edges = [forest.edge(number) for number in derivation.edges]
        spans = sorted((edge for edge in edges if edge.rule != BORDER), key=lambda edge: edge.tails)
        value = sum(edge.features.get("Distortion0", 0) for edge in edges)
        assert value == sum(expected(ranges(edge.span for edge in spans)))
        values.add(value)
    assert len(values) > 3


def test_a_monotone_search_pays_nothing(tiny: Path) -> None:
    options = SearchOptions(distortion_limit=0)
    early = PhraseDecoder.open(tiny, options=options)
    off = PhraseDecoder.open(tiny, {**early.weights, "Distortion0": 0.0}, options)
    for sentence in ("a b c d", "d c b a"):
        assert early.translate(sentence).score == off.translate(sentence).score


def test_lattices_count_columns(tiny: Path) -> None:
    decoder = PhraseDecoder.open(tiny, options=EXHAUSTIVE)
    known = dict(zip(WORDS, "abcdab", strict=True))
    for seed in range(10):
        arcs = [
            [(known[word], value, skip) for word, value, skip in node] for node in random_lattice(seed, [1.0])
        ]
        found = decoder.translate(Lattice(plf(arcs)))
        assert found.features.get("Distortion0", 0) == sum(
            expected(ranges(each.source for each in found.phrases))
        )

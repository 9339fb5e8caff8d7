"""Events of derivations, against what Moses printed of its own: segmentation, links, orientations."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tunesmith.decode import ChartDecoder, ChartOptions, DerivationEvents, PhraseDecoder, SearchOptions
from tunesmith.decode.event_views import DerivationView
from tunesmith.decode.rules import show_span
from tunesmith.files import read_lines

SENTENCES = 250


def segmentation(view: DerivationView) -> str:
    return " ".join(f"{show_span(*step.source)}={show_span(*step.target)}" for step in view.steps)


def links(view: DerivationView) -> str:
    return " ".join(f"{i}-{j}" for step in view.steps for i, j in sorted(step.links))


@pytest.mark.slow
def test_segments_links_and_orientations_are_those_of_moses(shared_data: Path, moses_model: Path):
    """Where both decoders find the same translation with the same score; Moses searched more widely."""
    decoder = PhraseDecoder.open(moses_model, options=SearchOptions(pop_limit=200, stack_size=200))
    sources = read_lines(shared_data / "multi30k.test_2016.de.xz")[:SENTENCES]
    found = decoder.translate_all(sources, forest=True)
    events = DerivationEvents.of_translations(found)
    hier = [events.steps.orientation_classes("hier", "mslr", way) for way in ("backward", "forward")]
    table = decoder.model.phrase_table()
    lines = read_lines(shared_data / "moses" / "test_2016.mert.cp1000.1best-with-segmentation.gz")
    same, used = 0, Counter[int]()
    for number, view in enumerate(events):
        _, text, features, total, segments, alignment = (part.strip() for part in lines[number].split("|||"))
        assert view.source == tuple(sources[number].split())
        if view.text != text or abs(view.score - float(total)) > 1e-3:
            continue
        same += 1
        assert segmentation(view) == segments
        assert links(view).split() == alignment.split()
        # Moses prints one value per class, backward before forward: sums of log p(orientation | pair).
        sums = np.zeros(8)
        first = events.step_offsets[number]
        for place, step in enumerate(view.steps):
            pairs = table.lookup(" ".join(map(str, step.source_side)))
            pair = [pair for pair in pairs if pair.target.split() == list(step.target_side)]
            for way, classes in enumerate(hier):
                column = 4 * way + int(classes[first + place])
                if pair and classes[first + place] >= 0:
                    sums[column] += math.log(pair[0].reordering[column])
                    used[column] += 1
        expected = [float(value) for value in features.split("Distortion0")[0].split()[1:]]
        assert sums.tolist() == pytest.approx(expected, abs=1e-3)
    assert same > 0.9 * SENTENCES
    assert set(used) >= {0, 1, 2, 3, 4, 5, 7}  # forward left, 6, is rare


@pytest.mark.slow
def test_rules_and_links_of_a_peers_hierarchical_model_are_those_of_its_translations(
    shared_data: Path, moses_hiero: Path
):
    decoder = ChartDecoder.open(moses_hiero, options=ChartOptions(pop_limit=50))
    sources = read_lines(shared_data / "multi30k.test_2016.de.xz")[:40]
    found = list(decoder.translate_all(sources, forest=True))
    events = DerivationEvents.of_translations(found)
    for source, translation, view in zip(sources, found, events, strict=True):
        assert (view.text, view.alignment) == (translation.text, translation.alignment)
        assert view.source == tuple(source.split())
        steps = [(step.source, step.target, step.rule) for step in view.steps]
        assert steps == [(rule.source, rule.target, rule.rule) for rule in translation.rules]
        arities = Counter(step.parent for step in view.steps)
        assert [arities[i] for i in range(len(steps))] == [rule.arity for rule in translation.rules]

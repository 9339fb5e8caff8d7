"""Sparse reordering features against their definitions, and the search with them against all derivations."""

from __future__ import annotations

import hashlib
import itertools
import random
from collections import Counter
from dataclasses import fields
from itertools import chain
from pathlib import Path

import pytest
from tests.decode import tiny
from tests.decode.orientations import Span, backward, forward, label, reduced
from tests.decode.test_template_twins import without_twin

from tunesmith.decode.constraints import GivenPhrase
from tunesmith.decode.lattice import Lattice
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.request import Request
from tunesmith.decode.settings import MOST, SearchOptions
from tunesmith.decode.translation import GIVEN
from tunesmith.errors import OptionError
from tunesmith.features import TEMPLATES, SparseReordering
from tunesmith.features.naming import parse_template
from tunesmith.features.record import template_of, template_record
from tunesmith.features.sparse_reordering import IDENTITIES
from tunesmith.model import Model

WIDE = SearchOptions(pop_limit=0, stack_size=MOST, distortion_limit=-1)
FORMS = (
    {},
    {"classes": (2,)},
    {"orientations": "msd", "between": False},
    {"orientations": "mslrg", "stack": "block"},
    {"model": "phrase", "classes": (2, 3)},
    {"stack": "block", "classes": (2,)},
    {"phrase": False, "stack": "none"},
    {"stack": "none", "between": False},
    {"phrase": False, "between": False, "orientations": "mslrg"},
    {"identities": True, "uncommon": True},
    {"identities": True, "stack": "block", "orientations": "mslrg"},
    {"identities": True, "phrase": False, "stack": "none", "between": False},
)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """A model of random pairs, with lists of some of its words and classes of others."""
    folder = tiny.write_model(tmp_path_factory.mktemp("sparse") / "moses", seed=5)
    for side, words in (("source", tiny.SOURCE), ("target", tiny.TARGET)):
        (folder / f"frequent.{side}.txt").write_text(f"{words[1]}\t9\n{words[0]}\t8\n{words[2]}\t7\n")
        (folder / f"words.{side}.txt").write_text("".join(f"{word}\t1\n" for word in words))
        for count in (2, 3):
            lines = [f"{word}\t{number % count}\n" for number, word in enumerate(words[1:])]
            (folder / f"classes.{side}.{count}.txt").write_text("".join(lines))
    return Model.open(folder)


def labels_of(template: SparseReordering, words: str, word: str) -> list[str]:
    """The labels of a word, from the lists above."""
    number = words.index(word)
    listed = list(words) if template.uncommon else [words[1], words[0], words[2]][: template.top]
    found = [f"w_{word}"] if word in listed else []
    return found + [f"C{count}_c{(number - 1) % count}" for count in template.classes if number > 0]


def expected(template: SparseReordering, sentence: str, phrases: tiny.Phrases) -> Counter[str]:
    """The features of a derivation, from its spans alone."""
    words, spans = sentence.split(), [(begin, end) for begin, end, _ in phrases]
    targets = [text.split() for _, _, text in phrases]
    found: Counter[str] = Counter()

    def add(part: str, span: Span, first: list[str], last: list[str], orientation: str) -> None:
        for place, side, word in (
            ("source_first", tiny.SOURCE, words[span[0]]),
            ("source_last", tiny.SOURCE, words[span[1] - 1]),
            ("target_first", tiny.TARGET, first[0] if first else ""),
            ("target_last", tiny.TARGET, last[-1] if last else ""),
        ):
            if word in side and word:
                for each in labels_of(template, side, word):
                    found[f"{template.name}_{part}_{place}_{each}_{orientation}"] += 1

    for step, span in enumerate(spans):
        orientation = label(template.orientations, *backward(template.model, spans, step))
        if template.phrase:
            add("phrase", span, targets[step], targets[step], orientation)
        if template.identities and tuple(targets[step]) != tuple(words[span[0] : span[1]]):
            sides = "_".join(words[span[0] : span[1]]), "_".join(targets[step])
            for kind, text in zip(("source", "target", "pair"), (*sides, "_~_".join(sides)), strict=True):
                found[f"{template.name}_{kind}_{text}_{orientation}"] += 1
        before = spans[step - 1] if step else (0, 0)
        if template.stack == "block" and step:
            before = reduced(spans[:step])[-1]
            inside = [i for i in range(step) if before[0] <= spans[i][0] < before[1]]
            add("stack", before, targets[inside[0]], targets[step - 1], orientation)
        elif template.stack == "previous" and step:
            ahead = label(template.orientations, *forward(template.model, spans, step - 1, len(words)))
            add("stack", before, targets[step - 1], targets[step - 1], ahead)
        if template.between and orientation in ("discontinuous", "left", "right"):
            columns = sorted((before[0], before[1], *span))[1:3]
            for word in words[columns[0] : columns[1]]:
                for each in labels_of(template, tiny.SOURCE, word):
                    found[f"{template.name}_between_{each}_{orientation}"] += 1
    return found


def weight_of(name: str) -> float:
    return hashlib.sha256(name.encode()).digest()[0] / 128 - 1


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_features_are_those_of_the_definitions_and_the_search_finds_the_best(
    form: dict[str, object], model: Model
):
    template = SparseReordering(top=2, **form)  # type: ignore[arg-type]
    draw = random.Random(3)
    for _ in range(4):
        sentence = " ".join(draw.choices(tiny.SOURCE, k=4))
        plain = PhraseDecoder(model, None, WIDE, [template])
        every = list(tiny.derivations(plain, sentence))
        features = [expected(template, sentence, phrases) for phrases in every]
        names = set(itertools.chain(*features))
        sparse = {name: weight_of(name) for name in names}
        decoder = PhraseDecoder(model, {**model.weights, **sparse}, WIDE, [template])
        scores = []
        for phrases, wanted in zip(every, features, strict=True):
            replayed = decoder.replay(sentence, phrases)
            got: Counter[str] = Counter()
            for step in replayed:
                got.update({name: value for name, value in step.items() if template.owns(name)})
            assert got == wanted
            scores.append(
                sum(
                    decoder.weights.get(name, 0.0) * value
                    for step in replayed
                    for name, value in step.items()
                )
            )
        assert decoder.translate(sentence).score == pytest.approx(max(scores), abs=1e-4)
        assert decoder.kbest(sentence, 3).scores[0] == pytest.approx(max(scores), abs=1e-4)


def test_weights_that_change_in_place_are_used(model: Model):
    template = SparseReordering(top=2)
    decoder = PhraseDecoder(model, None, WIDE, [template])
    before = decoder.translate("a b c")
    names = [name for name in before.features if template.owns(name)]
    assert names
    decoder.weights = {**decoder.weights, **dict.fromkeys(names, -50.0)}
    after = decoder.translate("a b c")
    assert after.score < before.score and after.features != before.features
    decoder.weights = {**decoder.weights, **dict.fromkeys(names, 0.0)}
    assert decoder.translate("a b c").score == pytest.approx(before.score, abs=1e-4)


@pytest.mark.parametrize("stack", ["previous", "block"])
def test_whitelists_and_lattices_give_the_same_in_both_languages(stack: str, model: Model, tmp_path: Path):
    inputs = ("a b c d", Lattice("((('a',1,1),('b',1,2),),(('c',1,1),),(('a',1,1),),)"))
    (tmp_path / "only").write_text(
        "SparseReordering_phrase_target_first_w_W_monotone\nSparseReordering_stack_target_last_w_X_monotone\n"
        "SparseReordering_phrase_source_last_w_b_swap\nSparseReordering_stack_source_first_w_a_swap\n"
    )
    seen: set[str] = set()
    known = {"identities": True} if stack == "block" else {}
    for only in ("", str(tmp_path / "only")):
        native = SparseReordering(top=3, stack=stack, only=only, **known)  # type: ignore[arg-type]
        for text in inputs:
            found = []
            for template in (native, without_twin(native)):
                decoder = PhraseDecoder(model, None, WIDE, [template])
                names = filter(native.owns, decoder.translate(text, forest=True).forest.feature_names)
                decoder.weights = {**model.weights, **{name: weight_of(name) for name in sorted(names)}}
                best = decoder.kbest(text, 20)
                rows = [best.features(number) for number in range(len(best))]
                found.append([dict(zip(row.names(), row.values.tolist(), strict=True)) for row in rows])
            fired = [{name: row[name] for name in row if native.owns(name)} for row in found[0]]
            assert fired == [{name: row[name] for name in row if native.owns(name)} for row in found[1]]
            if isinstance(text, Lattice):
                assert only or any("_phrase_source_first_" in name for name in chain(*fired))
                assert not any("_stack_source_" in name for name in chain(*fired))
                assert not any("between" in name for name in chain(*fired))
            if only:
                assert {name for row in fired for name in row} <= native.whitelist.names
            seen.update(name.split("_")[1] for row in fired for name in row)
    assert seen == {"phrase", "stack", "between"} | ({"source", "target", "pair"} if known else set())


def test_words_that_are_passed_through_and_given_phrases_have_no_identity(model: Model):
    template = SparseReordering(top=2, identities=True)
    for kind in (template, without_twin(template)):
        decoder = PhraseDecoder(model, None, WIDE, [kind])
        given = Request("a b", phrases=(GivenPhrase(0, 2, "W", 1.0),))
        for text, phrase in (("unseen", (0, 1, "unseen")), (given, (0, 2, "W", GIVEN))):
            (fired, _) = decoder.replay(text, [phrase])
            assert not any(
                name.startswith(f"{template.name}_{part}_") for name in fired for part in IDENTITIES
            )
            assert len(fired) > 1  # other features


def test_the_feature_sets_of_the_paper_are_presets():
    sets = {name: TEMPLATES[name]() for name in TEMPLATES if name.startswith("sparse-hrm")}
    common = {"classes": (20, 50, 80), "orientations": "mslrg"}
    expected = {
        "sparse-hrm-local": {"stack": "none", "between": False},
        "sparse-hrm": {"stack": "block"},
        "sparse-hrm-uncommon": {"stack": "block", "uncommon": True},
        "sparse-hrm-biphrases": {"stack": "block", "identities": True},
    }
    assert set(sets) == set(expected)
    for name, template in sets.items():
        own = {**common, **expected[name]}
        plain = SparseReordering(template.name, **own)  # type: ignore[arg-type]
        assert all(getattr(template, each.name) == getattr(plain, each.name) for each in fields(plain))
        assert template_of(template_record(template)) == template
    assert len({template.name for template in sets.values()}) == 4


def test_options_are_parsed_and_checked():
    parsed = parse_template("sparse-reordering(top=20, classes=20+50, stack=block, between=false)")
    assert parsed == SparseReordering(top=20, classes=(20, 50), stack="block", between=False)
    for text, message in (
        ("sparse-reordering(classes=x)", "classes: expected a whole number, found 'x'"),
        ("sparse-reordering(classes=0)", "classes must be at least 1"),
        ("sparse-reordering(model=phrase, stack=block)", "stack=block needs blocks of any size"),
        (
            "sparse-reordering(phrase=false, stack=none, between=false)",
            "has no part: set phrase, between, stack",
        ),
        ("sparse-reordering(model=phrase, orientations=mslrg)", "mslrg needs blocks of any size"),
        ("sparse-reordering(stack=top)", "stack cannot be 'top'"),
    ):
        with pytest.raises(OptionError, match=message):
            parse_template(text)

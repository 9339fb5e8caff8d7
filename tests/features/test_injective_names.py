"""Different events have different names, whatever the tokens are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.strategies import word

from tunesmith.features import (
    TEMPLATES,
    Pair,
    PairTemplate,
    PlacedTemplate,
    Sentence,
    Span,
    StatefulTemplate,
    Step,
    Template,
)
from tunesmith.features.word_parts import class_part, is_word_part, word_of, word_part

HOSTILE = (
    *("_", "__", "~", "_~_", ":", ",", "|", "=", "a_b", "a", "b", "a:b", "f~e", "4,2", "3", "c3", "c-", "-"),
    *(
        "OTHER",
        "<s>",
        "</s>",
        "<unk>",
        "X1",
        "X2",
        "X10",
        "X",
        "[X]",
        "w",
        "w_a",
        "l",
        "r",
        "swap",
        "%",
        "%5F",
    ),
    *("%255F", "%581", "_swap", "C20", "c", "phrase", "%4FTHER", "s3", "2x1"),
)
token = st.one_of(st.sampled_from(HOSTILE), word)
CLASS_COUNT = 3


@st.composite
def rules(draw: st.DrawFn) -> Pair:
    """A phrase pair, or a rule with a gap."""
    source: list[str | int] = list(draw(st.lists(token, min_size=1, max_size=4)))
    target: list[str | int] = list(draw(st.lists(token, min_size=1, max_size=4)))
    if draw(st.booleans()):
        for side in (source, target):
            side.insert(draw(st.integers(0, len(side))), -1)
    words = [
        (i, j)
        for i, left in enumerate(source)
        for j, right in enumerate(target)
        if isinstance(left, str) and isinstance(right, str)
    ]
    links = draw(st.lists(st.sampled_from(words), max_size=4, unique=True))
    return Pair(tuple(source), tuple(target), tuple(sorted(links)), {"TranslationModel0_0": -1.0})


def renamed(pair: Pair, names: Mapping[str, str]) -> Pair:
    sides = (
        tuple(names[s] if isinstance(s, str) else s for s in side) for side in (pair.source, pair.target)
    )
    return Pair(*sides, pair.alignment, pair.scores, pair.known)


def names_of(template: Template, pairs: Sequence[Pair]) -> Iterator[str]:
    """Names of everything that pairs fire, in an order that does not depend on their words."""
    for pair in pairs:
        words = tuple(symbol for symbol in pair.source if isinstance(symbol, str))
        gaps = [i for i, symbol in enumerate(pair.source) if isinstance(symbol, int)]
        if isinstance(template, PairTemplate):
            yield from template.values(pair)
        elif isinstance(template, PlacedTemplate):
            sentence = Sentence((*words, *words), len(pair.source) + 1)
            span = Span(0, len(pair.source), tuple((at, at + 1) for at in gaps))
            yield from template.values(pair, span, sentence)
    if not isinstance(template, StatefulTemplate):
        return
    plain = [pair for pair in pairs if not any(isinstance(s, int) for s in (*pair.source, *pair.target))]
    sentence = Sentence(
        tuple(str(s) for pair in plain for s in pair.source), sum(len(p.source) for p in plain)
    )
    state, at = template.start(sentence), len(sentence.words)
    for pair in plain:  # from the right to the left: orientations are not all monotone
        at -= len(pair.source)
        covered = ((1 << len(sentence.words)) - 1) >> (at + len(pair.source)) << (at + len(pair.source))
        answer = template.apply(
            (state,), Step(pair, (at, at + len(pair.source)), (-1, *pair.target), covered)
        )
        assert answer is not None
        state, values = answer
        yield from values
    yield from template.finish(state) or ()


def with_lists(template: Template, folder: Path, words: Sequence[str], classes: Sequence[str]) -> Template:
    """The template with lists of the first words, and classes of all but the last."""
    folder.mkdir(exist_ok=True)
    for side in ("source", "target"):
        listed = "".join(f"{each}\t1\n" for each in words[: (len(words) + 1) // 2])
        for kind in ("unaligned", "frequent", "words"):
            (folder / f"{kind}.{side}.txt").write_text(listed, "utf-8", newline="")
        rows = [f"{each}\t{classes[i % len(classes)]}\n" for i, each in enumerate(words[:-1])]
        for count in (CLASS_COUNT, 20, 50, 80):
            (folder / f"classes.{side}.{count}.txt").write_text("".join(rows), "utf-8", newline="")
    lines = "".join(f"{a}\t{b}\n" for a in words for b in words)
    (folder / "word-pairs.txt").write_text(lines, "utf-8", newline="")
    return template.with_lists(folder)


@pytest.mark.parametrize("options", [{}, {"classes": CLASS_COUNT}], ids=["words", "classes"])
@pytest.mark.parametrize("name", TEMPLATES)
@settings(max_examples=20)
@given(
    pairs=st.lists(rules(), min_size=1, max_size=4),
    classes=st.lists(st.one_of(st.sampled_from(["", "-", "3", "_", "X1"]), token), min_size=1, unique=True),
)
@example(
    pairs=[Pair(("a_b",), ("c",), ((0, 0),), {}), Pair(("a", "b"), ("c",), ((0, 0),), {})], classes=["-"]
)
@example(pairs=[Pair(("X1",), ("X1",), (), {}), Pair((-1,), (-1,), (), {})], classes=["-"])
@example(pairs=[Pair(("OTHER", "a"), ("<s>", "</s>"), (), {})], classes=[""])
def test_different_events_have_different_names(
    name: str,
    options: dict[str, int],
    pairs: list[Pair],
    classes: list[str],
    tmp_path_factory: pytest.TempPathFactory,
):
    """Names of words w0, w1, ... tell events apart; those of any words must do so, too."""
    kind = TEMPLATES[name]
    if options and "classes" not in kind.__dataclass_fields__:
        pytest.skip("has no words")
    several = isinstance(getattr(kind, "classes", 0), tuple)
    template = kind(**{key: (value,) if several else value for key, value in options.items()})
    tokens = sorted(
        {s for pair in pairs for side in (pair.source, pair.target) for s in side if isinstance(s, str)}
    )
    plain = {each: f"w{number}" for number, each in enumerate(tokens)}
    folder = tmp_path_factory.mktemp("lists")
    given_one = with_lists(template, folder, tokens, classes)
    plain_one = with_lists(template, folder, list(plain.values()), [str(i) for i in range(len(classes))])
    given_names = list(names_of(given_one, pairs))
    plain_names = list(names_of(plain_one, [renamed(pair, plain) for pair in pairs]))
    assert len(given_names) == len(plain_names)
    met = set(zip(given_names, plain_names, strict=True))
    assert len(met) == len(set(given_names)) == len(set(plain_names))


@given(token)
def test_the_word_of_a_part_is_what_the_part_was_made_of(text: str):
    part = word_part(text)
    assert part and "_" not in part and is_word_part(part) and word_of(part) == text
    assert text == part or set("_%~<OX") & set(text)


@given(st.lists(token, unique=True))
def test_different_classes_have_different_parts_none_of_which_is_that_of_no_class(names: list[str]):
    parts = {class_part(each) for each in ("", *names)}
    assert len(parts) == len(names) + 1 and "c-" not in parts

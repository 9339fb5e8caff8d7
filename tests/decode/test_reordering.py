"""Every kind of reordering model, against orientations written down from their definitions."""

from __future__ import annotations

import itertools
import json
import math
import random
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.decode.derivations import all_derivations, total

from tunesmith import _native
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.settings import MOST, SearchOptions
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.reordering import ReorderingSpec
from tunesmith.model import Model
from tunesmith.model.training import train
from tunesmith.tables import PhrasePair

Span = tuple[int, int]


def specs() -> list[str]:
    parts = itertools.product(
        ("wbe", "phrase", "hier"),
        ("monotonicity", "msd", "mslr", "leftright", "mslrg"),
        ("backward", "forward", "bidirectional"),
    )
    names = ["-".join((*each, "fe")) for each in parts] + ["hier-mslr-bidirectional-f"]
    return [name for name in names if is_a_model(name)]


def is_a_model(name: str) -> bool:
    try:
        ReorderingSpec.parse(name)
    except OptionError:
        return False
    return True


@pytest.fixture(scope="module")
def decoder(small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> PhraseDecoder:
    folder = tmp_path_factory.mktemp("reordering") / "model"
    sides = small_corpus / "de", small_corpus / "en"
    options = {"alignment": small_corpus / "align", "lm_order": 2, "max_phrase_length": 3}
    train(*sides, folder, reordering=specs(), **options)
    wide = SearchOptions(pop_limit=0, stack_size=MOST, table_limit=2, distortion_limit=-1)
    return PhraseDecoder.open(folder, options=wide)


def beside(block: Span, span: Span) -> str:
    """Tell how a span lies beside a block that was translated before it."""
    if span[0] == block[1]:
        return "monotone"
    if span[1] == block[0]:
        return "swap"
    return "left" if span[0] <= block[0] else "right"


def reduced(spans: Sequence[Span]) -> list[Span]:
    """Shift spans; join the last two blocks as long as they touch."""
    blocks: list[Span] = []
    for span in spans:
        blocks.append(span)
        while len(blocks) > 1 and beside(blocks[-2], blocks[-1]) in ("monotone", "swap"):
            last, before = blocks.pop(), blocks.pop()
            blocks.append((min(last[0], before[0]), max(last[1], before[1])))
    return blocks


def backward(model: str, spans: Sequence[Span], step: int) -> tuple[str, bool]:
    """Return the orientation of a step, and if it is global: all before it is one block, monotone with it."""
    if step == 0:
        found = beside((0, 0), spans[0])
        return found, found == "monotone"
    if model != "hier":
        return beside(spans[step - 1], spans[step]), False
    blocks = reduced(spans[:step])
    found = beside(blocks[-1], spans[step])
    return found, len(blocks) == 1 and found == "monotone"


def forward(model: str, spans: Sequence[Span], step: int, length: int) -> tuple[str, bool]:
    """Return the same towards what follows, when only the next span is known."""
    this, following = spans[step], spans[step + 1]
    if model != "hier":
        return beside(this, following), False
    done = {column for begin, end in spans[: step + 1] for column in range(begin, end)}
    rest = [column for column in range(length) if column not in done]
    if following[0] >= this[1]:
        touches = following[0] == this[1] or this[1] in rest
        found = "monotone" if touches else "right"
    else:
        touches = following[1] == this[0] or this[0] - 1 in rest
        found = "swap" if touches else "left"
    return found, rest == list(range(this[1], this[1] + len(rest)))


def label(classes: str, orientation: str, is_global: bool) -> str:
    """Return the class of an orientation, as the columns of a model name it."""
    if classes == "mslrg" and is_global:
        return "global"
    coarser = {
        "monotonicity": {"monotone": "monotone"},
        "msd": {"monotone": "monotone", "swap": "swap"},
        "leftright": {"monotone": "right", "right": "right", "swap": "left", "left": "left"},
    }
    rest = {"monotonicity": "other", "msd": "discontinuous"}
    return coarser[classes].get(orientation, rest.get(classes, "")) if classes in coarser else orientation


def expected_rows(
    spec: ReorderingSpec, pairs: Sequence[PhrasePair | None], spans: Sequence[Span], first: int
) -> list[list[float]]:
    """Return the values of a model's columns at each step."""
    length = sum(end - begin for begin, end in spans)
    rows = []
    for step, pair in enumerate(pairs):
        row = [0.0] * len(spec.columns)
        if pair is not None and spec.direction != "forward":
            column = spec.columns.index(f"backward {label(spec.classes, *backward(spec.model, spans, step))}")
            row[column] += math.log(pair.reordering[first + column])
        before = pairs[step - 1] if step > 0 else None
        if before is not None and spec.direction != "backward":
            found = forward(spec.model, spans, step - 1, length)
            column = spec.columns.index(f"forward {label(spec.classes, *found)}")
            row[column] += math.log(before.reordering[first + column])
        rows.append(row)
    return rows


@pytest.mark.slow
def test_orientations_of_random_derivations_are_those_of_the_definitions(decoder: PhraseDecoder):
    rng = random.Random(7)
    pairs = list(decoder.model.phrase_table(0))
    used: set[tuple[str, int]] = set()
    for _ in range(150):
        # Source phrases side by side, translated in any order; None is an unknown word.
        sentence = [rng.choice([None, *rng.sample(pairs, 9)]) for _ in range(rng.randint(1, 8))]
        sources = [pair.source if pair else f"unseen{i}" for i, pair in enumerate(sentence)]
        ends = list(itertools.accumulate((len(source.split()) for source in sources), initial=0))
        order = rng.sample(range(len(sentence)), len(sentence))
        if rng.random() < 0.5:  # small permutations of neighbors, in which blocks are found
            order = sorted(range(len(sentence)), key=lambda i: i + rng.uniform(0, 2.5))
        spans = [(ends[i], ends[i + 1]) for i in order]
        ordered = [sentence[i] for i in order]
        targets = [pair.target if pair else sources[i] for i, pair in zip(order, ordered, strict=True)]
        phrases = [(*span, target) for span, target in zip(spans, targets, strict=True)]
        *steps, end = decoder.replay(" ".join(sources), phrases)
        assert not any(name.startswith("LexicalReordering") for name in end)
        for part in decoder.model.reordering:
            spec = ReorderingSpec.parse(part.type)
            rows = expected_rows(spec, ordered, spans, part.columns[0])
            for step, row in zip(steps, rows, strict=True):
                found = [step.get(f"{part.name}_{column}", 0.0) for column in range(len(row))]
                assert found == pytest.approx(row, abs=1e-5), (part.type, spans)
                used |= {(part.name, column) for column, value in enumerate(row) if value != 0.0}
    # Every class of every model was met.
    assert used == {
        (part.name, column)
        for part in decoder.model.reordering
        for column in range(len(ReorderingSpec.parse(part.type).columns))
    }


@pytest.mark.parametrize("text", ["man hat keinen", "es war schade ,", "unseenword man hat"])
def test_recombination_loses_nothing_that_orientations_depend_on(decoder: PhraseDecoder, text: str):
    found = decoder.translate(text, forest=True)
    assert found.forest is not None
    derivations = all_derivations(found.forest)
    assert len(derivations) > 10
    for derivation in derivations:
        alone = total(decoder.replay(text, derivation.phrases))
        assert dict(derivation.features) == pytest.approx(alone, abs=1e-4)


@pytest.mark.parametrize("column", [2**64 - 4, 2**64 - 8, 2**63, 1020, 1])
def test_columns_that_no_table_has_are_refused_even_if_their_end_overflows(
    column: int, decoder: PhraseDecoder, tmp_path: Path
) -> None:
    """8 columns from 2^64 - 4 on end at 4 in arithmetic of 64 bits."""
    model = _native.DecoderModel()
    table = decoder.model.phrase_table()
    model.add_table(table.native, "TranslationModel0", 0)
    width = table.native.reordering_count
    spec = ReorderingSpec.parse("hier-mslr-bidirectional-fe").native
    begin = column if column > 1 else width - 7
    with pytest.raises(InputError, match=rf"from column {begin} on|needs {begin + 8}$"):
        model.add_reordering(spec, "R", begin)

    shutil.copytree(decoder.model.directory, tmp_path / "model")
    path = tmp_path / "model" / "features.json"
    record = json.loads(path.read_text())
    record["reordering"][0]["columns"] = [column if column > 1 else "1", column + 8]
    path.write_text(json.dumps(record))
    with pytest.raises(InputError, match=r"features\.json|reordering"):
        PhraseDecoder(Model.read(tmp_path / "model")).translate("der hund")

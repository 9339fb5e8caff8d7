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
from tests.decode.orientations import Span, backward, forward, label

from tunesmith import _native
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.settings import MOST, SearchOptions
from tunesmith.errors import InputError, OptionError
from tunesmith.model import Model
from tunesmith.model.training import train
from tunesmith.tables import PhrasePair
from tunesmith.tables.reordering import ReorderingSpec


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
    model.add_table(table.native, "TranslationModel0", 0, 0)
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

"""Names of features of hostile tokens: native twins give those of the templates in Python."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.decode.chart_tiny import GLUE, Grammar, write_chart_model
from tests.decode.test_template_twins import DERIVATIONS, PHRASE_ONLY, given, listed, weights_of, without_twin
from tests.decode.tiny import INI, write_random_lm
from tests.features.test_injective_names import HOSTILE

from tunesmith.decode.opening import DECODERS
from tunesmith.decode.settings import MOST, ChartOptions, SearchOptions
from tunesmith.features import TEMPLATES
from tunesmith.model import Model
from tunesmith.model.importing import import_model

TOKENS = sorted(set(HOSTILE) - {"|", "[X]", "<s>", "</s>"})
"""Without what tables and grammars cannot have as words."""
CLASSES = 3


def phrase_rows(draw: random.Random) -> list[tuple[list[str], list[str]]]:
    rows = [([token], draw.choices(TOKENS, k=2)) for token in TOKENS[1:]]
    return rows + [(draw.choices(TOKENS[1:], k=2), draw.choices(TOKENS, k=2)) for _ in range(20)]


def write_lists(folder: Path, draw: random.Random) -> None:
    words = draw.sample(TOKENS, len(TOKENS))
    for side in ("source", "target"):
        listed_words = "".join(f"{each}\t1\n" for each in words[: len(words) // 2])
        for kind in ("unaligned", "frequent", "words"):
            (folder / f"{kind}.{side}.txt").write_text(listed_words)
        names = ("-", "", "_", "X1", "7")
        rows = "".join(f"{each}\t{names[number % 5]}\n" for number, each in enumerate(words[:-3]))
        for count in (CLASSES, 20, 50, 80):
            (folder / f"classes.{side}.{count}.txt").write_text(rows)
    (folder / "word-pairs.txt").write_text("".join(f"{a}\t{b}\n" for a in words for b in words))


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Model]:
    folder, draw = tmp_path_factory.mktemp("hostile"), random.Random(1)
    rows = phrase_rows(draw)
    text = "".join(
        f"{' '.join(source)} ||| {' '.join(target)} ||| 0.5 0.4 0.3 0.2 ||| 0-0 ||| 1 1 1 |||\n"
        for source, target in rows
    )
    (folder / "phrases").write_text(text)
    write_random_lm(folder / "lm.arpa", draw, 40)
    (folder / "moses.ini").write_text(INI.format(features="", weights=""))
    import_model(folder / "moses.ini", folder / "phrase")
    write_lists(folder / "phrase", draw)
    lines = [f"[X] ||| {' '.join(s)} ||| {' '.join(t)} ||| EgivenFCoherent=0.5 ||| 0-0" for s, t in rows]
    lines += [
        f"[X] ||| {word} [X,1] ||| [X,1] {draw.choice(TOKENS)} ||| EgivenFCoherent=0.25 ||| 0-1"
        for word in TOKENS[1:]
    ]
    chart = write_chart_model(
        folder / "chart", [GLUE, Grammar("\n".join(lines) + "\n", ("EgivenFCoherent",))]
    )
    write_lists(chart.directory, draw)
    return {"phrase": Model.open(folder / "phrase"), "chart": chart}


@pytest.mark.parametrize("options", [{}, {"classes": CLASSES}], ids=["words", "classes"])
@pytest.mark.parametrize("kind", ["phrase", "chart"])
@pytest.mark.parametrize("name", TEMPLATES)
def test_twins_name_features_of_any_tokens_alike(
    name: str, kind: str, options: dict[str, int], models: dict[str, Model]
):
    if options and "classes" not in TEMPLATES[name].__dataclass_fields__:
        pytest.skip("has no words")
    model, draw = models[kind], random.Random(f"{name} {kind}")
    native = TEMPLATES[name](**given(name, options)).with_lists(model.directory)
    if native.twin() is None or (kind == "chart" and name in PHRASE_ONLY):
        pytest.skip("has no twin here")
    wide = SearchOptions(pop_limit=0, stack_size=MOST, table_limit=2)
    if kind == "chart":
        wide = ChartOptions(pop_limit=50, table_limit=2)
    for text in sentences(draw):
        free = DECODERS[model.decoder_kind](model, None, wide, [native])
        found = free.translate(text, forest=True)
        assert found.forest is not None
        weights = weights_of(model, filter(native.owns, found.forest.feature_names))
        assert all(native.admits(each) for each in weights if native.owns(each))
        decoders = [free.__class__(model, weights, wide, [each]) for each in (native, without_twin(native))]
        ours, theirs = (listed(each.translate(text, forest=True), each) for each in decoders)
        assert ours == theirs and len(ours) <= DERIVATIONS


def sentences(draw: random.Random) -> Sequence[str]:
    """Short texts, whose first token is unknown to the tables."""
    return [" ".join((TOKENS[0], *draw.choices(TOKENS, k=3))) for _ in range(2)]

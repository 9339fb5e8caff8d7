"""Tiny synchronous grammars with random rules, and models of them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.decode.tiny import INI, SOURCE, TARGET, write_random_lm

from tunesmith.extract.glue import sentence_glue
from tunesmith.model.importing import import_model
from tunesmith.model.model import LanguageModelPart, Model, RulePart
from tunesmith.weights import Weights

PENALTIES = {
    "UnknownWordPenalty0": "UnknownWordPenalty",
    "WordPenalty0": "WordPenalty",
    "PhrasePenalty0": "PhrasePenalty",
    "SourceWords0": "SourceWords",
    "PassThrough0": "PassThrough",
    "Arity_0": "Arity0",
    "Arity_1": "Arity1",
    "Arity_2": "Arity2",
    "LM0_OOV": "LmUnknown",
}


@dataclass(frozen=True)
class Grammar:
    """A text of rules, as a part of a model."""

    text: str
    features: tuple[str, ...] = ()
    counted: bool = False
    span_limit: int = 0
    table_limit: int = 0


GLUE = Grammar(sentence_glue(), ("Glue",))


def write_chart_model(
    folder: Path,
    grammars: Iterable[Grammar],
    weights: Mapping[str, float] | None = None,
    *,
    seed: int = 1,
    penalties: Mapping[str, str] = PENALTIES,
) -> Model:
    """Write a model of grammars, and of a language model of random text; weights not given are random."""
    folder.mkdir(exist_ok=True)
    random_number = random.Random(seed)
    write_random_lm(folder / "lm.arpa", random_number, 40)
    parts = []
    for number, grammar in enumerate(grammars):
        (folder / f"{number}.grammar").write_text(grammar.text, encoding="utf-8")
        parts.append(
            RulePart(
                f"G{number}",
                f"{number}.grammar",
                "text",
                grammar.features,
                grammar.table_limit,
                grammar.span_limit,
                grammar.counted,
            )
        )
    names = [*penalties, "LM0", *(name for part in parts for name in part.features)]
    drawn = {name: random_number.randint(-40, 40) / 64 for name in dict.fromkeys(names)}
    language_model = LanguageModelPart("LM0", 3, "lm.arpa", None)
    return Model(
        folder,
        (),
        (),
        (language_model,),
        dict(penalties),
        {},
        Weights({**drawn, **(weights or {})}),
        tuple(parts),
    )


def random_grammar(seed: int) -> Grammar:
    """Return rules of the categories X and Y with up to three gaps.

    Among them are unary ones (Y of X, never back), inverted gaps, empty target sides and duplicates. Features
    are multiples of 1/8, so that sums of them are exact.
    """
    random_number = random.Random(seed)

    def words(letters: str, least: int, most: int) -> list[str]:
        return random_number.choices(letters, k=random_number.randint(least, most))

    def line(category: str, source: list[str], target: list[str]) -> str:
        first = random_number.randint(-8, 8) / 8
        # All rules have the one, few the other, which then comes first or second.
        said = [f"F0={first}"]
        if random_number.random() < 0.5:
            said.append(f"F1={random_number.randint(-8, 8) / 8}")
        return f"[{category}] ||| {' '.join(source)} ||| {' '.join(target)} ||| {' '.join(said)}"

    def with_gaps(count: int) -> str:
        source, gaps = [], []
        for gap in range(1, count + 1):
            source += words(SOURCE, 1 if gap > 1 or count == 1 else 0, 1)
            source.append(f"[{random_number.choice('XY')},{gap}]")
            gaps.append(f"[{gap}]")
        source += words(SOURCE, 0, 1)
        target = [*gaps, *words(TARGET, 0, 2)]
        random_number.shuffle(target)
        return line(random_number.choice("XY"), source, target)

    lines = ["[X] ||| a ||| W ||| F0=0.25 F1=-0.5"]
    lines += [
        line(random_number.choice("XXY"), words(SOURCE[:3], 1, 2), words(TARGET, 0, 2)) for _ in range(7)
    ]
    lines += [with_gaps(count) for count in (1, 1, 1, 2, 2, 3)]
    lines.append(line("Y", ["[X,1]"], ["[1]", *words(TARGET, 0, 1)]))
    lines.append(line("X", ["[Y,1]", "[X,2]"], ["[2]", "[1]"]))
    lines.append(random_number.choice(lines))
    lines.append(random_number.choice(lines).split(" ||| F0")[0] + " ||| F0=0.5")
    return Grammar("\n".join(lines) + "\n", ("F0", "F1"), counted=random_number.random() < 0.5)


def random_sentence(seed: int, length: int) -> str:
    """Return words of the grammars, of which `d` is often unknown."""
    return " ".join(random.Random(seed).choices(SOURCE, k=length))


def write_phrases(folder: Path, pairs: Iterable[tuple[str, str]], seed: int = 1) -> tuple[Path, Grammar]:
    """Write a model of phrases whose probabilities are powers of two, and the same as rules of X."""
    write_chart_model(folder / "moses", [], seed=seed)
    random_number = random.Random(seed)
    table, rules = [], []
    for source, target in sorted(pairs):
        powers = [random_number.randint(0, 4) for _ in range(4)]
        scores = " ".join(str(0.5**power) for power in powers)
        table.append(f"{source} ||| {target} ||| {scores} ||| 0-0 ||| 1 1 1 |||\n")
        logs = " ".join(f"TranslationModel0_{i}={power * math.log(0.5)}" for i, power in enumerate(powers))
        rules.append(f"[X] ||| {source} ||| {target} ||| {logs}\n")
    (folder / "moses" / "phrases").write_text("".join(table))
    (folder / "moses" / "moses.ini").write_text(INI.format(features="", weights=""))
    import_model(folder / "moses" / "moses.ini", folder / "phrases")
    return folder / "phrases", Grammar("".join(rules), counted=True)

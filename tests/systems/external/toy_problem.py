"""A tuning problem for external decoders: long candidate lists of which short ones are seen at a time."""

from __future__ import annotations

import dataclasses
import json
import random
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from tunesmith.candidates import Pool
from tunesmith.metrics import get_metric
from tunesmith.systems.base import System
from tunesmith.texts import Texts
from tunesmith.tuning import tune
from tunesmith.weights import Weights

SCRIPT = Path(__file__).with_name("toy_decoder.py")
START = Weights({"lm": 1.0, "tm_0": 0.1, "tm_1": -0.1})


@dataclass(frozen=True)
class Toy:
    """The files of a problem in a folder, and what is in them."""

    folder: Path
    lists: dict[str, list[dict]]
    references: list[str]

    @property
    def source(self) -> Path:
        return self.folder / "source"

    @property
    def sentences(self) -> list[str]:
        return list(self.lists)

    @property
    def program(self) -> str:
        """The decoder's command, without its options."""
        return shlex.join([sys.executable, "-S", str(SCRIPT), str(self.folder / "lists.json")])


def write_toy(folder: Path, sentences: int = 15, seed: int = 1) -> Toy:
    """Write sentences whose candidates are changed references; the more changes, the lower is tm_0."""
    draw = random.Random(seed)
    vocabulary = [f"w{number}" for number in range(30)]
    lists, references = {}, []
    for number in range(sentences):
        reference = draw.choices(vocabulary, k=draw.randint(6, 9))
        candidates = [_candidate(reference, vocabulary, draw) for _ in range(40)]
        lists[f"satz {number} größe |||"] = candidates
        references.append(" ".join(reference))
    toy = Toy(folder, lists, references)
    toy.source.write_text("".join(f"{sentence}\n" for sentence in lists), encoding="utf-8")
    (folder / "lists.json").write_text(json.dumps(lists), encoding="utf-8")
    return toy


def _candidate(reference: list[str], vocabulary: list[str], draw: random.Random) -> dict:
    words, changes = list(reference), draw.randint(1, 6)
    for place in draw.sample(range(len(words)), changes):
        words[place] = draw.choice(vocabulary)
    features = {"lm": draw.gauss(0, 2), "tm_0": -changes + draw.gauss(0, 0.5), "tm_1": draw.gauss(0, 1)}
    if draw.random() < 0.3:
        features[f"sparse_{words[0]}"] = 1.0
    return {"text": " ".join(words), "features": features}


def features_of(pool: Pool, row: int) -> dict[str, float]:
    """Return the features of a candidate that are not zero."""
    values = pool.features.take([row]).to_dense()[0].tolist()
    return {name: value for name, value in zip(pool.feature_names, values, strict=True) if value}


def bleu(toy: Toy, texts: Texts) -> float:
    metric = get_metric("bleu")
    rows = [metric.stats(text, [reference]) for text, reference in zip(texts, toy.references, strict=True)]
    return float(metric.score(sum(rows)))


def tuned_in_rounds(toy: Toy, system: System, rounds: int = 3, size: int = 5) -> list[float]:
    """Decode, merge, tune by MIRA, and again; return BLEU before and after each round."""
    weights, pools = system.start, []
    scores = [bleu(toy, system.use(weights).best())]
    for _ in range(rounds):
        pool = system.use(weights).nbest(size)
        chosen = [toy.references[int(name)] for name in pool.ids]
        pools.append(dataclasses.replace(pool, references=(Texts.of(chosen),)))
        weights = tune(Pool.merge(pools), "mira", "bleu", start=weights, standardize=False, threads=1).weights
        scores.append(bleu(toy, system.use(weights).best()))
    return scores

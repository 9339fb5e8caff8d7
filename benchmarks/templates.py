"""Sparse feature templates: the cost of decoding with all of them on, under a million weights.

    EUROPARL_MODEL=folder python -m benchmarks.templates

Phrase and hierarchical models of Multi30k (Moses' tables, default and MIRA weights, 200 sentences of
test_2016), and a phrase model of Europarl fr-en, if its folder is given (200 sentences of its test set): pop
limit 200, one thread, warm: the sentences were translated before. CPU seconds are the best of several
rounds. All lexical and placed templates of docs/features.md are on, and sparse reordering in phrase models;
their features have a weight in [-0.05, 0.05] if they occur in the forests of these sentences, and made-up
names fill the store to a million weights. Edges are those of the search, recombined hypotheses included.
Moses with its own sparse features on the same model and sentences: 4.3 times its dense time.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.machine import SHARED
from tunesmith.corpus import Alignments, Bitext
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.opening import open_decoder
from tunesmith.decode.preparation import model_side
from tunesmith.features.naming import parse_templates
from tunesmith.files import read_lines
from tunesmith.model import Model
from tunesmith.model.importing import import_model
from tunesmith.model.parts.word_lists import write_word_lists
from tunesmith.texts import Texts

DATA = SHARED / "data"
SENTENCES, WEIGHTS, POP_LIMIT, ROUNDS = 200, 1_000_000, 200, 5
TEMPLATES = (
    "rule-identity",
    "rule-shape",
    "target-bigrams",
    "word-translations",
    "word-deletion",
    "word-insertion",
    "context-pairs",
    "lengths",
    "span-length",
    "structural-distortion",
)
PHRASE_ONLY = ("sparse-reordering",)
DENSE, ALL = "dense features", "all templates"
SETS = {
    DENSE: (),
    "target-bigrams": ("target-bigrams",),
    "context-pairs": ("context-pairs",),
    "structural-distortion": ("structural-distortion",),
    "sparse-reordering": PHRASE_ONLY,
    ALL: (*TEMPLATES, *PHRASE_ONLY),
}


def firing_names(decoder: AnyDecoder, sentences: Sequence[str]) -> list[str]:
    """Return the names of the templates' features in the forests of the sentences."""
    names: set[str] = set()
    for found in decoder.translate_all(sentences, forest=True):
        assert found.forest is not None
        names.update(
            name for name in found.forest.feature_names if any(t.owns(name) for t in decoder.templates)
        )
    return sorted(names)


def many_weights(names: Sequence[str]) -> dict[str, float]:
    """Return weights of the names, and of made-up ones up to a million."""
    draw = random.Random(1)
    made_up = (f"TargetBigram_no{number}_no{number}" for number in range(WEIGHTS))
    return {
        name: draw.choice((-1, 1)) * draw.uniform(0.001, 0.05)
        for name in (*names, *(next(made_up) for _ in range(WEIGHTS - len(names))))
    }


def run(decoder: AnyDecoder, sentences: Sequence[str]) -> tuple[float, int]:
    """Return the CPU seconds of translating the sentences, and the number of edges of the searches."""
    begin = time.process_time()
    found = list(decoder.translate_all(sentences, threads=1))
    return time.process_time() - begin, sum(each.native.edges for each in found)


def compare(title: str, model: Path, sentences: Sequence[str]) -> None:
    """Print a row per set of templates; rounds take turns, so that all see the same noise."""
    options = {"pop_limit": POP_LIMIT}
    left_out = () if Model.open(model).phrase_tables else PHRASE_ONLY
    sets = {shown: [each for each in names if each not in left_out] for shown, names in SETS.items()}
    decoders = {
        shown: open_decoder(model, options=options, templates=parse_templates(names))
        for shown, names in sets.items()
        if names or shown == DENSE
    }
    sparse = many_weights(firing_names(decoders[ALL], sentences))
    for decoder in decoders.values():
        own = tuple(f"{each.name}_" for each in decoder.templates)
        decoder.weights = {**decoder.weights, **{k: v for k, v in sparse.items() if k.startswith(own)}}
    seconds: dict[str, float] = {}
    edges: dict[str, int] = {}
    for round_number in range(ROUNDS + 1):
        for shown, decoder in decoders.items():
            took, edges[shown] = run(decoder, sentences)
            if round_number > 0:  # the first one fills the caches
                seconds[shown] = min(took, seconds.get(shown, took))
    for shown, decoder in decoders.items():
        times = seconds[shown] / seconds[DENSE]
        count = f"{len(decoder.weights):,}"
        print(
            f"| {title}: {shown} | {count} | {seconds[shown]:.3f} | {times:.2f} | {edges[shown]:,} |",
            flush=True,
        )


def main() -> None:
    if not (DATA / "moses").is_dir():
        print("Nothing measured: the shared data is not there.")
        return
    print("| model: features | weights | CPU s | times the dense features | edges |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = Bitext.read(DATA / "multi30k.train.de.xz", DATA / "multi30k.train.en.xz")
        links = Alignments.read(DATA / "moses" / "aligned.grow-diag-final-and.gz", text)
        sentences = read_lines(DATA / "multi30k.test_2016.de.xz")[:SENTENCES]
        for title, ini in (
            ("Multi30k, phrases", DATA / "moses" / "moses.default.ini"),
            ("Multi30k, rules", DATA / "moses-hiero" / "moses.mira.ini"),
        ):
            model = folder / ini.parent.name
            import_model(ini, model)
            write_word_lists(text, links, model)
            compare(title, model, sentences)
    if europarl := os.environ.get("EUROPARL_MODEL"):
        side = model_side(europarl, "source")
        raw = read_lines(DATA / "europarl-fr-en.test.fr.xz")[:SENTENCES]
        compare("Europarl, phrases", Path(europarl), list(side.prepare(Texts.of(raw))))


if __name__ == "__main__":
    main()

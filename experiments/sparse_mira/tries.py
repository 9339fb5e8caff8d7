"""One change at a time from common settings of online learning, judged on the select text.

Run `python -m experiments.sparse_mira.tries FOLDER --out FOLDER --tries rates-0,rates-1`. The first folder is
of a corpus: a model, `dense.json` with tuned weights, and `tune.source`, `tune.target`, `select.source` and
`select.target`. Other options are those of `tune online`. The table has all tries that are there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from experiments.commands import tunesmith
from experiments.sparse_mira.tables import OF_PHRASES, TEMPLATES
from tunesmith.files import read_lines

ALL = ("--templates", ",".join(TEMPLATES + OF_PHRASES))
WORDS = ("--templates", "rule-identity,word-translations,target-bigrams")
OF_CLASSES = tuple(f"{name}(classes=50)" for name in ("target-bigrams", "context-pairs", "word-translations"))
SHAPES = ("rule-shape", "structural-distortion", "lengths", "span-length", "sparse-reordering")
CLASSES = ("--templates", ",".join(OF_CLASSES + SHAPES))
"""Templates without words, but the frequent ones of `sparse-reordering`."""
BOTH = ("--templates", ",".join(TEMPLATES + OF_PHRASES + OF_CLASSES))
SHAPES_ALONE = ("--templates", ",".join(SHAPES))
LEARNING = ("--nbest", 200, "--average", "steps", "--mix", "changed", "--top-k", 0)
OF_THE_ORIGINAL = (
    *("--document", "chiang", "--document-decay", 0.95),
    *("--document-start", "zero", "--no-keep-document"),
)
FROM_0, FROM_1 = ("--rates-start", 0), ("--rates-start", 1)
TRIES: dict[str, tuple[object, ...]] = {
    "rates-1": (*ALL, *FROM_1),
    "rates-0": (*ALL, *FROM_0),
    "dense-1": FROM_1,
    "dense-0": FROM_0,
    "frozen-1": (*ALL, *FROM_1, "--freeze-dense"),
    "frozen-0": (*ALL, *FROM_0, "--freeze-dense"),
    "words-1": (*WORDS, *FROM_1, "--freeze-dense"),
    "words-0": (*WORDS, *FROM_0, "--freeze-dense"),
    "reordering-1": ("--templates", "sparse-reordering", *FROM_1, "--freeze-dense"),
    "reordering-0": ("--templates", "sparse-reordering", *FROM_0, "--freeze-dense"),
    "context-1": ("--templates", "context-pairs", *FROM_1, "--freeze-dense"),
    "context-0": ("--templates", "context-pairs", *FROM_0, "--freeze-dense"),
    "classes-1": (*CLASSES, *FROM_1, "--freeze-dense"),
    "classes-0": (*CLASSES, *FROM_0, "--freeze-dense"),
    "both-0": (*BOTH, *FROM_0, "--freeze-dense"),
    "shapes-0": (*SHAPES_ALONE, *FROM_0, "--freeze-dense"),
    "classes-free-0": (*CLASSES, *FROM_0),
    "shards-1": (*ALL, *FROM_1, "--freeze-dense", "--least-shards", 2),
    "shards-0": (*ALL, *FROM_0, "--freeze-dense", "--least-shards", 2),
    "forest-1": (*ALL, *FROM_1, "--freeze-dense", "--hope-fear", "forest"),
    "c-0.001": (*ALL, *FROM_0, "--freeze-dense", "--c", 0.001),
    "c-0.003": (*ALL, *FROM_0, "--freeze-dense", "--c", 0.003),
    "original": (*ALL, *FROM_0, "--freeze-dense", *OF_THE_ORIGINAL),
}


def run(corpus: Path, folder: Path, name: str, seed: int, more: Sequence[object]) -> None:
    """Learn, unless that is done."""
    data = ("--source", corpus / "tune.source", "--references", corpus / "tune.target")
    select = ("--select-source", corpus / "select.source", "--select-references", corpus / "select.target")
    where = (*data, *select, "--start", corpus / "dense.json", "-o", folder)
    document = () if "--document" in TRIES[name] else ("--document", "kbmira")
    how = (*LEARNING, *document, *TRIES[name], "--seed", seed, *more)
    tunesmith("tune", "online", corpus / "model", *where, *how)


def row(folder: Path) -> str:
    """Return the scores of all iterations of a try: of select, and while learning."""
    history = [json.loads(line) for line in read_lines(folder / "history.jsonl")]
    select = " / ".join(f"{100 * record['select_score']:.2f}" for record in history)
    online = " / ".join(f"{100 * record['online_score']:.2f}" for record in history[1:])
    updates = " / ".join(str(record["updates"]) for record in history[1:])
    return f"| {folder.name} | {select} | {online} | {updates} | {history[-1]['features']:,} |"


def main() -> None:
    """Run the tries that are named, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tries", default="", help=f"with commas: {', '.join(TRIES)}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--shards", type=int, default=4, help="with --jackknife at least as many as folds")
    given, more = parser.parse_known_args()
    how = ("--shards", given.shards, "--epochs", given.epochs, *more)
    for name in filter(None, given.tries.split(",")):
        folder = given.out / f"{name}.{given.seed}"
        run(given.corpus, folder, name, given.seed, how)
    print("| try and seed | BLEU of select, from the start | BLEU while learning | updates | features |")
    print("|---|---|---|---|---|")
    for folder in sorted(given.out.iterdir()):
        if (folder / "history.jsonl").exists():
            print(row(folder))


if __name__ == "__main__":
    main()

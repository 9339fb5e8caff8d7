"""What tries gain on a text: BLEU of translations with the weights of each, against those of the start.

Run `python -m experiments.sparse_mira.judged FOLDER --tries-in FOLDER --tries rates-1,frozen-0 --role test`
after `experiments.sparse_mira.tries` with the same folders, with one seed or more. The first folder also has
`test.source` and `test.target` then. Other options are those of `decode`, the same for all weights: those of
tries record the limits that they were learned with. Translations are kept, and not made again.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from experiments.commands import tunesmith
from experiments.prepared import prepared
from experiments.replicas import mean_bleu, p_value
from tunesmith.files import read_lines
from tunesmith.metrics import evaluate


def translated(corpus: Path, role: str, weights: Path, output: Path, options: Sequence[object]) -> list[str]:
    """Return the translations of a text with some weights, decoded unless that is done."""
    if not output.exists():
        files = ("-i", corpus / f"{role}.source", "-o", output, "--threads", 1)
        tunesmith("decode", corpus / "model", *files, "--weights", weights, *options)
    return read_lines(output)


def main() -> None:
    """Translate what is not translated yet, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--tries-in", type=Path, required=True, help="folder of the tries")
    parser.add_argument("--tries", required=True, help="names, with commas")
    parser.add_argument("--role", default="select")
    parser.add_argument("--raw", action="store_true", help="the text is raw: prepare it as the model does")
    given, more = parser.parse_known_args()
    options = (*more, *(("--prepare",) if given.raw else ()))
    role, corpus = given.role, given.corpus
    references = prepared(corpus / f"{role}.target", given.raw, lambda: corpus / "model")
    start = translated(corpus, role, corpus / "dense.json", corpus / f"{role}.dense.out", options)
    print("| tries | seeds | BLEU | TER | p, against the start |\n|---|---|---|---|---|")
    for name in ("the start", *given.tries.split(",")):
        folders = sorted(given.tries_in.glob(f"{name}.*")) if name != "the start" else []
        outputs = [
            translated(corpus, role, folder / "weights", folder / f"{role}.out", options)
            for folder in folders
        ] or [start]
        known = [read_lines(references)]
        ter = [evaluate(["ter"], output, known, resamples=0)[0].score for output in outputs]
        p = p_value([start] * len(outputs), outputs, references) if folders else ""
        cells = (
            name,
            str(len(folders)),
            mean_bleu(outputs, references),
            f"{100 * sum(ter) / len(ter):.2f}",
            p,
        )
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()

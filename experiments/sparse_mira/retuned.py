"""Dense weights tuned again, beside the sparse ones that a try has learned, and translations by both.

Run `python -m experiments.sparse_mira.retuned FOLDER --tries-in FOLDER --tries frozen-0 --out FOLDER` after
`experiments.sparse_mira.tries` with one seed or more. The first folder is that of a corpus, which may be
another one than that of the tries: sparse weights of the training text, dense ones of `tune`. It also has
`test.source` and `test.target`. The sparse weights are frozen. `--baseline` is a folder of systems tuned with
the same seeds, `mira-SEED`, that results are compared with. What is done is not run again.
"""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path

from experiments.commands import tunesmith
from experiments.prepared import prepared
from experiments.replicas import length_ratio, mean_bleu, p_value, translations
from experiments.sparse_mira.tables import OF_PHRASES, TEMPLATES
from tunesmith.weights import Weights, open_weights

ROLES = ("select", "test")
TUNING = ("--method", "mira", "--no-standardize", "--iterations", 6, "--threads", 1)


def sparse_patterns(corpus: Path, learned: Path) -> list[str]:
    """Return patterns of the names that weights have and the start has not: one per template."""
    dense = set(Weights.read(corpus / "dense.json"))
    found = sorted({f"{name.split('_')[0]}*" for name in open_weights(learned) if name not in dense})
    if not found:  # tuning would then learn the sparse weights, too
        raise SystemExit(f"{learned} has no sparse weights: is the try done?")
    return found


def run(corpus: Path, learned: Path, out: Path, seed: str, prepare: tuple[object, ...]) -> None:
    """Tune and translate, as far as that is not done."""
    if (out / f"{ROLES[-1]}.out").exists():
        return
    data = ("--source", corpus / "tune.source", "--references", corpus / "tune.target", *prepare)
    templates = itertools.chain(*(("--template", name) for name in TEMPLATES + OF_PHRASES))
    frozen = itertools.chain(*(("--freeze", pattern) for pattern in sparse_patterns(corpus, learned)))
    how = ("--start", learned, *frozen, *TUNING, "--seed", seed, "-o", out)
    tunesmith("tune", "model", corpus / "model", *data, *templates, *how)
    tuned = next(path for path in (out / "weights", out / "weights.json") if path.exists())
    for role in ROLES:
        files = ("-i", corpus / f"{role}.source", "-o", out / f"{role}.out", *prepare)
        tunesmith("decode", corpus / "model", *files, "--weights", tuned, "--threads", 1)


def main() -> None:
    """Run what is not done yet, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--tries-in", type=Path, required=True, help="folder of the tries")
    parser.add_argument("--tries", required=True, help="names, with commas")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--baseline", type=Path, help="folder of tuned dense systems")
    parser.add_argument("--raw", action="store_true", help="the text is raw: prepare it as the model does")
    given = parser.parse_args()
    prepare = ("--prepare",) if given.raw else ()
    systems = {"baseline": (given.baseline, "mira-*")} if given.baseline else {}
    for name in given.tries.split(","):
        for learned in sorted(given.tries_in.glob(f"{name}.*")):
            out, seed = given.out / learned.name, learned.name.split(".")[-1]
            run(given.corpus, learned / "weights", out, seed, prepare)
        systems[name] = (given.out, f"{name}.*")
    print(
        "| system | seeds | BLEU select | BLEU test | length test | p select | p test |\n" + "|---" * 7 + "|"
    )
    for name, (folder, replicas) in systems.items():
        cells = {}
        for role in ROLES:
            text = given.corpus / f"{role}.target"
            references = prepared(text, given.raw, lambda: given.corpus / "model")
            outputs = translations(folder, replicas, role)
            cells[role] = [mean_bleu(outputs, references), f"{length_ratio(outputs, references):.3f}", ""]
            if given.baseline and name != "baseline":
                before = translations(given.baseline, "mira-*", role)
                cells[role][2] = p_value(before, outputs, references)
        (select, _, p_select), (test, length, p_test) = (cells[role] for role in ROLES)
        print(f"| {' | '.join((name, str(len(outputs)), select, test, length, p_select, p_test))} |")


if __name__ == "__main__":
    main()

"""Re-estimated hierarchical models beside their baseline, on Multi30k German-English.

Run `python -m experiments.oracle.rules`. What is done is not run again, and the table has all that is there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path

from experiments.commands import DATA, tunesmith
from experiments.replicas import ROLES, mean_bleu, p_value, translations, tune_and_translate
from experiments.texts import RoleTexts

CORPUS, BASELINE = "multi30k", "baseline"
SYSTEMS: Mapping[str, tuple[object, ...]] = {
    BASELINE: (),
    "alone": ("--table-weight", "none"),
    "mixed": ("--table-weight", 0.5),
}
"""Options of `tunesmith reestimate` by system; all have the same derivations."""


def model_of(system: str, texts: RoleTexts, threads: int) -> Path:
    """Return the model of a system, trained or re-estimated unless that is done."""
    home = texts.out / CORPUS
    if system == BASELINE:
        options = ("--kind", "hiero", "--threads", threads, "-o", home / "model")
        tunesmith("train", *texts.training_options(CORPUS), *options)
        return home / "model"
    tune: tuple[object, ...] = ("--tune-source", texts.text(CORPUS, "tune", "source"))
    tune += ("--tune-references", texts.text(CORPUS, "tune", "target"))
    shared = ("--weights", home / BASELINE / "1" / "weights.json", "--derivations", home / "derivations")
    where = ("--threads", threads, "-o", home / system / "model")
    tunesmith("reestimate", home / "model", *tune, *shared, *SYSTEMS[system], *where)
    return home / system / "model"


def table(texts: RoleTexts) -> str:
    """Return scores and sizes of the systems that have translated the texts, means over seeds."""
    columns = ("system", "seeds", *(f"BLEU {role}" for role in ROLES), "p, against baseline", "rules", "uses")
    lines = [f"| {' | '.join(columns)} |", "|" + "---|" * len(columns)]
    home = texts.out / CORPUS
    references = {role: texts.text(CORPUS, role, "target") for role in ROLES}
    baseline = translations(home / BASELINE, "*", "test")
    for system in SYSTEMS:
        outputs = {role: translations(home / system, "*", role) for role in ROLES}
        if not outputs["test"]:
            continue
        cells = [system, str(len(outputs["test"]))]
        cells += [mean_bleu(outputs[role], references[role]) for role in ROLES]
        if system == BASELINE:
            lines.append(f"| {' | '.join([*cells, '', '', ''])} |")
            continue
        records = {name: _record(home / system / "model" / f"{name}.json") for name in ("mixture", "uses")}
        rules = records["mixture"]["reestimated_pairs" if system == "alone" else "baseline_rules"]
        cells.append(p_value(baseline, outputs["test"], references["test"]))
        cells += [f"{rules:,}", f"{records['uses']['uses']:,}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _record(path: Path) -> dict[str, int]:
    found: dict[str, int] = json.loads(path.read_text(encoding="utf-8"))
    return found


def main() -> None:
    """Run what is not done yet, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the corpora")
    parser.add_argument("--out", type=Path, default=Path("runs/oracle-rules"), help="folder of all results")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=1, help="number of seeds of tuning")
    given = parser.parse_args()
    texts = RoleTexts(given.data, given.out)
    for system in SYSTEMS:
        folders = {seed: given.out / CORPUS / system / str(seed) for seed in range(1, given.seeds + 1)}
        left = {seed: folder for seed, folder in folders.items() if not (folder / "test.out").exists()}
        if left:
            model = model_of(system, texts, given.threads)
            options = ("--method", "mira", "--no-standardize", "--iterations", 6, "--freeze", "Unknown*")
            tune_and_translate(texts, CORPUS, model, left, given.threads, options)
    text = table(texts)
    (given.out / "table.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()

"""Which events reordering models count: baseline models that differ by it alone, and their table.

Run `python -m experiments.xbleu.events`. What is done is not run again, and the table has all that is there.
"""

from __future__ import annotations

import argparse
import itertools
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.commands import DATA, tunesmith
from experiments.prepared import prepared
from experiments.replicas import mean_bleu, p_value, translations, tune_and_translate
from experiments.texts import EUROPARL, RoleTexts

CORPORA = ("multi30k", "enja", "europarl")
EVENTS = ("moses", "blocks", "decoder")
REORDERING = {"default": "hier-mslr-bidirectional-fe", "global": "hier-mslrg-bidirectional-fe"}
TUNING = ("--method", "mira", "--iterations", 6)
ROLES = ("tune", "select")


@dataclass(frozen=True)
class Setting:
    """Where data lies and results go."""

    texts: RoleTexts
    out: Path
    threads: int
    seeds: int

    def folder(self, corpus: str, reordering: str, events: str) -> Path:
        """Return the folder of a model and its runs."""
        return self.out / corpus / reordering / events

    def run(self, corpus: str, reordering: str, events: str) -> None:
        """Train, tune and translate with every seed, as far as that is not done."""
        folder = self.folder(corpus, reordering, events)
        every = {seed: folder / str(seed) for seed in range(1, self.seeds + 1)}
        outs = {seed: out for seed, out in every.items() if not (out / f"{ROLES[-1]}.out").exists()}
        if not outs:
            return
        texts = self.texts.training_options(corpus, folds=False, aligner="hmm")
        options = ("--reordering", REORDERING[reordering], "--orientation-events", events)
        first = next(self.out.glob(f"{corpus}/*/*/model/manifest.json"), None)
        if first is not None and not (folder / "model").exists():
            shutil.copytree(first.parent, folder / "model")  # what is not counted otherwise is not made again
        where = ("--kind", "phrase", "--threads", self.threads, "-o", folder / "model")
        tunesmith("train", *texts, *options, *where)
        tune_and_translate(self.texts, corpus, folder / "model", outs, self.threads, TUNING, ROLES)

    def references(self, corpus: str, role: str) -> Path:
        """Return the references of a role, tokenized and cased as translations are."""
        text = self.texts.text(corpus, role, "target")
        return prepared(text, corpus in EUROPARL, lambda: next(self.out.glob(f"{corpus}/*/*/model")))

    def rows(self, corpus: str, reordering: str) -> list[str]:
        """Return the rows of a corpus; p is that of the difference of `select` to another way to count."""
        found: Mapping[str, Sequence[Sequence[list[str]]]] = {
            events: [translations(self.folder(corpus, reordering, events), "*", role) for role in ROLES]
            for events in EVENTS
        }
        rows = []
        for events, outputs in found.items():
            if not all(outputs):
                continue
            references = [self.references(corpus, role) for role in ROLES]
            scores = map(mean_bleu, outputs, references)
            cells = [corpus, reordering, events, str(len(outputs[-1])), *scores]
            for other in EVENTS[:2]:
                known = list(found[other][-1])
                cells.append("" if other == events else p_value(known, list(outputs[-1]), references[-1]))
            rows.append(f"| {' | '.join(cells)} |")
        return rows


def main() -> None:
    """Run what is not done yet, and write the table of all that is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the corpora")
    parser.add_argument("--out", type=Path, default=Path("runs/events"), help="folder of all results")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=3, help="number of seeds of tuning")
    every = [f"{corpus}/{reordering}" for corpus, reordering in itertools.product(CORPORA, REORDERING)]
    parser.add_argument("--models", default=",".join(every), help="CORPUS/REORDERING, with commas [all]")
    given = parser.parse_args()
    setting = Setting(RoleTexts(given.data, given.out), given.out, given.threads, given.seeds)
    for model, events in itertools.product(filter(None, given.models.split(",")), EVENTS):
        corpus, reordering = model.split("/")
        setting.run(corpus, reordering, events)
    columns = ("corpus", "reordering", "events", "seeds", *(f"BLEU {role}" for role in ROLES))
    columns += tuple(f"p, against {other}" for other in EVENTS[:2])
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for corpus, reordering in itertools.product(CORPORA, REORDERING):
        lines += setting.rows(corpus, reordering)
    text = "\n".join(lines) + "\n"
    (setting.out / "table.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()

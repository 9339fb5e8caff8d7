"""Reordering models of likelihood and of expected BLEU: systems on two corpora, and their table.

Run `python -m experiments.xbleu.tables`. Each system has a folder, with one folder per seed of tuning. What
is done is not run again, and the table has all systems that are there.
"""

from __future__ import annotations

import argparse
import itertools
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from experiments.commands import DATA, tunesmith
from experiments.replicas import ROLES, mean_bleu, p_value, translations, tune_and_translate
from experiments.texts import RoleTexts
from tunesmith.weights import Weights

CORPORA = ("multi30k", "europarl")
OBJECTIVES: Mapping[str, tuple[object, ...]] = {
    "xbleu": ("--objective", "xbleu"),
    "xbleu1": ("--objective", "xbleu", "--smoothing", "add-one"),
    "cll": ("--objective", "cll"),
    "cll01": ("--objective", "cll", "--rate", 0.01),
}
"""Options of training, by the second part of a system's name."""
SYSTEMS = (
    "none",
    "hrm",
    *(f"{features}-{name}" for features in ("local", "biphrases") for name in OBJECTIVES),
)
DRAWN: Mapping[str, tuple[object, ...]] = {"multi30k": (), "europarl": ("--pairs", 136_000)}
"""Options of the lists: how many sentences of the training text."""
METHODS: Mapping[str, tuple[object, ...]] = {
    "mert": ("--method", "mert", "--iterations", 10),
    "best-mert": ("--method", "mert", "--iterations", 10, "--select", "metric"),
    "mira": ("--method", "mira", "--no-standardize", "--iterations", 6),
}
"""Options of tuning, by method."""


@dataclass(frozen=True)
class Setting:
    """Where data lies and results go."""

    data: Path
    out: Path
    threads: int
    seeds: int
    method: str

    @property
    def texts(self) -> RoleTexts:
        """The texts by role."""
        return RoleTexts(self.data, self.out)

    def model(self, corpus: str) -> Path:
        """Train the baseline model with folds, unless that is done."""
        directory = self.out / corpus / "model"
        options = ("--reordering", "hier-mslrg-bidirectional-fe", "--folds", 10, "--threads", self.threads)
        classes = itertools.chain(*(("--classes", count) for count in (20, 50, 80)))
        texts = self.texts.training_options(corpus)
        tunesmith(
            "train", *texts, "--kind", "phrase", "--distortion-limit", 6, *options, *classes, "-o", directory
        )
        return directory

    def tuned(self, corpus: str) -> Path:
        """Return the weights that lists are made with, and from which all other systems start.

        They are those of the first run of MERT, and stay when it is run again.
        """
        path = self.out / corpus / "hrm" / "tuned.json"
        if not path.exists():
            run(replace(self, method="mert", seeds=1), corpus, "hrm")
            shutil.copy(path.parent / "mert-1" / "weights.json", path)
        return path

    def lists(self, corpus: str) -> Path:
        """Write the n-best lists of the training text, unless that is done."""
        store = self.out / corpus / "lists"
        options = ("--weights", self.tuned(corpus), "--nbest", 100, *DRAWN[corpus], "--seed", 1)
        tunesmith("xbleu", "lists", self.model(corpus), *options, "--threads", self.threads, "-o", store)
        return store

    def reordering(self, corpus: str, system: str) -> Path:
        """Train the reordering model of a system, unless that is done."""
        features, objective = system.split("-")
        directory = self.out / corpus / system / "reordering"
        options = ("--features", features, *OBJECTIVES[objective], "--seed", 1)
        tunesmith("xbleu", "train", self.lists(corpus), *options, "-o", directory)
        return directory

    def attached(self, corpus: str, system: str) -> Path:
        """Return the model of a system."""
        baseline = self.model(corpus)
        if system in ("none", "hrm"):
            return baseline
        directory = self.out / corpus / system / "model"
        weights = ("--weights", self.tuned(corpus))  # lists may be older than the record of their weights
        tunesmith("xbleu", "attach", baseline, self.reordering(corpus, system), *weights, "-o", directory)
        return directory

    def references(self, corpus: str, role: str) -> Path:
        """Return the references of a role, tokenized and cased as translations are."""
        raw = self.texts.text(corpus, role, "target")
        if corpus == "multi30k":
            return raw
        path = self.out / corpus / f"{role}.references"
        if not path.exists():
            tunesmith("prepare", self.model(corpus), "--side", "target", raw, "-o", path)
        return path


def start_weights(setting: Setting, corpus: str, system: str, model: Path) -> Path | None:
    """Write the weights from which tuning starts; None stands for those of the model.

    Those of a model with a trained reordering model are `Setting.tuned`, and 1 per orientation.
    """
    if system != "none":
        return None
    path = setting.out / corpus / system / "start.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    start, tuned = Weights.read(model / "weights.start.json"), Weights.read(setting.tuned(corpus))
    weights = dict(start) | dict(tuned)
    weights = {name: 0.0 if name.startswith("LexicalReordering") else weights[name] for name in weights}
    Weights(weights).write(path)
    return path


def run(setting: Setting, corpus: str, system: str) -> None:
    """Tune and translate with every seed, as far as that is not done."""
    folder = setting.out / corpus / system
    every = {seed: folder / f"{setting.method}-{seed}" for seed in range(1, setting.seeds + 1)}
    outs = {seed: out for seed, out in every.items() if not (out / "test.out").exists()}
    if not outs:
        return
    model = setting.attached(corpus, system)
    start = start_weights(setting, corpus, system, model)
    options = (
        *METHODS[setting.method],
        "--freeze",
        "Unknown*",
        *(() if start is None else ("--start", start)),
    )
    options += ("--freeze", "LexicalReordering*") if system == "none" else ()
    tune_and_translate(setting.texts, corpus, model, outs, setting.threads, options)


def table(setting: Setting) -> str:
    """Return the scores of all systems that have translated the texts, means over seeds."""
    lines = ["| corpus | tuned by | system | seeds | BLEU tune | BLEU select | BLEU test | p, against hrm |"]
    lines.append("|---|---|---|---|---|---|---|---|")
    for corpus, method, system in itertools.product(CORPORA, METHODS, SYSTEMS):
        folder, replicas = setting.out / corpus, f"{method}-*"
        outputs = {role: translations(folder / system, replicas, role) for role in ROLES}
        if not outputs["test"]:
            continue
        references = {role: setting.references(corpus, role) for role in ROLES}
        cells = [corpus, method, system, str(len(outputs["test"]))]
        cells += [mean_bleu(outputs[role], references[role]) for role in ROLES]
        baseline = translations(folder / "hrm", replicas, "test")
        cells.append("" if system == "hrm" else p_value(baseline, outputs["test"], references["test"]))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run what is not done yet, and write the table of all that is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the corpora")
    parser.add_argument("--out", type=Path, default=Path("runs/xbleu"), help="folder of all results")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=3, help="number of seeds of tuning")
    parser.add_argument("--method", choices=tuple(METHODS), default="mira", help="how systems are tuned")
    every = [f"{corpus}/{system}" for corpus in CORPORA for system in SYSTEMS]
    parser.add_argument("--systems", default=",".join(every), help="CORPUS/SYSTEM, with commas [all]")
    given = parser.parse_args()
    if unknown := set(given.systems.split(",")) - set(every):
        parser.error(f"no such systems: {', '.join(sorted(unknown))}; there are {', '.join(every)}")
    setting = Setting(given.data, given.out, given.threads, given.seeds, given.method)
    for each in given.systems.split(","):
        run(setting, *each.split("/"))
    text = table(setting)
    (setting.out / "table.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()

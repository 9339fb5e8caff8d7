"""Reordering models of likelihood and of expected BLEU: systems on four corpora, and their table.

Run `python -m experiments.xbleu.tables`. Each system has a folder, with one folder per seed of tuning. What
is done is not run again, and the table has all systems that are there.
"""

from __future__ import annotations

import argparse
import itertools
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from experiments.commands import DATA, tunesmith
from experiments.prepared import prepared
from experiments.replicas import (
    ROLES,
    length_ratio,
    mean_bleu,
    p_value,
    translate,
    translations,
    tune_and_translate,
)
from experiments.texts import EUROPARL, RoleTexts
from tunesmith.weights import Weights

CORPORA = ("multi30k", "enja", "europarl", "europarl-de-en")
FEATURES = ("local", "hrm", "uncommon", "biphrases")
OBJECTIVES: Mapping[str, tuple[object, ...]] = {
    "xbleu": ("--objective", "xbleu", "--smoothing", "gao-he"),
    "xbleu1": ("--objective", "xbleu", "--smoothing", "add-one"),
    "cll": ("--objective", "cll"),
    "cll01": ("--objective", "cll", "--rate", 0.01),
    "forests": ("--objective", "xbleu"),
}
"""Options of training, by the second part of a system's name; `forests` is trained on forests, not lists."""
RULES: Mapping[str, tuple[object, ...]] = {
    "": (),
    "paper": ("--patience", 0),
    "100": ("--tolerance", 0, "--epochs", 100),
}
"""Options of when training ends, by the third part of a system's name; none is the default."""
BASELINES = ("none", "hrm", "again")
SYSTEMS = (
    *BASELINES,
    *(
        f"{features}-{objective}{rule and '-'}{rule}"
        for features in FEATURES
        for objective in OBJECTIVES
        for rule in RULES
    ),
)
HEADLINE = tuple(
    f"{corpus}/{system}"
    for corpus in ("multi30k", *EUROPARL)
    for system in (*BASELINES, *(f"{each}-xbleu1" for each in FEATURES), "local-xbleu1-100", "hrm-xbleu1-100")
)
"""What is run unless systems are named."""
DRAWN: Mapping[str, int] = dict.fromkeys(EUROPARL, 136_000)
"""How many sentences of the training text have lists; of other corpora all."""
FORESTS = 25_000
"""How many have forests."""
LIMIT: tuple[object, ...] = ("--distortion-limit", 6)
LIMITS: Mapping[str, tuple[object, ...]] = {"enja": ()}
"""Distortion limits that are not 6: from Japanese, BLEU of `select` is 27 with 6 and 36 with the default."""
METHODS: Mapping[str, tuple[object, ...]] = {
    "mert": ("--method", "mert", "--iterations", 10, "--select", "objective"),
    "best-mert": ("--method", "mert", "--iterations", 10, "--select", "metric"),
    "mira": ("--method", "mira", "--no-standardize", "--iterations", 6),
    "default": ("--method", "mira", "--iterations", 6),
    "near-mert": ("--method", "mert", "--iterations", 6, "--allowance", 2),
    "start": (),
}
"""Options of tuning, by method; `start` translates with the weights that tuning starts from."""


@dataclass(frozen=True)
class Setting:
    """Where data lies and results go."""

    data: Path
    out: Path
    threads: int
    seeds: int
    method: str
    roles: Sequence[str] = ROLES
    """Texts that are translated."""
    models: Path | None = None
    """Folder of baseline models that are there already."""
    pairs: int | None = None
    """Number of sentences with lists, in place of `DRAWN`."""
    trials: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
    """Options of training of further systems, by name."""

    @property
    def texts(self) -> RoleTexts:
        """The texts by role."""
        return RoleTexts(self.data, self.out)

    def model(self, corpus: str) -> Path:
        """Train the baseline model with folds, unless that is done."""
        if self.models is not None:
            return self.models / corpus / "model"
        directory = self.out / corpus / "model"
        options: tuple[object, ...] = ("--reordering", "hier-mslrg-bidirectional-fe", "--folds", 10)
        options += ("--threads", self.threads)
        classes = itertools.chain(*(("--classes", count) for count in (20, 50, 80)))
        texts = self.texts.training_options(corpus, aligner="hmm")
        options += ("--kind", "phrase", *LIMITS.get(corpus, LIMIT))
        tunesmith("train", *texts, *options, *classes, "-o", directory)
        return directory

    def tuned(self, corpus: str) -> Path:
        """Return the weights that lists are made with, and from which all other systems start.

        They are those of the first run of `mira`, and stay when it is run again.
        """
        path = self.out / corpus / "hrm" / "tuned.json"
        if not path.exists():
            run(replace(self, method="mira", seeds=1), corpus, "hrm")
            shutil.copy(path.parent / "mira-1" / "weights.json", path)
        return path

    def lists(self, corpus: str) -> Path:
        """Write the n-best lists of the training text, unless that is done."""
        store = self.out / corpus / "lists"
        pairs = self.pairs or DRAWN.get(corpus)
        drawn = () if pairs is None else ("--pairs", pairs)
        options = ("--weights", self.tuned(corpus), "--nbest", 100, *drawn, "--seed", 1)
        tunesmith("xbleu", "lists", self.model(corpus), *options, "--threads", self.threads, "-o", store)
        return store

    def forests(self, corpus: str, features: str) -> Path:
        """Write the forests of the training text, unless that is done."""
        store = self.out / corpus / ("forests" if features == "local" else "forests-hrm")
        options = ("--weights", self.tuned(corpus), "--pairs", FORESTS, "--seed", 1)
        kind = ("--features", "local" if features == "local" else "hrm")
        tunesmith(
            "xbleu", "forests", self.model(corpus), *kind, *options, "--threads", self.threads, "-o", store
        )
        return store

    def reordering(self, corpus: str, system: str) -> Path:
        """Train the reordering model of a system, unless that is done."""
        directory = self.out / corpus / system / "reordering"
        if system in self.trials:
            options, store = self.trials[system], self.lists(corpus)
        else:
            features, objective, *rule = system.split("-")
            options = ("--features", features, *OBJECTIVES[objective], *RULES["".join(rule)])
            store = self.forests(corpus, features) if objective == "forests" else self.lists(corpus)
        tunesmith("xbleu", "train", store, *options, "--seed", 1, "-o", directory)
        return directory

    def attached(self, corpus: str, system: str) -> Path:
        """Return the model of a system."""
        baseline = self.model(corpus)
        if system in BASELINES:
            return baseline
        directory = self.out / corpus / system / "model"
        weights = ("--weights", self.tuned(corpus))  # lists may be older than the record of their weights
        tunesmith("xbleu", "attach", baseline, self.reordering(corpus, system), *weights, "-o", directory)
        return directory

    def references(self, corpus: str, role: str) -> Path:
        """Return the references of a role, tokenized and cased as translations are."""
        text = self.texts.text(corpus, role, "target")
        return prepared(text, corpus in EUROPARL, lambda: self.model(corpus))


def start_weights(setting: Setting, corpus: str, system: str, model: Path) -> Path | None:
    """Write the weights from which tuning starts; None stands for those of the model.

    Those of a model with a trained reordering model are `Setting.tuned`, and 1 / gamma per orientation.
    `again` is the baseline, tuned from `Setting.tuned` as they are.
    """
    if system == "again":
        return setting.tuned(corpus)
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
    seeds = 1 if setting.method == "start" else setting.seeds
    every = {seed: folder / f"{setting.method}-{seed}" for seed in range(1, seeds + 1)}
    outs = {
        seed: out
        for seed, out in every.items()
        if not all((out / f"{role}.out").exists() for role in setting.roles)
    }
    if not outs:
        return
    model = setting.attached(corpus, system)
    start = start_weights(setting, corpus, system, model)
    if setting.method == "start":
        weights = start or (setting.tuned(corpus) if system == "hrm" else model / "weights.start.json")
        translate(setting.texts, corpus, model, outs[1], setting.threads, weights, setting.roles)
        return
    options = (*METHODS[setting.method], *(() if start is None else ("--start", start)))
    options += ("--freeze", "LexicalReordering*") if system == "none" else ()
    tune_and_translate(setting.texts, corpus, model, outs, setting.threads, options, setting.roles)


def translated(setting: Setting) -> Iterator[tuple[str, str, str]]:
    """Yield corpus, method and system of all that have translated all texts."""
    for corpus, method in itertools.product(CORPORA, METHODS):
        found = {
            path.parent.parent.name
            for path in setting.out.glob(f"{corpus}/*/{method}-*/{setting.roles[-1]}.out")
        }
        for system in (*SYSTEMS, *sorted(found - {*SYSTEMS})):
            folder = setting.out / corpus / system
            if all(translations(folder, f"{method}-*", role) for role in setting.roles):
                yield corpus, method, system


def table(setting: Setting) -> str:
    """Return the scores of all systems that have translated the texts, means over seeds.

    Length relative to the references and p are those of the last role.
    """
    last = setting.roles[-1]
    columns = ("corpus", "tuned by", "system", "seeds", *(f"BLEU {role}" for role in setting.roles))
    columns += (f"length {last}", f"p {last}, against hrm", "against again")
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for corpus, method, system in translated(setting):
        folder, replicas = setting.out / corpus, f"{method}-*"
        outputs = {role: translations(folder / system, replicas, role) for role in setting.roles}
        references = {role: setting.references(corpus, role) for role in setting.roles}
        cells = [corpus, method, system, str(len(outputs[last]))]
        cells += [mean_bleu(outputs[role], references[role]) for role in setting.roles]
        cells.append(f"{length_ratio(outputs[last], references[last]):.3f}")
        for baseline in ("hrm", "again"):
            known = translations(folder / baseline, replicas, last)
            cells.append("" if system == baseline else p_value(known, outputs[last], references[last]))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def setting_and_systems() -> tuple[Setting, list[list[str]]]:
    """Parse the command line: where and how, and what corpora and systems to run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the corpora")
    parser.add_argument("--out", type=Path, default=Path("runs/xbleu"), help="folder of all results")
    parser.add_argument("--models", type=Path, help="folder of trained baseline models, CORPUS/model")
    parser.add_argument(
        "--pairs", type=int, help="number of sentences with lists [136,000 of Europarl, or all]"
    )
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=3, help="number of seeds of tuning")
    parser.add_argument("--method", choices=tuple(METHODS), default="mira", help="how systems are tuned")
    parser.add_argument("--roles", default=",".join(ROLES), help="texts to translate, with commas")
    every = [f"{corpus}/{system}" for corpus in CORPORA for system in SYSTEMS]
    help_of_systems = "CORPUS/SYSTEM, with commas [those of the tables]"
    parser.add_argument("--systems", default=",".join(HEADLINE), help=help_of_systems)
    help_of_trial = "a further system, and the options of `tunesmith xbleu train`; may be repeated"
    parser.add_argument("--trial", action="append", default=[], metavar="NAME=OPTIONS", help=help_of_trial)
    given = vars(parser.parse_args())
    trials = dict(each.split("=", 1) for each in given.pop("trial"))
    systems = given.pop("systems").split(",")
    every += [f"{corpus}/{system}" for corpus in CORPORA for system in trials]
    if unknown := set(systems) - set(every):
        parser.error(f"no such systems: {', '.join(sorted(unknown))}; there are {', '.join(every)}")
    given["trials"] = {name: tuple(shlex.split(options)) for name, options in trials.items()}
    given["roles"] = given["roles"].split(",")
    return Setting(**given), [each.split("/") for each in systems]


def main() -> None:
    """Run what is not done yet, and write the table of all that is."""
    setting, systems = setting_and_systems()
    for each in systems:
        run(setting, *each)
    text = table(setting)
    (setting.out / "table.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()

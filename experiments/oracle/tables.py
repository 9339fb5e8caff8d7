"""Re-estimated phrase models beside their baseline: systems on two corpora, and their table.

Run `python -m experiments.oracle.tables`. Each system has a folder, with its model and one folder per seed of
tuning. What is done is not run again, and the table has all systems that are there.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from experiments.commands import DATA, tunesmith
from experiments.oracle.texts import CORPORA, OracleTexts
from experiments.prepared import prepared
from experiments.replicas import ROLES, mean_bleu, p_value, translations, tune_and_translate
from tunesmith.tables import PhraseTable

BASELINE = "baseline"
AGAIN = "again"
"""The baseline, tuned from the weights that re-estimated systems are tuned from."""
JUDGED = ("select", "test")
"""Roles of texts on which systems are compared."""
DERIVATIONS: Mapping[str, tuple[object, ...]] = {
    "oracle": ("--nbest", 1, "--mu", 0.5),
    "oracle-mu0": ("--nbest", 1, "--mu", 0),
    "oracle-n10": ("--nbest", 10, "--mu", 0.5),
    "oracle-n100": ("--nbest", 100, "--mu", 0.5),
    "oracle-literal": ("--nbest", 1, "--mu", 0.5, "--model-scale", 1),
    "oracle-jackknife": ("--nbest", 1, "--mu", 0.5, "--jackknife"),
    "forced": ("--method", "forced", "--nbest", 100),
}
"""Options of `tunesmith reestimate` that derivations depend on, by the folder that systems share."""
LIMITS: Mapping[tuple[str, str], tuple[object, ...]] = {
    (corpus, "forced"): ("--stages", 1) for corpus in CORPORA if corpus != "multi30k"
}
"""Further options of derivations for some corpora: all stages of forced decoding take hours on Europarl."""
MIXTURES = (0.1, 0.3, 0.7, 0.9)
"""Further weights of the re-estimated table."""
EVEN: tuple[object, ...] = ("--nbest-weight", "even")
SYSTEMS: Mapping[str, tuple[str, tuple[object, ...]]] = {
    BASELINE: ("", ()),
    AGAIN: ("", ()),
    "alone": ("oracle", ("--table-weight", "none")),
    "mixed": ("oracle", ("--table-weight", 0.5)),
    "mixed-bilm": ("oracle", ("--table-weight", 0.5, "--bilingual-lm")),
    "bilm": ("oracle", ("--table-weight", 0.001, "--bilingual-lm")),
    "alone-mu0": ("oracle-mu0", ("--table-weight", "none")),
    "mixed-mu0": ("oracle-mu0", ("--table-weight", 0.5)),
    "forced": ("forced", ("--table-weight", "none")),
    "forced-mixed": ("forced", ("--table-weight", 0.5)),
    "alone-keep": ("oracle", ("--table-weight", "none", "--orientations", "keep")),
    "mixed-keep": ("oracle", ("--table-weight", 0.5, "--orientations", "keep")),
    "mixed-derivation": ("oracle", ("--table-weight", 0.5, "--orientations", "derivation")),
    "alone-n10": ("oracle-n10", ("--table-weight", "none", *EVEN)),
    "mixed-n10": ("oracle-n10", ("--table-weight", 0.5, *EVEN)),
    "alone-n100": ("oracle-n100", ("--table-weight", "none", *EVEN)),
    "mixed-n100": ("oracle-n100", ("--table-weight", 0.5, *EVEN)),
    "mixed-n100-posterior": ("oracle-n100", ("--table-weight", 0.5, "--nbest-weight", "posterior")),
    "mixed-literal": ("oracle-literal", ("--table-weight", 0.5)),
    "alone-jackknife": ("oracle-jackknife", ("--table-weight", "none")),
    "mixed-jackknife": ("oracle-jackknife", ("--table-weight", 0.5)),
    "keep-jackknife": ("oracle-jackknife", ("--table-weight", 0.5, "--orientations", "keep")),
    "both-mixed": ("oracle", ("--table-weight", 0.5, *EVEN)),
    **{f"mixed-{weight}": ("oracle", ("--table-weight", weight)) for weight in MIXTURES},
}
"""The derivations and further options of `tunesmith reestimate`, by system."""
ADDED: Mapping[str, str] = {"both-mixed": "forced"}
"""Systems whose table counts further derivations, and a system that makes these."""
METHODS: Mapping[str, tuple[object, ...]] = {
    "mira": ("--method", "mira", "--no-standardize", "--iterations", 6),
    "default": ("--method", "mira", "--iterations", 6),
    "pro": ("--method", "pro", "--iterations", 10),
}
"""Options of tuning, by method; the training text is translated with weights of the first."""


@dataclass(frozen=True)
class Setting:
    """Where data lies and results go."""

    data: Path
    out: Path
    threads: int
    seeds: int
    aligner: str = "diagonal"
    method: str = "mira"
    roles: tuple[str, ...] = ROLES
    models: Path | None = None
    """Folder with a trained model CORPUS/model for each corpus, which are used instead of new ones."""

    @property
    def texts(self) -> OracleTexts:
        """The texts by role."""
        return OracleTexts(self.data, self.out)

    def baseline_folder(self, corpus: str) -> Path:
        """Return the directory of the baseline model."""
        return (self.out if self.models is None else self.models) / corpus / "model"

    def baseline(self, corpus: str) -> Path:
        """Train the baseline model, unless that is done."""
        directory = self.baseline_folder(corpus)
        if self.models is not None:
            return directory
        options: tuple[object, ...] = (
            "--reordering",
            "hier-mslrg-bidirectional-fe",
            "--bilingual-lm-order",
            5,
        )
        options += ("--distortion-limit", 6, "--folds", 10)
        texts = self.texts.training_options(corpus, aligner=self.aligner)
        where = ("--threads", self.threads, "-o", directory)
        tunesmith("train", *texts, "--kind", "phrase", *options, *where)
        return directory

    def tuned(self, corpus: str) -> Path:
        """Return the weights that the training text is translated with, and from which systems start."""
        return self.out / corpus / BASELINE / "mira-1" / "weights.json"

    def model(self, corpus: str, system: str) -> Path:
        """Return the model of a system, re-estimated unless that is done."""
        baseline = self.baseline(corpus)
        if system in (BASELINE, AGAIN):
            return baseline
        directory = self.out / corpus / system / "model"
        texts: tuple[object, ...] = ("--tune-source", self.prepared(corpus, "tune", "source"))
        texts += ("--tune-references", self.prepared(corpus, "tune", "target"))
        found, further = SYSTEMS[system]
        options = ("--weights", self.tuned(corpus), "--threads", self.threads, *DERIVATIONS[found], *further)
        options += LIMITS.get((corpus, found), ())
        derivations = self.out / corpus / "derivations"
        options += ("--derivations", derivations / found)
        if system in ADDED:
            self.model(corpus, ADDED[system])
            options += ("--add-derivations", derivations / SYSTEMS[ADDED[system]][0])
        tunesmith("reestimate", baseline, *texts, *options, "-o", directory)
        return directory

    def prepared(self, corpus: str, role: str, side: str) -> Path:
        """Return a side of a text of a role, tokenized and cased as the model's."""
        text = self.texts.text(corpus, role, side)
        return prepared(text, corpus.startswith("europarl"), lambda: self.baseline(corpus), side)


def run(setting: Setting, corpus: str, system: str) -> None:
    """Tune and translate with every seed, as far as that is not done."""
    folder = setting.out / corpus / system
    every = {seed: folder / f"{setting.method}-{seed}" for seed in range(1, setting.seeds + 1)}
    done = {
        seed: all((out / f"{role}.out").exists() for role in setting.roles) for seed, out in every.items()
    }
    outs = {seed: out for seed, out in every.items() if not done[seed]}
    if not outs:
        return
    if system != BASELINE:
        run(replace(setting, method="mira", seeds=1), corpus, BASELINE)
        run(setting, corpus, BASELINE)
    model = setting.model(corpus, system)
    options = (*METHODS[setting.method], "--freeze", "Unknown*")
    if system == AGAIN:
        options += ("--start", setting.tuned(corpus))
    tune_and_translate(setting.texts, corpus, model, outs, setting.threads, options, setting.roles)


def table(setting: Setting) -> str:
    """Return scores and sizes of all systems that have translated the texts, means over seeds."""
    columns = ("corpus", "method", "system", "seeds", *(f"BLEU {role}" for role in ROLES))
    columns += tuple(f"p {role}, against {other}" for role in JUDGED for other in (BASELINE, AGAIN))
    columns += ("pairs", "table, bytes", "sentences", "oracle BLEU")
    lines = [f"| {' | '.join(columns)} |", "|" + "---|" * len(columns)]
    for corpus, method, system in itertools.product(CORPORA, METHODS, SYSTEMS):
        replicas = f"{method}-*"
        outputs = {role: translations(setting.out / corpus / system, replicas, role) for role in ROLES}
        if not any(outputs.values()):
            continue
        cells = [corpus, method, system, str(max(map(len, outputs.values())))]
        references = {role: setting.prepared(corpus, role, "target") for role in ROLES if outputs[role]}
        cells += [mean_bleu(outputs[role], references[role]) if outputs[role] else "" for role in ROLES]
        for role, other in itertools.product(JUDGED, (BASELINE, AGAIN)):
            before = translations(setting.out / corpus / other, replicas, role)
            compared = system not in (BASELINE, other) and before and outputs[role]
            cells.append(p_value(before, outputs[role], references[role]) if compared else "")
        lines.append(f"| {' | '.join([*cells, *_sizes(setting, corpus, system)])} |")
    return "\n".join(lines) + "\n"


def _sizes(setting: Setting, corpus: str, system: str) -> list[str]:
    """Return pairs and bytes of the phrase table, the share of sentences, and BLEU of the oracles."""
    before = setting.baseline_folder(corpus) / "phrases.bin"
    if system in (BASELINE, AGAIN):
        return [f"{len(PhraseTable.open(before)):,}", f"{before.stat().st_size:,}", "", ""]
    folder = setting.out / corpus / system / "model"
    after = folder / "phrases.bin"
    used = json.loads((folder / "uses.json").read_text(encoding="utf-8"))
    pairs = len(PhraseTable.open(after)) / len(PhraseTable.open(before))
    size = after.stat().st_size / before.stat().st_size
    bleu = f"{100 * used['oracle_bleu']:.2f}" if "oracle_bleu" in used else ""
    return [f"{100 * pairs:.2f}%", f"{100 * size:.2f}%", f"{100 * used['share']:.1f}%", bleu]


def main() -> None:
    """Run what is not done yet, and write the table of all that is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the corpora")
    parser.add_argument("--out", type=Path, default=Path("runs/oracle"), help="folder of all results")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=3, help="number of seeds of tuning")
    parser.add_argument("--aligner", choices=("diagonal", "hmm", "ibm4"), default="diagonal")
    parser.add_argument("--method", choices=tuple(METHODS), default="mira", help="how systems are tuned")
    every = [f"{corpus}/{system}" for corpus in CORPORA for system in SYSTEMS]
    parser.add_argument("--systems", default=",".join(every), help="CORPUS/SYSTEM, with commas [all]")
    parser.add_argument("--roles", default=",".join(ROLES), help="roles of the texts to translate [all]")
    parser.add_argument("--models", type=Path, help="folder with a trained CORPUS/model, not to train one")
    given = parser.parse_args()
    if unknown := set(given.systems.split(",")) - set(every):
        parser.error(f"no such systems: {', '.join(sorted(unknown))}; there are {', '.join(every)}")
    roles = tuple(given.roles.split(","))
    if unknown := set(roles) - set(ROLES):
        parser.error(f"no such roles: {', '.join(sorted(unknown))}; there are {', '.join(ROLES)}")
    shared = (given.data, given.out, given.threads, given.seeds, given.aligner, given.method)
    setting = Setting(*shared, roles, given.models)
    for each in given.systems.split(","):
        run(setting, *each.split("/"))
    text = table(setting)
    (setting.out / "table.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()

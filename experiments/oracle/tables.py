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
from experiments.replicas import ROLES, mean_bleu, p_value, translations, tune_and_translate
from experiments.texts import RoleTexts
from tunesmith.tables import PhraseTable

CORPORA = ("multi30k", "europarl")
BASELINE = "baseline"
AGAIN = "again"
"""The baseline, tuned from the weights that re-estimated systems are tuned from."""
DERIVATIONS: Mapping[str, tuple[object, ...]] = {
    "oracle": ("--nbest", 1, "--mu", 0.5),
    "oracle-mu0": ("--nbest", 1, "--mu", 0),
    "forced": ("--method", "forced", "--nbest", 100),
}
"""Options of `tunesmith reestimate` that derivations depend on, by the folder that systems share."""
LIMITS: Mapping[tuple[str, str], tuple[object, ...]] = {("europarl", "forced"): ("--stages", 1)}
"""Further options of derivations for some corpora: all stages of forced decoding take six hours there."""
MIXTURES = (0.1, 0.3, 0.7, 0.9)
"""Further weights of the re-estimated table."""
SYSTEMS: Mapping[str, tuple[str, tuple[object, ...]]] = {
    BASELINE: ("", ()),
    AGAIN: ("", ()),
    "alone": ("oracle", ("--interpolate", "none")),
    "mixed": ("oracle", ("--interpolate", 0.5)),
    "mixed-bilm": ("oracle", ("--interpolate", 0.5, "--bilingual-lm")),
    "bilm": ("oracle", ("--interpolate", 0.001, "--bilingual-lm")),
    "alone-mu0": ("oracle-mu0", ("--interpolate", "none")),
    "mixed-mu0": ("oracle-mu0", ("--interpolate", 0.5)),
    "forced": ("forced", ("--interpolate", "none")),
    "forced-mixed": ("forced", ("--interpolate", 0.5)),
    **{f"mixed-{weight}": ("oracle", ("--interpolate", weight)) for weight in MIXTURES},
}
"""The derivations and further options of `tunesmith reestimate`, by system."""
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

    @property
    def texts(self) -> RoleTexts:
        """The texts by role."""
        return RoleTexts(self.data, self.out)

    def baseline(self, corpus: str) -> Path:
        """Train the baseline model, unless that is done."""
        directory = self.out / corpus / "model"
        options: tuple[object, ...] = (
            "--reordering",
            "hier-mslrg-bidirectional-fe",
            "--bilingual-lm-order",
            5,
        )
        options += ("--distortion-limit", 6)
        texts = self.texts.training_options(corpus, folds=False, aligner=self.aligner)
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
        options += ("--derivations", self.out / corpus / "derivations" / found)
        tunesmith("reestimate", baseline, *texts, *options, "-o", directory)
        return directory

    def prepared(self, corpus: str, role: str, side: str) -> Path:
        """Return a side of a text of a role, tokenized and cased as the model's."""
        raw = self.texts.text(corpus, role, side)
        if corpus == "multi30k":
            return raw
        path = self.out / corpus / f"{role}.{side}.prepared"
        if not path.exists():
            tunesmith("prepare", self.baseline(corpus), "--side", side, raw, "-o", path)
        return path


def run(setting: Setting, corpus: str, system: str) -> None:
    """Tune and translate with every seed, as far as that is not done."""
    folder = setting.out / corpus / system
    every = {seed: folder / f"{setting.method}-{seed}" for seed in range(1, setting.seeds + 1)}
    outs = {seed: out for seed, out in every.items() if not (out / "test.out").exists()}
    if not outs:
        return
    if system != BASELINE:
        run(replace(setting, method="mira", seeds=1), corpus, BASELINE)
        run(setting, corpus, BASELINE)
    model = setting.model(corpus, system)
    options = (*METHODS[setting.method], "--freeze", "Unknown*")
    if system == AGAIN:
        options += ("--start", setting.tuned(corpus))
    tune_and_translate(setting.texts, corpus, model, outs, setting.threads, options)


def table(setting: Setting) -> str:
    """Return scores and sizes of all systems that have translated the texts, means over seeds."""
    columns = ("corpus", "method", "system", "seeds", *(f"BLEU {role}" for role in ROLES))
    columns += ("p, against baseline", "pairs", "table, bytes", "sentences", "oracle BLEU")
    lines = [f"| {' | '.join(columns)} |", "|" + "---|" * len(columns)]
    for corpus, method, system in itertools.product(CORPORA, METHODS, SYSTEMS):
        replicas = f"{method}-*"
        outputs = {role: translations(setting.out / corpus / system, replicas, role) for role in ROLES}
        if not outputs["test"]:
            continue
        cells = [corpus, method, system, str(len(outputs["test"]))]
        references = {role: setting.prepared(corpus, role, "target") for role in ROLES}
        cells += [mean_bleu(outputs[role], references[role]) for role in ROLES]
        baseline = translations(setting.out / corpus / BASELINE, replicas, "test")
        is_baseline = system == BASELINE
        cells.append("" if is_baseline else p_value(baseline, outputs["test"], references["test"]))
        lines.append(f"| {' | '.join([*cells, *_sizes(setting, corpus, system)])} |")
    return "\n".join(lines) + "\n"


def _sizes(setting: Setting, corpus: str, system: str) -> list[str]:
    """Return pairs and bytes of the phrase table, the share of sentences, and BLEU of the oracles."""
    before = setting.out / corpus / "model" / "phrases.bin"
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
    given = parser.parse_args()
    if unknown := set(given.systems.split(",")) - set(every):
        parser.error(f"no such systems: {', '.join(sorted(unknown))}; there are {', '.join(every)}")
    setting = Setting(given.data, given.out, given.threads, given.seeds, given.aligner, given.method)
    for each in given.systems.split(","):
        run(setting, *each.split("/"))
    text = table(setting)
    (setting.out / "table.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()

"""Does it matter of which domain the lists are? One model of two domains, and lists of either.

Run `python -m experiments.xbleu.domains`. The training text is that of Europarl German-English and that of
Multi30k; tuned and judged is on Multi30k. The paper's lists are of news, as are its test sets, and most of
its training text is parliament. What is done is not run again.
"""

from __future__ import annotations

import argparse
import itertools
from dataclasses import dataclass
from pathlib import Path

from experiments.commands import DATA, tunesmith
from experiments.replicas import mean_bleu, p_value, translations, tune_and_translate
from experiments.texts import RoleTexts
from tunesmith.files import read_lines

ROLES = ("tune", "select", "test")
TUNING = ("--method", "mira", "--no-standardize", "--iterations", 6)
DOMAINS = ("captions", "parliament")
SYSTEMS = ("hrm", "again", *DOMAINS)


@dataclass(frozen=True)
class Setting:
    """Where data lies and results go."""

    data: Path
    out: Path
    threads: int
    seeds: int

    @property
    def texts(self) -> RoleTexts:
        """The texts that are tuned on and translated, and the captions of the training text."""
        return RoleTexts(self.data, self.out)

    def domain(self, name: str, side: str) -> Path:
        """Return the training text of a domain, tokenized and lowercased."""
        if name == "captions":
            return self.texts.text("multi30k", "train", side)
        prefix = self.out / "parliament"
        language = "de" if side == "source" else "en"
        if not (self.out / "parliament.docs").exists():
            files = {side: self.texts.text("europarl-de-en", "train", side) for side in ("source", "target")}
            options = itertools.chain(*((f"--{side}", path) for side, path in files.items()))
            languages = ("--source-language", "de", "--target-language", "en")
            documents = ("--documents", self.data / "europarl-de-en.train.docs.xz")
            tunesmith("corpus", "prepare", *options, *languages, *documents, "-o", prefix)
        return prefix.with_suffix(f".{language}")

    def both(self, side: str) -> Path:
        """Return the training text of both domains, or with `docs` their documents."""
        path = self.out / f"train.{side}"
        if not path.exists():
            lines = [read_lines(self.domain(name, "source" if side == "docs" else side)) for name in DOMAINS]
            if side == "docs":
                parliament = read_lines(self.out / "parliament.docs")
                lines = [[f"captions {i}" for i in range(len(lines[0]))], parliament]
            path.write_text("".join(f"{line}\n" for line in itertools.chain(*lines)), encoding="utf-8")
        return path

    def model(self) -> Path:
        """Train the baseline model of both domains, unless that is done."""
        directory = self.out / "model"
        files = ("--source", self.both("source"), "--target", self.both("target"))
        folds = ("--folds", 10, "--documents", self.both("docs"))
        classes = itertools.chain(*(("--classes", count) for count in (20, 50, 80)))
        options = ("--aligner", "hmm", "--reordering", "hier-mslrg-bidirectional-fe", "--distortion-limit", 6)
        where = ("--threads", self.threads, "-o", directory)
        tunesmith("train", *files, *folds, *classes, *options, "--kind", "phrase", *where)
        return directory

    def attached(self, domain: str) -> Path:
        """Return the model with a reordering model that is trained on lists of a domain: 28,000 of each."""
        folder, weights = self.out / domain, self.out / "hrm" / "1" / "weights.json"
        sides = itertools.chain(*((f"--{side}", self.domain(domain, side)) for side in ("source", "target")))
        count = len(read_lines(self.domain("captions", "source")))
        drawn = () if domain == "captions" else ("--pairs", count)
        where = ("--threads", self.threads, "-o", folder / "lists")
        tunesmith("xbleu", "lists", self.model(), *sides, *drawn, "--weights", weights, *where)
        how = ("--features", "hrm", "--objective", "xbleu", "--smoothing", "add-one", "--seed", 1)
        tunesmith("xbleu", "train", folder / "lists", *how, "-o", folder / "reordering")
        tunesmith("xbleu", "attach", self.model(), folder / "reordering", "-o", folder / "model")
        return folder / "model"

    def run(self, system: str) -> None:
        """Tune and translate with every seed, as far as that is not done."""
        every = {seed: self.out / system / str(seed) for seed in range(1, self.seeds + 1)}
        outs = {seed: out for seed, out in every.items() if not (out / f"{ROLES[-1]}.out").exists()}
        if not outs:
            return
        model = self.attached(system) if system in DOMAINS else self.model()
        start = ("--start", self.out / "hrm" / "1" / "weights.json") if system == "again" else ()
        tune_and_translate(self.texts, "multi30k", model, outs, self.threads, (*TUNING, *start), ROLES)


def main() -> None:
    """Run what is not done yet, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the corpora")
    parser.add_argument("--out", type=Path, default=Path("runs/xbleu-domains"), help="folder of all results")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=3, help="number of seeds of tuning")
    setting = Setting(**vars(parser.parse_args()))
    setting.out.mkdir(parents=True, exist_ok=True)
    print(
        "| system | seeds | BLEU tune | select | test | p select, against again | p test |\n"
        + "|---" * 7
        + "|"
    )
    for system in SYSTEMS:
        setting.run(system)
        outputs = {role: translations(setting.out / system, "*", role) for role in ROLES}
        known = {role: setting.texts.text("multi30k", role, "target") for role in ROLES}
        cells = [
            system,
            str(len(outputs["test"])),
            *(mean_bleu(outputs[role], known[role]) for role in ROLES),
        ]
        for role in ("select", "test"):
            again = translations(setting.out / "again", "*", role)
            cells.append("" if system in ("hrm", "again") else p_value(again, outputs[role], known[role]))
        print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()

"""Default options beside a grid of settings: the table of BLEU on dev and test text, or on held-out text.

Run `python -m experiments.defaults.tables`. Each run has a folder with one folder per seed of tuning; runs
that differ in tuning alone share a model. What is done is not run again, and the table has all runs that are
there.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from experiments.commands import DATA, tunesmith
from experiments.prepared import prepared
from experiments.replicas import mean_bleu, p_value, translations
from tunesmith.files import open_write, read_lines
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts.names import ALIGNMENT

DEFAULT = "default"
HELD_OUT = 1000
"""Last pairs of the training text, by which defaults are chosen; models are not trained on them then."""


@dataclass(frozen=True)
class Pair:
    """A language pair: its files, and the options of `train` that its raw text needs."""

    corpus: str
    source: str
    target: str
    dev: str = "dev"
    tests: tuple[str, ...] = ("test",)
    tuned: int | None = None
    """Sentences of dev that are tuned on, from the first [all]."""
    raw: tuple[object, ...] = ()
    size: int | None = None
    """Pairs of the training text, from the first, those that are held out included [all]."""
    by_length: bool = False
    """Whether the training text is sorted by length, so that what is held out is spread over it."""


@dataclass(frozen=True)
class Settings:
    """Options of `train`, of `tune model`, and of the search in tuning and translation.

    With `aligned`, the alignments of the default run are used; raw text is aligned anew.
    """

    train: tuple[object, ...] = ()
    tune: tuple[object, ...] = ()
    search: tuple[object, ...] = ()
    aligned: bool = False


MULTI30K_TESTS = ("test_2016", "test_2017", "test_2017_coco")
RAW = ("--source-language", "fr", "--target-language", "en", "--tokenize", "moses", "--case", "lower")
PAIRS: Mapping[str, Pair] = {
    "ja-en": Pair("enja", "ja", "en"),
    "en-ja": Pair("enja", "en", "ja"),
    "de-en": Pair("multi30k", "de", "en", "val", MULTI30K_TESTS),
    "fr-en": Pair("multi30k", "fr", "en", "val", MULTI30K_TESTS),
    "zh-en": Pair("zhen", "seg.zh", "en", raw=("--source-language", "zh", *RAW[2:]), by_length=True),
    "en-zh": Pair("zhen", "en", "seg.zh", by_length=True),
    "europarl": Pair("europarl-fr-en", "fr", "en", tuned=1000, raw=RAW),
    "europarl-de": Pair("europarl-de-en", "de", "en", tuned=1000, raw=("--source-language", "de", *RAW[2:])),
}
UNSEEN: Mapping[str, Pair] = {
    "europarl-100k": Pair("europarl-fr-en", "fr", "en", tuned=1000, raw=RAW, size=100_000),
}
"""Pairs on which defaults are compared, but not set beside a grid."""
ALL = {**PAIRS, **UNSEEN}
DISTANT = ("ja-en", "en-ja")
JUMPS = {
    f"distortion {limit}": Settings(("--distortion-limit", limit), aligned=True) for limit in (6, 9, 12, 15)
}
SPANS = {
    f"span {limit} {edges}": Settings(
        ("--span-limit", limit, "--max-rule-span", limit, f"--{edges}-phrases"), aligned=True
    )
    for limit, edges in itertools.product((10, 12, 16), ("loose", "tight"))
}
NEAR_SPANS = {name: SPANS[name] for name in ("span 10 tight", "span 10 loose", "span 16 tight")}
METHODS: Mapping[str, tuple[object, ...]] = {
    "mira": ("--method", "mira"),
    "mira-plain": ("--method", "mira", "--no-standardize"),
    "mert": ("--method", "mert"),
}
ALIGNERS = {
    f"{aligner} {method}": Settings(options, METHODS[method])
    for (aligner, options), method in itertools.product(
        {"diagonal": ("--aligner", "diagonal"), "+".join(TrainingOptions.aligner): ()}.items(), METHODS
    )
}
Grids = Mapping[tuple[str, str], Mapping[str, Settings]]
GRIDS: Grids = {
    **{(pair, "phrase"): JUMPS for pair in DISTANT},
    **{(pair, "hiero"): SPANS for pair in (*DISTANT, "zh-en")},
    **{(pair, "phrase"): ALIGNERS for pair in PAIRS if pair not in DISTANT},
    **{(pair, "hiero"): NEAR_SPANS for pair in ("de-en", "fr-en")},
}
"""The settings of a grid by name, for each pair and kind of model."""
LIMITS = (6, 8, 10, 12, 14, 16)
CHOICES: Grids = {
    (pair, "phrase"): {
        **{
            f"distortion {limit}": Settings(search=("--distortion-limit", limit)) for limit in range(6, 17, 2)
        },
        **{
            aligner.replace(",", "+"): Settings(("--aligner", aligner))
            for aligner in ("diagonal", "ibm4", "hmm,ibm4", "hmm,diagonal", "hmm,ibm4,diagonal")
        },
        **{method: Settings(("--symmetrize", method)) for method in ("grow-diag", "grow-diag-final")},
    }
    for pair in (*PAIRS, *UNSEEN)
}
"""Settings between which defaults are chosen, on held-out text."""


def _held_out(lines: int, spread: bool) -> range:
    """Return the numbers of the lines that are held out: the last ones, or evenly spread ones."""
    if not spread:
        return range(lines - HELD_OUT, lines)
    step = lines // HELD_OUT
    return range(step - 1, step * HELD_OUT, step)


@dataclass(frozen=True)
class Setting:
    """Where data lies and results go."""

    data: Path
    out: Path
    threads: int
    seeds: int
    choose: bool = False
    """Hold out the end of the training text, and judge by it instead of the test text."""

    @property
    def roles(self) -> tuple[str, str]:
        """The roles of texts that are translated: the tuning set, and what judges."""
        return ("dev", "select") if self.choose else ("dev", "test")

    @property
    def grids(self) -> Grids:
        """The settings that are compared."""
        return CHOICES if self.choose else GRIDS

    def text(self, name: str, role: str, side: str) -> Path:
        """Return the text of a role, train, dev, select or test; it is written unless it is there."""
        pair = ALL[name]
        path = self.out / name / f"{role}.{side}"
        if not path.exists():
            language = pair.source if side == "source" else pair.target
            train = ("train",)
            parts = {"train": train, "select": train, "dev": (pair.dev,), "test": pair.tests}[role]
            files = (self.data / f"{pair.corpus}.{part}.{language}.xz" for part in parts)
            lines = list(itertools.chain(*map(read_lines, files)))
            lines = lines[: pair.size] if "train" in parts else lines
            path.parent.mkdir(parents=True, exist_ok=True)
            if role == "select" or (role == "train" and self.choose):
                held_out = _held_out(len(lines), pair.by_length)
                lines = [lines[i] for i in range(len(lines)) if (i in held_out) == (role == "select")]
            elif role == "dev":
                lines = lines[: pair.tuned]
            with open_write(path) as stream:
                stream.write("".join(f"{line}\n" for line in lines).encode())
        return path

    def references(self, name: str, role: str) -> Path:
        """Return the target side of a text, tokenized and cased as the models' where it is raw."""
        text = self.text(name, role, "target")
        return prepared(text, ALL[name].raw, lambda: self.model(name, "phrase", Settings()))

    def folder(self, name: str, kind: str, run: str) -> Path:
        """Return the folder of a run."""
        return self.out / name / kind / run.replace(" ", "-")

    def model(self, name: str, kind: str, settings: Settings) -> Path:
        """Return the folder of a model; runs with the same options of `train` share it."""
        words = (str(option).strip("-") for option in settings.train)
        return self.out / name / kind / "-".join(("model", *words))

    def run(self, name: str, kind: str, run: str, settings: Settings) -> None:
        """Train, tune and translate, as far as that is not done."""
        folder, pair = self.folder(name, kind, run), ALL[name]
        every = {seed: folder / str(seed) for seed in range(1, self.seeds + 1)}
        if all((out / f"{self.roles[-1]}.out").exists() for out in every.values()):
            return
        where, prepare = ("--threads", self.threads), (("--prepare",) if pair.raw else ())
        source, target = (self.text(name, "train", side) for side in ("source", "target"))
        options = ("--kind", kind, *pair.raw, *settings.train)
        if settings.aligned and not pair.raw:
            self.run(name, "phrase", DEFAULT, Settings())
            options += ("--alignment", self.model(name, "phrase", Settings()) / ALIGNMENT)
        model = self.model(name, kind, settings)
        tunesmith("train", "--source", source, "--target", target, *options, *where, "-o", model)
        source, target = (self.text(name, "dev", side) for side in ("source", "target"))
        for seed, out in every.items():
            texts = ("--source", source, "--references", target, "--seed", seed)
            tuning = (*texts, *settings.tune, *settings.search, *prepare, *where)
            tunesmith("tune", "model", model, *tuning, "-o", out)
            for role in self.roles:
                files = ("-i", self.text(name, role, "source"), "-o", out / f"{role}.out")
                decoding = ("--weights", out / "weights.json", *settings.search, *prepare, *where)
                tunesmith("decode", model, *files, *decoding)


def table(setting: Setting) -> str:
    """Return BLEU of all runs that have translated the texts, and which of each grid is the best.

    That is by dev text, or by select text if there is such.
    """
    judged = setting.roles[-1]
    columns = ("pair", "kind", "run", "seeds", "BLEU dev", f"BLEU {judged}", "p, against default")
    lines = [f"| {' | '.join(columns)} |", "|" + "---|" * len(columns)]
    for (name, kind), grid in setting.grids.items():
        found: dict[str, tuple[str, ...]] = {}
        usual = translations(setting.folder(name, kind, DEFAULT), "*", judged)
        for run in (DEFAULT, *grid):
            outputs = {
                role: translations(setting.folder(name, kind, run), "*", role) for role in setting.roles
            }
            if not outputs[judged]:
                continue
            references = {role: setting.references(name, role) for role in setting.roles}
            scores = [mean_bleu(outputs[role], references[role]) for role in setting.roles]
            p = "" if run == DEFAULT else p_value(usual, outputs[judged], references[judged])
            found[run] = (str(len(outputs[judged])), *scores, p)
        column = 2 if setting.choose else 1
        best = max(
            (run for run in found if run != DEFAULT), key=lambda run: float(found[run][column]), default=""
        )
        for run, cells in found.items():
            shown = f"**{run}**" if run == best else run
            lines.append(f"| {' | '.join((name, kind, shown, *cells))} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run what is not done yet, and write the table of all that is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the corpora")
    parser.add_argument("--out", type=Path, default=Path("runs/defaults"), help="folder of all results")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=1, help="number of seeds of tuning")
    parser.add_argument("--pairs", default=",".join(PAIRS), help=f"names, with commas [{','.join(PAIRS)}]")
    parser.add_argument("--runs", help="settings besides the default, with commas [all]")
    parser.add_argument("--kinds", help="kinds of models, phrase or hiero, with commas [all]")
    parser.add_argument(
        "--choose", action="store_true", help="compare settings on held-out text, and read no test text"
    )
    given = parser.parse_args()
    if unknown := set(given.pairs.split(",")) - set(ALL):
        parser.error(f"no such pairs: {', '.join(sorted(unknown))}; there are {', '.join(ALL)}")
    grids = CHOICES if given.choose else GRIDS
    known = {run for grid in grids.values() for run in grid}
    if unknown := set((given.runs or "").split(",")) - known - {""}:
        parser.error(f"no such settings: {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}")
    kinds = given.kinds.split(",") if given.kinds else sorted({kind for _, kind in grids})
    if unknown := set(kinds) - {kind for _, kind in grids}:
        parser.error(f"no settings of {', '.join(sorted(unknown))} are compared here")
    out = given.out / "choose" if given.choose else given.out
    setting = Setting(given.data, out, given.threads, given.seeds, given.choose)
    for (name, kind), grid in setting.grids.items():
        if name in given.pairs.split(",") and kind in kinds:
            for run, settings in {DEFAULT: Settings(), **grid}.items():
                if given.runs is None or run in (DEFAULT, *given.runs.split(",")):
                    setting.run(name, kind, run, settings)
    text = table(setting)
    (setting.out / "table.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()

"""Hierarchical rules: tight or loose, spans and breadths, by BLEU of held-out text and CPU seconds.

Run `python -m experiments.defaults.rules`. With `--tuned`, models are tuned first; otherwise they translate
with their start weights. What is done is not run again, and the table has all runs that are there.
"""

from __future__ import annotations

import argparse
import itertools
import json
import resource
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from experiments.commands import DATA, tunesmith
from experiments.defaults.tables import PAIRS, Setting
from experiments.prepared import prepared
from experiments.replicas import mean_bleu, p_value
from tunesmith.files import read_lines
from tunesmith.model import Model
from tunesmith.model.parts.names import ALIGNMENT

BREADTHS = ("", "-0", "-20", "-100")
"""Most target sides of a source side, beside the default."""
SETTINGS = tuple(
    f"{edges}-{span}{breadth}"
    for breadth, edges, span in itertools.product(BREADTHS, ("tight", "loose"), (10, 12, 14, 16))
)

LINES: Mapping[str, int] = {"train": 50_000, "dev": 300, "select": 1000}
"""How much of the text of a role is used, unless told."""
ITERATIONS = 6


@dataclass(frozen=True)
class Rules:
    """Where texts and results are, and how much of each text is used."""

    texts: Setting
    out: Path
    lines: Mapping[str, int]
    """How much of the text of a role is used, from the first line."""

    def text(self, name: str, role: str, side: str) -> Path:
        """Return the first lines of the text of a role."""
        path = self.out / name / f"{role}.{side}"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = read_lines(self.texts.text(name, role, side))[: self.lines[role]]
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    def trained(self, name: str, setting: str) -> Path:
        """Return the model of a setting; all models of a pair share one alignment."""
        folder = self.out / name / setting / "model"
        if (folder / "manifest.json").exists():
            return folder
        first = self.out / name / "text" / "model"
        if not first.exists():
            self._train(name, first)
        edges, span, *breadth = setting.split("-")
        shutil.copytree(first, folder)  # what does not depend on the setting is not made again
        given = ("--alignment", first / ALIGNMENT) if PAIRS[name].raw == () else ()
        limits = (
            "--span-limit",
            span,
            "--max-rule-span",
            span,
            *(("--rule-breadth", *breadth) if breadth else ()),
        )
        self._train(name, folder, f"--{edges}-phrases", *limits, *given)
        return folder

    def _train(self, name: str, folder: Path, *options: object) -> None:
        files = (f"--{side}={self.text(name, 'train', side)}" for side in ("source", "target"))
        where = ("--kind", "hiero", "--threads", 1, "-o", folder)
        tunesmith("train", *files, *PAIRS[name].raw, *options, *where)

    def references(self, name: str) -> Path:
        """Return the target side of the select text, in the form of translations."""
        text = self.text(name, "select", "target")
        return prepared(text, PAIRS[name].raw, lambda: self.out / name / "text" / "model")

    def run(self, name: str, setting: str, tuned: bool) -> None:
        """Train, tune if asked for, and translate, as far as that is not done."""
        how = self.out / name / setting / ("tuned" if tuned else "start")
        if (how / "seconds.json").exists():
            return
        model = self.trained(name, setting)
        how.mkdir(parents=True, exist_ok=True)
        raw = ("--prepare",) if PAIRS[name].raw else ()
        seconds, where = {}, ("--threads", 1, *raw)
        weights: tuple[object, ...] = ()
        if tuned:
            source, target = (self.text(name, "dev", side) for side in ("source", "target"))
            texts = ("--source", source, "--references", target, "-o", how / "run")
            rounds = ("--iterations", ITERATIONS, "--select", "metric", "--seed", 1)
            before = _cpu_seconds()
            tunesmith("tune", "model", model, *texts, *rounds, *where)
            seconds["tune"] = _cpu_seconds() - before
            weights = ("--weights", how / "run" / "weights.json")
        files = ("-i", self.text(name, "select", "source"), "-o", how / "select.out")
        before = _cpu_seconds()
        tunesmith("decode", model, *files, *weights, *where)
        seconds["decode"] = _cpu_seconds() - before
        (how / "seconds.json").write_text(json.dumps(seconds))


def _cpu_seconds() -> float:
    """Return the CPU seconds of all commands so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rows(rules: Rules, name: str, tuned: bool) -> Iterator[str]:
    """Yield the rows of a pair; p is that of the difference to the first one."""
    first: list[list[str]] = []
    for setting in SETTINGS:
        how = rules.out / name / setting / ("tuned" if tuned else "start")
        if not (how / "seconds.json").exists():
            continue
        output, seconds = [read_lines(how / "select.out")], json.loads((how / "seconds.json").read_text())
        first = first or output
        p = p_value(first, output, rules.references(name))
        cells = (name, setting, mean_bleu(output, rules.references(name)), p)
        times = (f"{seconds[each]:.0f}" if each in seconds else "" for each in ("tune", "decode"))
        yield f"| {' | '.join((*cells, *times))} |"


def measures(rules: Rules, name: str) -> str:
    """Return what the training text of a pair says."""
    from tunesmith.corpus.word_order import WordOrder

    model = rules.out / name / "text" / "model"
    order = WordOrder.read(model / "word-order.json")
    shares = (f"{order.share_of_words(span):.1%}" for span in (10, 12, 14, 16))
    settings = Model.open(model)
    chosen = settings.settings["loose_phrases"], settings.settings["max_rule_span"]
    edges = f"{'loose' if chosen[0] else 'tight'}-{chosen[1]}"
    return f"| {' | '.join((name, f'{order.unaligned:.1%}', *shares, edges))} |"


def main() -> None:
    """Run what is not done yet, and print the tables of all that is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the corpora")
    parser.add_argument("--out", type=Path, default=Path("runs/rules"), help="folder of all results")
    parser.add_argument("--pairs", default=",".join(PAIRS), help="names, with commas [all]")
    parser.add_argument(
        "--settings", default=",".join(SETTINGS), help="such as loose-10 or loose-10-20, with commas [all]"
    )
    parser.add_argument("--tuned", action="store_true", help="tune with mira first")
    for role, count in LINES.items():
        parser.add_argument(f"--{role}", type=int, default=count, help=f"lines of the {role} text [{count}]")
    given = parser.parse_args()
    texts = Setting(given.data, given.out / "texts", 1, 1, choose=True)
    rules = Rules(texts, given.out, {role: getattr(given, role) for role in LINES})
    names = given.pairs.split(",")
    for name, setting in itertools.product(names, filter(None, given.settings.split(","))):
        rules.run(name, setting, given.tuned)
    print("| pair | unaligned | 10 | 12 | 14 | 16 | chosen |\n|---|---|---|---|---|---|---|")
    for name in names:
        print(measures(rules, name))
    print("| pair | rules | BLEU select | p | tune | decode |\n|---|---|---|---|---|---|")
    for name in names:
        print("\n".join(rows(rules, name, given.tuned)))


if __name__ == "__main__":
    main()

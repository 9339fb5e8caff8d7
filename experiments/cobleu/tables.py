"""Tables 1 and 2 and Figure 6: MERT, CoBLEU, and CoBLEU from MERT, by Viterbi and by consensus decoding.

Run `python -m experiments.cobleu.tables`. Each system has a folder: what `tunesmith tune model` wrote and its
translations. What is done is not run again, and the tables have all systems that are there.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.commands import DATA, tunesmith
from tunesmith.files import read_lines
from tunesmith.metrics import Bleu, Segments, compare_systems

SEEDS = (1, 2, 3)
SYSTEMS = (
    *(f"mert-{seed}" for seed in SEEDS),
    "cobleu",
    *(f"mert-{seed}-cobleu" for seed in SEEDS),
    *(f"forest-mert-{seed}" for seed in SEEDS),
)
LONGEST = 25
PARTS = {"tune": "dev", "test": "test"}
DECODINGS = {
    "consensus": ("--consensus", "--consensus-size", "1000"),
    "consensus-scale-1": ("--consensus", "--consensus-size", "1000", "--consensus-scale", "1"),
    "viterbi": (),
}


@dataclass(frozen=True)
class Setting:
    """Where data lies and results go; `sentences` of each set, for trying things out (0: all)."""

    data: Path
    out: Path
    threads: int
    sentences: int
    pop_limit: int
    iterations: int
    optimizer: str

    def model(self) -> Path:
        """Train the ITG, unless that is done."""
        directory = self.out / "itg"
        texts = (self.data / f"europarl-fr-en.train.{side}.xz" for side in ("fr", "en"))
        prepared = ("--tokenize", "moses", "--source-language", "fr", "--target-language", "en")
        tunesmith(
            *("train", "--source", next(texts), "--target", next(texts), *prepared, "--case", "lower"),
            *("--aligner", "diagonal", "--kind", "itg", "--lm-order", 3),
            *("--threads", self.threads, "-o", directory),
        )
        return directory

    def text(self, part: str, language: str) -> Path:
        """Return the file of the short sentences of a part, made when first asked for."""
        name = part if self.sentences == 0 else f"{part}-first-{self.sentences}"
        file = self.out / f"{name}.{language}"
        if not file.exists():
            pair = [
                read_lines(self.data / "moses-europarl" / f"{PARTS[part]}.tok.lc.{side}.xz")
                for side in ("fr", "en")
            ]
            short = [both for both in zip(*pair, strict=True) if 1 <= len(both[0].split()) <= LONGEST]
            self.out.mkdir(parents=True, exist_ok=True)
            for place, side in enumerate(("fr", "en")):
                lines = (both[place] + "\n" for both in short[: self.sentences or None])
                (self.out / f"{name}.{side}").write_text("".join(lines), encoding="utf-8")
        return file


def tune(name: str, setting: Setting, model: Path) -> Path:
    """Tune a system, as far as that is not done; return its folder."""
    folder = setting.out / name
    method, seed, start = _method(name, setting)
    tunesmith(  # which has nothing to do where all is done
        *("tune", "model", model, "--source", setting.text("tune", "fr")),
        *("--references", setting.text("tune", "en"), *method, *start, "--metric", "bleu"),
        *("--freeze", "UnknownWordPenalty0", "--pop-limit", setting.pop_limit),
        *("--iterations", setting.iterations, "--least-improvement", 0, "--nbest", 100),
        *("--threads", setting.threads),
        *("--seed", seed, "-o", folder),
    )
    return folder


def _method(name: str, setting: Setting) -> tuple[Sequence[object], int, Sequence[object]]:
    cobleu = ("--method", "cobleu", "--optimizer", setting.optimizer)
    if name == "cobleu":
        return cobleu, 1, ("--start-zero",)
    seed = _seed(name)
    if name.endswith("cobleu"):
        return cobleu, seed, ("--start", setting.out / f"mert-{seed}" / "weights.json")
    return ("--method", name.removesuffix(f"-{seed}")), seed, ("--start-zero",)


def _seed(name: str) -> int:
    """Return the seed of a system: its own, or that of the MERT it starts from or is compared with."""
    return next((int(part) for part in name.split("-") if part.isdigit()), 1)


def decode(folder: Path, setting: Setting, model: Path) -> None:
    """Translate both sets in both ways, as far as that is not done."""
    for part in PARTS:
        for way, options in DECODINGS.items():
            output = folder / f"{part}.{way}"
            if not output.exists():
                weights = ("--weights", folder / "weights.json", "--pop-limit", setting.pop_limit)
                where = ("-i", setting.text(part, "fr"), "-o", output, "--threads", setting.threads)
                tunesmith("decode", model, *where, *weights, *options, "--quiet")


def table(way: str, names: Sequence[str], setting: Setting) -> str:
    """Return a table of one way of decoding in Markdown, with the p-value against MERT of the same seed."""
    lines = [f"| {way} | tune | test | difference | brevity | p |", "|---|---|---|---|---|---|"]
    references = {part: read_lines(setting.text(part, "en")) for part in PARTS}
    for name in names:
        outputs = {part: read_lines(setting.out / name / f"{part}.{way}") for part in PARTS}
        scores = {part: 100 * bleu(outputs[part], references[part])[0] for part in PARTS}
        brevity = bleu(outputs["test"], references["test"])[1]
        rival = f"mert-{_seed(name)}"
        p = "" if rival == name else f"{p_value(rival, name, way, setting):.4f}"
        drop = scores["test"] - scores["tune"]
        lines.append(
            f"| {name} | {scores['tune']:.2f} | {scores['test']:.2f} | {drop:+.2f} | {brevity:.3f} | {p} |"
        )
    return "\n".join(lines) + "\n"


def bleu(texts: Sequence[str], references: Sequence[str]) -> tuple[float, float]:
    """Return BLEU and its brevity penalty."""
    metric = Bleu()
    total = metric.measure(Segments.of(texts, [references])).sum(axis=0)
    return float(metric.score(total)), min(1.0, math.exp(1 - total[-1] / max(total[1], 1.0)))


def p_value(baseline: str, name: str, way: str, setting: Setting) -> float:
    """Return the chance of a difference on the test set that is as large."""
    outputs = {each: [read_lines(setting.out / each / f"test.{way}")] for each in (baseline, name)}
    rows = compare_systems([Bleu()], [read_lines(setting.text("test", "en"))], outputs).rows
    found = rows[1].p_randomization
    assert found is not None
    return found


def trajectories(names: Sequence[str], setting: Setting) -> str:
    """Return Figure 6 as a table: the method's own objective after each decoder run, over its last value.

    Below it the decoded BLEU of the tuning set, which both methods share.
    """
    lines = ["| system | what | by decoder run |", "|---|---|---|"]
    for name in names:
        history = [json.loads(line) for line in read_lines(setting.out / name / "history.jsonl")]
        scores = [100 * record["score"] for record in history if record.get("score") is not None]
        lines.append(f"| {name} | BLEU | {' '.join(f'{score:.2f}' for score in scores)} |")
        losses = [record["loss"] for record in history if record.get("loss") is not None]
        if losses:
            gains = [math.exp(-loss) if "cobleu" in name else -loss for loss in losses]
            shares = " ".join(f"{gain / gains[-1]:.3f}" for gain in gains)
            lines.append(f"| {name} | objective / its last | {shares} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run what is not done yet, and write the tables of all that is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the europarl files")
    parser.add_argument("--out", type=Path, default=Path("runs/cobleu"), help="folder of all that is made")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--sentences", type=int, default=0, help="of each set, to try things out [all]")
    parser.add_argument("--pop-limit", type=int, default=50)
    parser.add_argument("--iterations", type=int, default=20, help="decoder runs at most")
    parser.add_argument("--optimizer", default="lbfgs", help="of CoBLEU: lbfgs or adaptive")
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="names, with commas [all]")
    given = parser.parse_args()
    chosen = given.systems.split(",")
    if unknown := set(chosen) - set(SYSTEMS):
        parser.error(f"no such systems: {', '.join(sorted(unknown))}; there are {', '.join(SYSTEMS)}")
    setting = Setting(
        given.data,
        given.out,
        given.threads,
        given.sentences,
        given.pop_limit,
        given.iterations,
        given.optimizer,
    )
    model = setting.model()
    for name in chosen:
        decode(tune(name, setting, model), setting, model)
    done = [name for name in SYSTEMS if (setting.out / name / "test.viterbi").exists()]
    text = "\n".join([*(table(way, done, setting) for way in DECODINGS), trajectories(done, setting)])
    (setting.out / "tables.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()

"""Dense and sparse features, tuned online: systems on three models, and their table.

Run `python -m experiments.sparse_mira.tables`. Each system has a folder: what tuning wrote, and its
translations. What is done is not run again, and the table has all systems that are there.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.commands import DATA, tunesmith
from tunesmith.files import read_lines
from tunesmith.metrics import evaluate
from tunesmith.metrics.comparison import compare_systems

MODELS = ("multi30k-phrase", "multi30k-hiero", "europarl-phrase")
SYSTEMS = ("mert", "dense", "sparse-0.01", "sparse-single", "sparse-jackknife")
TEMPLATES = (
    *("rule-identity", "rule-shape", "target-bigrams", "word-insertion", "word-deletion", "context-pairs"),
    *("structural-distortion", "word-translations", "lengths", "span-length"),
)
HELD_OUT = 1000
"""Last pairs of Multi30k's training text, and of Europarl's dev text, that choose the epoch."""
DRAWN = 5000
MULTI30K_TESTS = ("test_2016", "test_2017", "test_2017_coco")


@dataclass(frozen=True)
class Setting:
    """Where data lies and results go."""

    data: Path
    out: Path
    threads: int

    def text(self, corpus: str, role: str, side: str) -> Path:
        """Write the text of a role, unless that is done; `side` is source or target."""
        path = self.out / corpus / f"{role}.{side}"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = self._multi30k(role, side) if corpus == "multi30k" else self._europarl(role, side)
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    def _multi30k(self, role: str, side: str) -> list[str]:
        def read(part: str) -> list[str]:
            language = "de" if side == "source" else "en"
            return read_lines(self.data / f"multi30k.{part}.{language}.xz")

        if role in ("train", "select"):
            return read("train")[:-HELD_OUT] if role == "train" else read("train")[-HELD_OUT:]
        return list(itertools.chain(*map(read, ("val",) if role == "tune" else MULTI30K_TESTS)))

    def _europarl(self, role: str, side: str) -> list[str]:
        part = {"tune": "dev", "select": "dev"}.get(role, role)
        language = "fr" if side == "source" else "en"
        lines = read_lines(self.data / f"europarl-fr-en.{part}.{language}.xz")
        if part != "dev":
            return lines
        return lines[:-HELD_OUT] if role == "tune" else lines[-HELD_OUT:]

    def model(self, name: str) -> Path:
        """Train a model with folds, unless that is done."""
        corpus, kind = name.split("-")
        directory = self.out / name / "model"
        sides = [self.text(corpus, "train", side) for side in ("source", "target")]
        more: tuple[object, ...] = ("--grammar", "global") if kind == "hiero" else ()
        if corpus == "europarl":
            more += ("--documents", self.data / "europarl-fr-en.train.docs.xz", "--tokenize", "moses")
            more += ("--source-language", "fr", "--target-language", "en", "--case", "lower")
        where = ("--source", sides[0], "--target", sides[1], "-o", directory)
        tunesmith("train", *where, "--kind", kind, "--folds", 10, "--threads", self.threads, *more)
        return directory

    def references(self, name: str) -> Path:
        """Return the test references, tokenized and cased as translations are."""
        raw = self.text(name.split("-", 1)[0], "test", "target")
        if not name.startswith("europarl"):
            return raw
        path = self.out / name / "test.references"
        if not path.exists():
            tunesmith("prepare", self.out / name / "model", "--side", "target", raw, "-o", path)
        return path


def run(name: str, system: str, setting: Setting) -> None:
    """Tune and translate, as far as that is not done."""
    corpus = name.split("-", maxsplit=1)[0]
    model, folder = setting.model(name), setting.out / name / system
    prepare = ("--prepare",) if corpus == "europarl" else ()
    tuning = [setting.text(corpus, "tune", side) for side in ("source", "target")]
    common = ("--threads", setting.threads, "--seed", 1, *prepare)
    if system == "mert":
        where = ("--source", tuning[0], "--references", tuning[1], "-o", folder)
        frozen = ("--freeze", "Unknown*")
        tunesmith("tune", "model", model, *where, "--method", "mert", "--iterations", 10, *frozen, *common)
    else:
        _tune_online(model, folder, system, tuning, corpus, setting, common)
    output = folder / "test.out"
    if not output.exists():
        weights = folder / ("weights.json" if system == "mert" else "weights")
        files = ("-i", setting.text(corpus, "test", "source"), "-o", output)
        tunesmith("decode", model, *files, "--weights", weights, "--threads", setting.threads, *prepare)


def _tune_online(
    model: Path,
    folder: Path,
    system: str,
    tuning: Sequence[Path],
    corpus: str,
    setting: Setting,
    common: tuple[object, ...],
) -> None:
    source, references = tuning
    jackknife: tuple[object, ...] = ()
    if system == "sparse-jackknife":
        drawn = folder.parent / "drawn"
        if not Path(f"{drawn}.folds").exists():
            tunesmith("corpus", "draw", model, "-n", DRAWN, "--seed", 1, "-o", drawn)
        source, references = Path(f"{drawn}.source"), Path(f"{drawn}.target")
        jackknife = ("--jackknife", "--folds", f"{drawn}.folds", "--keep-fold-tables")
    templates = () if system == "dense" else ("--templates", ",".join(TEMPLATES))
    rates = ("--adaptive", 0 if system == "sparse-single" else 0.01)
    select = [setting.text(corpus, "select", side) for side in ("source", "target")]
    tunesmith(
        *("tune", "online", model, "--source", source, "--references", references, *jackknife),
        *("--start", folder.parent / "mert" / "weights.json", *templates, *rates, "--top-k", 0),
        *("--select-source", select[0], "--select-references", select[1], "--score-tuning"),
        *("--shards", 20, "--epochs", 10, "--nbest", 500, "-o", folder, *common),
    )


def table(setting: Setting) -> str:
    """Return the scores of all systems that have translated the test text."""
    lines = [
        "| model | system | features | BLEU tune | BLEU select | BLEU test | TER test | p against mert |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, system in itertools.product(MODELS, SYSTEMS):
        folder = setting.out / name / system
        if not (folder / "test.out").exists():
            continue
        references = [read_lines(setting.references(name))]
        output = read_lines(folder / "test.out")
        bleu, ter = evaluate(["bleu", "ter"], output, references, resamples=0)
        chosen = _chosen(folder, system)
        cells = [name, system, *chosen, f"{100 * bleu.score:.2f}", f"{100 * ter.score:.2f}"]
        baseline = setting.out / name / "mert" / "test.out"
        if system != "mert" and baseline.exists():
            outputs = {"mert": [read_lines(baseline)], system: [output]}
            rows = compare_systems("bleu", references, outputs, resamples=10).rows
            cells.append(f"{rows[1].p_randomization:.4f}")
        else:
            cells.append("")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _chosen(folder: Path, system: str) -> list[str]:
    """Return the number of features, and BLEU of tune and select, of the iteration that was taken."""
    history = [json.loads(line) for line in read_lines(folder / "history.jsonl")]
    if system == "mert":
        return ["", f"{100 * history[-1]['score']:.2f}", ""]
    best = max(history, key=lambda record: record.get("select_score", -1.0))
    return [
        f"{best['features']:,}",
        f"{100 * best['score']:.2f}",
        f"{100 * best['select_score']:.2f}",
    ]


def main() -> None:
    """Run what is not done yet, and write the table of all that is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the corpora")
    parser.add_argument("--out", type=Path, default=Path("runs/sparse-mira"), help="folder of all results")
    parser.add_argument("--threads", type=int, default=2)
    every = [f"{name}/{system}" for name in MODELS for system in SYSTEMS]
    parser.add_argument("--systems", default=",".join(every), help="MODEL/SYSTEM, with commas [all]")
    given = parser.parse_args()
    if unknown := set(given.systems.split(",")) - set(every):
        parser.error(f"no such systems: {', '.join(sorted(unknown))}; there are {', '.join(every)}")
    setting = Setting(given.data, given.out, given.threads)
    for each in given.systems.split(","):
        name, system = each.split("/")
        run(name, system, setting)
    text = table(setting)
    (setting.out / "table.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()

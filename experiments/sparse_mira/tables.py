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
from typing import Any

from experiments.commands import DATA, tunesmith
from experiments.prepared import prepared
from experiments.texts import RoleTexts
from tunesmith.files import read_lines
from tunesmith.metrics import evaluate
from tunesmith.metrics.comparison import compare_systems

MODELS = ("multi30k-phrase", "multi30k-hiero", "europarl-phrase")
RATES = ("--adaptive", 0.01, "--rates-start", 1)
HOPE = ("--document", "kbmira")
ONLINE: dict[str, tuple[object, ...]] = {
    "dense": RATES,
    "sparse-0.01": RATES,
    "sparse-single": ("--adaptive", 0),
    "sparse-hope": (*RATES, *HOPE),
    "sparse-jackknife": (*RATES, *HOPE),
    "sparse-rates-0": ("--adaptive", 0.01, "--rates-start", 0, *HOPE),
    "sparse-frozen": (*RATES, *HOPE, "--freeze-dense"),
    "sparse-frozen-0": ("--adaptive", 0.01, "--rates-start", 0, *HOPE, "--freeze-dense"),
}
"""How systems that are tuned online differ; `dense` has no templates."""
STARTS = ("mert", "mira")
"""Systems of dense weights, tuned on lists: one of them is the start of all that are tuned online."""
SYSTEMS = (*STARTS, *ONLINE)
TEMPLATES = (
    *("rule-identity", "rule-shape", "target-bigrams", "word-insertion", "word-deletion", "context-pairs"),
    *("structural-distortion", "word-translations", "lengths", "span-length"),
)
OF_PHRASES = ("sparse-reordering",)
"""Templates that only phrase decoders have."""
LEARNING = (
    *("--shards", 4, "--epochs", 6, "--nbest", 500),
    *("--average", "steps", "--mix", "changed", "--top-k", 0),
)
"""How online learning was set up, by the select text of `multi30k-phrase`: see README.md."""
DRAWN = 5000


@dataclass(frozen=True)
class Setting:
    """Where data lies and results go."""

    data: Path
    out: Path
    threads: int
    seed: int = 1
    start: str = "mert"

    def folder(self, name: str, system: str) -> Path:
        """Return the folder of a system; other seeds than 1 and other starts than `mert` have their own."""
        start = f".{self.start}" if system not in STARTS and self.start != "mert" else ""
        return self.out / name / f"{system}{start}{f'.{self.seed}' if self.seed != 1 else ''}"

    def text(self, corpus: str, role: str, side: str) -> Path:
        """Write the text of a role, unless that is done; `side` is source or target."""
        return RoleTexts(self.data, self.out).text(corpus, role, side)

    def model(self, name: str) -> Path:
        """Train a model with folds, unless that is done."""
        corpus, kind = name.split("-")
        directory = self.out / name / "model"
        texts = RoleTexts(self.data, self.out).training_options(corpus)
        more: tuple[object, ...] = ("--grammar", "global") if kind == "hiero" else ()
        where = (*texts, "-o", directory)
        tunesmith("train", *where, "--kind", kind, "--folds", 10, "--threads", self.threads, *more)
        return directory

    def references(self, name: str, role: str) -> Path:
        """Return the references of a role, tokenized and cased as translations are."""
        text = self.text(name.split("-", 1)[0], role, "target")
        return prepared(text, name.startswith("europarl"), lambda: self.out / name / "model")


def run(name: str, system: str, setting: Setting) -> None:
    """Tune and translate, as far as that is not done."""
    corpus = name.split("-", maxsplit=1)[0]
    model, folder = setting.model(name), setting.folder(name, system)
    prepare = ("--prepare",) if corpus == "europarl" else ()
    tuning = [setting.text(corpus, "tune", side) for side in ("source", "target")]
    common = ("--threads", setting.threads, "--seed", setting.seed, *prepare)
    is_tuned = (folder / "test.out").exists()  # weights are written in the course of tuning, too
    if system in STARTS and not is_tuned:
        where = ("--source", tuning[0], "--references", tuning[1], "-o", folder)
        method = ("--method", system, "--iterations", 10, "--freeze", "Unknown*")
        tunesmith("tune", "model", model, *where, *method, *common)
    elif not is_tuned:
        _tune_online(model, name, system, tuning, corpus, setting, common)
    for role in ("tune", "select", "test"):
        output = folder / f"{role}.out"
        if not output.exists():
            weights = folder / ("weights.json" if system in STARTS else "weights")
            files = ("-i", setting.text(corpus, role, "source"), "-o", output)
            tunesmith("decode", model, *files, "--weights", weights, "--threads", setting.threads, *prepare)


def _tune_online(
    model: Path,
    name: str,
    system: str,
    tuning: Sequence[Path],
    corpus: str,
    setting: Setting,
    common: tuple[object, ...],
) -> None:
    source, references = tuning
    folder = setting.folder(name, system)
    jackknife: tuple[object, ...] = ()
    if system == "sparse-jackknife":
        drawn = folder.parent / "drawn"
        if not Path(f"{drawn}.folds").exists():
            tunesmith("corpus", "draw", model, "-n", DRAWN, "--seed", 1, "-o", drawn)
        sides = ("fr", "en") if corpus == "europarl" else ("source", "target")  # the languages, if known
        source, references = (Path(f"{drawn}.{side}") for side in sides)
        jackknife = ("--jackknife", "--fold-file", f"{drawn}.folds", "--keep-fold-tables")
    chosen = TEMPLATES + (OF_PHRASES if name.endswith("phrase") else ())
    templates = () if system == "dense" else ("--templates", ",".join(chosen))
    start = setting.folder(name, setting.start) / "weights.json"
    select = [setting.text(corpus, "select", side) for side in ("source", "target")]
    tunesmith(
        *("tune", "online", model, "--source", source, "--references", references, *jackknife),
        *("--start", start, *templates, *ONLINE[system]),
        *("--select-source", select[0], "--select-references", select[1], *LEARNING, "-o", folder, *common),
    )


def table(setting: Setting) -> str:
    """Return the scores of all systems that have translated the texts."""
    lines = [
        "| model | system | features | BLEU tune | BLEU select | BLEU test | TER test |"
        f" p, against {setting.start} | p, against dense |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, system in itertools.product(MODELS, SYSTEMS):
        folder = setting.folder(name, system)
        if not (folder / "test.out").exists():
            continue
        cells = [name, system, _features(folder, system)]
        for role in ("tune", "select", "test"):
            scores = evaluate(["bleu", "ter"], *_translated(setting, name, system, role), resamples=0)
            shown = scores if role == "test" else scores[:1]
            cells += [f"{100 * score.score:.2f}" for score in shown]
        cells += [_p_value(setting, name, system, other) for other in (setting.start, "dense")]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _translated(setting: Setting, name: str, system: str, role: str) -> tuple[list[str], list[list[str]]]:
    """Return the translations of a text, and its references."""
    output = read_lines(setting.folder(name, system) / f"{role}.out")
    return output, [read_lines(setting.references(name, role))]


def _p_value(setting: Setting, name: str, system: str, other: str) -> str:
    """Return the p-value of the difference of test BLEU to that of another system, if both are there.

    A system none of whose iterations was better than its start is that start, and not compared with it.
    """
    if system in (*STARTS, other) or not (setting.folder(name, other) / "test.out").exists():
        return ""
    if other == setting.start and _is_start(setting.folder(name, system)):
        return "is the start"
    if other == "dense" and _is_start(setting.folder(name, other)):
        return f"as against {setting.start}"
    output, references = _translated(setting, name, system, "test")
    baseline, _ = _translated(setting, name, other, "test")
    rows = compare_systems("bleu", references, {other: [baseline], system: [output]}, resamples=10).rows
    return f"{rows[1].p_randomization:.4f}"


def _features(folder: Path, system: str) -> str:
    """Return the number of features with a weight in the iteration that was selected."""
    if system in STARTS:
        return ""
    best = _selected(folder)
    number = "the start: no iteration was better" if _is_start(folder) else f"iteration {best['iteration']}"
    return f"{best['features']:,} ({number})"


def _selected(folder: Path) -> dict[str, Any]:
    """Return the record of the iteration with the best score of the select text; of equal ones the first."""
    history = [json.loads(line) for line in read_lines(folder / "history.jsonl")]
    return max(history, key=lambda record: float(record["select_score"]))


def _is_start(folder: Path) -> bool:
    """Return whether the selected weights are those that learning began with."""
    return bool(_selected(folder)["iteration"] == 0)


def main() -> None:
    """Run what is not done yet, and write the table of all that is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the corpora")
    parser.add_argument("--out", type=Path, default=Path("runs/sparse-mira"), help="folder of all results")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", choices=STARTS, default="mert", help="start weights of online learning")
    every = [f"{name}/{system}" for name in MODELS for system in SYSTEMS]
    parser.add_argument("--systems", default=",".join(every), help="MODEL/SYSTEM, with commas [all]")
    given = parser.parse_args()
    if unknown := set(given.systems.split(",")) - set(every):
        parser.error(f"no such systems: {', '.join(sorted(unknown))}; there are {', '.join(every)}")
    setting = Setting(given.data, given.out, given.threads, given.seed, given.start)
    for each in given.systems.split(","):
        name, system = each.split("/")
        run(name, system, setting)
    text = table(setting)
    (setting.out / f"table.{given.start}.{given.seed}.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()

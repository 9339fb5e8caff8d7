"""Table 2: MERT, MIRA and PL(1) to PL(10) with the decoder in the loop.

Run `python -m experiments.pl.table2`. Each system has a folder: what `tunesmith tune model` wrote, and a
translation of each set. Systems that are done are not run again, those that were cut off go on, and the table
has all that are there.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from experiments.commands import tunesmith
from experiments.pl.setting import TESTS, TUNING, Setting, arguments, setting_of
from tunesmith.files import read_lines
from tunesmith.metrics import Bleu, SystemScore, compare_systems

PROTOCOL = ("--resample", "always", "--sample", "30", "--ties", "random", "--no-length-search")
"""Options of PL; with those of MIRA below, the defaults when the protocol was fixed."""
SYSTEMS: Mapping[str, tuple[str, ...]] = {
    "mert": ("--method", "mert"),
    "mira": ("--method", "mira", "--no-standardize"),
    **{f"pl{k}": ("--method", "pl", "--k", str(k), *PROTOCOL) for k in range(1, 11)},
}
"""The systems and the options of the tuning loop that make them; others are compared with the first."""

LEVEL = 0.05
TEMPLATE = ("--template", "length-groups")


def run(name: str, setting: Setting, model: Path, seed: int, iterations: int) -> None:
    """Tune a system and translate all sets with it, as far as that is not done."""
    folder = setting.out / f"table2-seed{seed}" / name
    seconds = folder / "seconds.json"
    if not seconds.exists():
        begin = time.monotonic()
        tunesmith(
            *("tune", "model", model, "--source", setting.text(TUNING, "de")),
            *("--references", setting.text(TUNING, "en"), *SYSTEMS[name], *TEMPLATE, "--metric", "bleu"),
            *("--iterations", iterations, "--nbest", 200, "--threads", setting.threads, "--seed", seed),
            *("-o", folder),
        )
        seconds.write_text(json.dumps({"of the last command": round(time.monotonic() - begin, 1)}) + "\n")
        for lists in (folder / "rounds").glob("*.pool"):  # gigabytes; a run that ended is done
            lists.unlink()
    for part in (TUNING, *TESTS):
        output = folder / f"{part}.out"
        if not output.exists():
            weights = ("--weights", folder / "weights.json", *TEMPLATE, "--threads", setting.threads)
            tunesmith("decode", model, "-i", setting.text(part, "de"), "-o", output, *weights, "--quiet")


def scores(
    systems: Mapping[str, Sequence[str]], references: Sequence[str], threads: int
) -> dict[str, SystemScore]:
    """Return BLEU of systems on a set, and how each compares with the first one."""
    outputs = {name: [texts] for name, texts in systems.items()}
    compared = compare_systems([Bleu()], [references], outputs, threads=threads)
    return {row.system: row for row in compared.rows}


def cell(row: SystemScore) -> str:
    """Return a score, with + or - if it is better or worse than the baseline's beyond chance."""
    text = f"{100 * row.mean:.2f}"
    if row.p_randomization is None or row.p_randomization >= LEVEL or row.difference is None:
        return text
    return text + ("+" if row.difference > 0 else "-")


def table(columns: Mapping[str, Mapping[str, SystemScore]]) -> str:
    """Return the table in Markdown; `columns[set][system]`."""
    lines = ["| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for name in next(iter(columns.values())):
        cells = (cell(column[name]) for column in columns.values())
        lines.append(f"| {label(name)} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def about(folder: Path, systems: Sequence[str], references: Mapping[str, Sequence[str]]) -> str:
    """Return the decoder runs of systems, and the length of their output for each word of the reference."""
    lines = [f"| | runs | {' | '.join(references)} |", "|---" * (len(references) + 2) + "|"]
    for name in systems:
        history = [json.loads(line) for line in read_lines(folder / name / "history.jsonl")]
        ratios = [
            f"{words(read_lines(folder / name / f'{part}.out')) / words(texts):.3f}"
            for part, texts in references.items()
        ]
        runs = sum("loss" in record for record in history)  # the last one only scores the result
        lines.append(f"| {label(name)} | {runs} | {' | '.join(ratios)} |")
    return "\n".join(lines) + "\n"


def words(texts: Sequence[str]) -> int:
    """Return the number of words."""
    return sum(len(text.split()) for text in texts)


def label(name: str) -> str:
    """Return what a table calls a system."""
    return f"PL({name[2:]})" if name.startswith("pl") else name.upper()


def main() -> None:
    """Run what is not done yet, and write the tables of all that is."""
    parser = arguments(__doc__)
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="names, with commas [all]")
    parser.add_argument("--iterations", type=int, default=40, help="decoder runs at most")
    given = parser.parse_args()
    chosen = given.systems.split(",")
    if unknown := set(chosen) - set(SYSTEMS):
        parser.error(f"no such systems: {', '.join(sorted(unknown))}; there are {', '.join(SYSTEMS)}")
    setting = setting_of(given)
    model = setting.model()
    for name in chosen:
        run(name, setting, model, given.seed, given.iterations)
    folder = setting.out / f"table2-seed{given.seed}"
    done = [name for name in SYSTEMS if (folder / name / f"{TESTS[-1]}.out").exists()]
    if "mert" not in done:
        parser.exit(message="no table: the system that others are compared with, mert, is not there yet\n")
    references = {part: setting.lines(part, "en") for part in (TUNING, *TESTS)}
    columns = {
        part: scores(
            {name: read_lines(folder / name / f"{part}.out") for name in done}, texts, setting.threads
        )
        for part, texts in references.items()
    }
    tables = f"{table(columns)}\n{about(folder, done, references)}"
    (folder / "tables.md").write_text(tables, encoding="utf-8")
    print(tables)


if __name__ == "__main__":
    main()

"""Tuning with several seeds, the translations of each, and what a table says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from experiments.commands import tunesmith
from experiments.texts import RoleTexts
from tunesmith.files import read_lines
from tunesmith.metrics import evaluate
from tunesmith.metrics.comparison import compare_systems

__all__ = [
    "ROLES",
    "length_ratio",
    "mean_bleu",
    "p_value",
    "translate",
    "translations",
    "tune_and_translate",
]

ROLES = ("tune", "select", "test")


def tune_and_translate(
    texts: RoleTexts,
    corpus: str,
    model: Path,
    outs: Mapping[int, Path],
    threads: int,
    options: Sequence[object],
    roles: Sequence[str] = ROLES,
) -> None:
    """Tune a model with each seed in its folder, and translate the texts of roles there.

    `options` are those of tuning besides texts, threads and seed.
    """
    prepare = texts.prepare_options(corpus)
    source, target = (texts.text(corpus, "tune", side) for side in ("source", "target"))
    for seed, out in outs.items():
        where = ("--source", source, "--references", target, "-o", out, "--seed", seed)
        tunesmith("tune", "model", model, *where, *options, "--threads", threads, *prepare)
        translate(texts, corpus, model, out, threads, out / "weights.json", roles)


def translate(
    texts: RoleTexts,
    corpus: str,
    model: Path,
    out: Path,
    threads: int,
    weights: Path,
    roles: Sequence[str] = ROLES,
) -> None:
    """Translate the texts of roles with some weights to a folder."""
    out.mkdir(parents=True, exist_ok=True)
    for role in roles:
        files = ("-i", texts.text(corpus, role, "source"), "-o", out / f"{role}.out")
        more = ("--weights", weights, "--threads", threads, *texts.prepare_options(corpus))
        tunesmith("decode", model, *files, *more)


def translations(system: Path, replicas: str, role: str) -> list[list[str]]:
    """Return the translations of a role by each replica, whose folders match a pattern."""
    return [read_lines(path) for path in sorted(system.glob(f"{replicas}/{role}.out"))]


def mean_bleu(replicas: Sequence[Sequence[str]], references: Path) -> str:
    """Return the mean over replicas."""
    read = [read_lines(references)]
    scores = [evaluate(["bleu"], list(replica), read, resamples=0)[0].score for replica in replicas]
    return f"{100 * sum(scores) / len(scores):.2f}"


def length_ratio(replicas: Sequence[Sequence[str]], references: Path) -> float:
    """Return the words of translations per word of the references."""
    words = sum(len(line.split()) for lines in replicas for line in lines)
    return words / (len(replicas) * sum(len(line.split()) for line in read_lines(references)))


def p_value(baseline: list[list[str]], system: list[list[str]], references: Path) -> str:
    """Return the p-value of the difference to a baseline, over as many replicas as both have."""
    count = min(len(baseline), len(system))
    if count == 0:
        return ""
    systems = {"baseline": baseline[:count], "system": system[:count]}
    found = compare_systems("bleu", [read_lines(references)], systems, resamples=10)
    return f"{found.rows[1].p_randomization:.4f}"

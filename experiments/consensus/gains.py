"""When consensus decoding gains: trials on select text, the best and the first of them also on test text.

Run `python -m experiments.consensus.gains` after `python -m experiments.defaults.tables` has made the models
(--choose for all pairs but Europarl). Questions and trials are those of README.md. Lists and choices are kept
in a folder per system and text; what is done is not run again. Systems without models are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.commands import DATA
from experiments.consensus.systems import Gain, System, Trial
from experiments.defaults.tables import PAIRS

LEVEL = 0.05


@dataclass(frozen=True)
class Question:
    """Trials, and the baselines: that which is best on the select text is used."""

    title: str
    trials: tuple[Trial, ...]
    baselines: tuple[Trial, ...] = (Trial(),)
    metric: str = "bleu"


BLEU = Trial("mbr")
UTILITIES = {
    "chrf": Trial("mbr", {"metric": "chrf", "aggregate": True}),
    "ter": Trial("mbr", {"metric": "ter", "evidence": 20}),
}
RISK = tuple(Trial(rule, {"scale": 1.0}, ("risk",)) for rule in ("mbr", "fast"))
LONGER = tuple(Trial(longer=reward) for reward in (0.2, 0.4, 0.6, -0.2, -0.4))
QUESTIONS = (
    Question(
        "1. Tuned weights",
        tuple(
            Trial(rule, {} if scale is None else {"scale": scale})
            for rule in ("mbr", "fast")
            for scale in (None, 0.5, 2.0)
        ),
    ),
    Question(
        "2. Untuned weights",
        tuple(Trial(rule, lists=("start",)) for rule in ("mbr", "fast")),
        (Trial(lists=("start",)),),
    ),
    Question("3a. Weights of `risk`, against their own Viterbi", RISK, (Trial(lists=("risk",)),)),
    Question("3b. Weights of `risk`, against Viterbi of `mira`", RISK),
    *(
        Question(f"4. Utility {metric}, judged by {metric}", (trial, BLEU), metric=metric)
        for metric, trial in UTILITIES.items()
    ),
    *(Question(f"4. Utility {metric}, judged by bleu", (trial,)) for metric, trial in UTILITIES.items()),
    Question(
        "5a. Lists of several weights of a model",
        (Trial("mbr", lists=("mira", "risk", "start")),),
        tuple(Trial(lists=(name,)) for name in ("mira", "risk", "start")),
    ),
    Question(
        "5b. Lists of two models",
        (Trial("mbr", lists=("mira", "other")), Trial("mbr", references="other")),
        tuple(Trial(lists=(name,)) for name in ("mira", "other")),
    ),
    Question(
        "5c. Lists of two models, against `mbr` over the lists of one",
        (Trial("mbr", lists=("mira", "other")), Trial("mbr", references="other")),
        tuple(Trial("mbr", lists=(name,)) for name in ("mira", "other")),
    ),
    Question("6a. Length: Viterbi with another word penalty", LONGER),
    Question("6b. Length: consensus, against Viterbi with another word penalty", (BLEU,), (Trial(), *LONGER)),
    *(
        Question(f"6c. Length: utility {metric}, judged by {metric}", (trial,), (Trial(), *LONGER), metric)
        for metric, trial in UTILITIES.items()
    ),
    Question("7. Over forests", (Trial("fast", forests=True),)),
    Question("8. Sharper by default", (BLEU, *(Trial("mbr", {"share": share}) for share in (0.7, 0.5)))),
)


@dataclass(frozen=True)
class Answer:
    """The gains of a system: of all trials on select text; of the best and of the first on test text."""

    system: str
    baseline: Trial
    select: tuple[Gain, ...]
    best: Trial
    test: tuple[Gain, Gain]


def answer(question: Question, system: System) -> Answer:
    """Try all on select text, and two trials on test text."""
    trials, metric, start = question.trials, question.metric, question.baselines[0]
    baseline = max(question.baselines, key=lambda one: system.gain(metric, "select", start, one).gain)
    select = tuple(system.gain(metric, "select", baseline, trial) for trial in trials)
    best = trials[max(range(len(trials)), key=lambda place: select[place].gain)]
    chosen, first = (system.gain(metric, "test", baseline, trial) for trial in (best, trials[0]))
    return Answer(system.name, baseline, select, best, (chosen, first))


def table(question: Question, answers: Sequence[Answer]) -> Iterator[str]:
    """Yield the gains of a question in Markdown."""
    tried = [f"gain of {trial.name}" for trial in question.trials]
    ends = ("best on select", "baseline on test", "gain of the best", tried[0])
    yield from header("system", "baseline", "on select", *tried, *ends)
    for one in answers:
        before, after = (f"{gains[0].baseline:.2f}" for gains in (one.select, one.test))
        yield row(one.system, one.baseline.name, before, *one.select, one.best.name, after, *one.test)
    select = [mean(column) for column in zip(*(one.select for one in answers), strict=True)]
    test = [mean(column) for column in zip(*(one.test for one in answers), strict=True)]
    yield row("mean", "", "", *select, "", "", *test)


def summary(answers: dict[str, list[Answer]]) -> Iterator[str]:
    """Yield the mean gain of each question, and how many systems gain or lose significantly.

    The last column has Bonferroni's correction for all comparisons on test text.
    """
    count = sum(len(set(one.test)) for own in answers.values() for one in own)
    parts = [f"first trial, {role}" for role in ("select", "test")] + ["best on select, test"]
    yield from header("question", *parts, f"first trial, test, p < {LEVEL}/{count}")
    for title, own in answers.items():
        columns = [[one.select[0] for one in own], [one.test[1] for one in own], [one.test[0] for one in own]]
        shown = [f"{mean(column)}, {ups_and_downs(column, LEVEL)}" for column in columns]
        yield row(title, *shown, ups_and_downs(columns[1], LEVEL / count))


def mean(gains: Sequence[Gain]) -> str:
    """Return the mean gain over systems."""
    return f"{sum(one.gain for one in gains) / len(gains):+.2f}"


def ups_and_downs(gains: Sequence[Gain], level: float) -> str:
    """Count significant gains and losses."""
    signs = [one.gain > 0 for one in gains if one.p < level]
    return f"{signs.count(True)} up, {signs.count(False)} down of {len(gains)}"


def header(*cells: object) -> tuple[str, str]:
    """Return the first lines of a table."""
    return row(*cells), f"|{'---|' * len(cells)}"


def row(*cells: object) -> str:
    """Return a line of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Print the tables of all systems that have models, and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the corpora")
    parser.add_argument("--models", type=Path, default=Path("runs/defaults"), help="of experiments.defaults")
    parser.add_argument("--out", type=Path, default=Path("runs/consensus"), help="folder of all results")
    parser.add_argument("--pairs", default=",".join(PAIRS), help="names, with commas [all]")
    parser.add_argument("--questions", default="12345678", help="their numbers [all]")
    given = parser.parse_args()
    named = (System(name, given.data, given.models, given.out) for name in given.pairs.split(","))
    systems = [system for system in named if system.is_ready]
    if not systems:
        parser.error(f"no models of {given.pairs} in {given.models}: run experiments.defaults.tables first")
    answers: dict[str, list[Answer]] = {}
    lines: list[str] = []
    for question in (one for one in QUESTIONS if one.title[0] in given.questions):
        answers[question.title] = [answer(question, system) for system in systems]
        lines += [f"### {question.title}", "", *table(question, answers[question.title]), ""]
    text = "\n".join([*lines, *summary(answers)]) + "\n"
    (given.out / "table.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()

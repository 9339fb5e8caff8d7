"""A system on which consensus decoding is tried: its texts, models, lists, and choices from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

from experiments.commands import tunesmith
from experiments.defaults.tables import PAIRS, Setting
from experiments.prepared import prepared
from experiments.texts import RoleTexts
from tunesmith.candidates import Pool, rerank
from tunesmith.candidates.rerank import score_candidates
from tunesmith.consensus import MbrConsensus, consensus_rule, sharpness
from tunesmith.files import read_lines
from tunesmith.metrics import compare_systems
from tunesmith.types import FloatArray
from tunesmith.weights import Weights

__all__ = ["Gain", "System", "Trial"]

SIZE = 100
"""Candidates per list."""
LOG_PROBABILITY = "logprob"
SHOWN = ("scale", "metric", "share")
"""Options that distinguish trials."""


@dataclass(frozen=True)
class Trial:
    """A rule with its options, and the lists it chooses from, joined if there are several.

    The option `share` is the constant of the default scale, `LIST_SHARE`.

    Without a rule, Viterbi translations, with `longer` times the weight of the language model as a reward per
    word. `references` are lists to compare candidates with.
    """

    rule: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    lists: tuple[str, ...] = ("mira",)
    references: str = ""
    longer: float = 0.0
    forests: bool = False
    """Choose from forests instead of lists."""

    @property
    def name(self) -> str:
        """What differs from the defaults, in words."""
        words = [f"{key} {value}" for key, value in self.options.items() if key in SHOWN]
        other = f" against {self.references}" if self.references else ""
        other += " over forests" if self.forests else ""
        other += f" longer {self.longer}" if self.longer else ""
        return " ".join([self.rule or "Viterbi", *words, "of", "+".join(self.lists)]) + other


class Gain(NamedTuple):
    """The score of a baseline, the gain over it, positive if better, and its p-value."""

    baseline: float
    gain: float
    p: float

    def __str__(self) -> str:
        return f"{self.gain:+.2f} (p {self.p:.4f})"


@dataclass(frozen=True)
class System:
    """A language pair: its texts, models and weights, its lists, and what is chosen from them."""

    name: str
    data: Path
    models: Path
    out: Path

    @property
    def runs(self) -> Path:
        """The folder of its phrase models and tuned weights."""
        return self.models / ("" if PAIRS[self.name].raw else "choose") / self.name / "phrase"

    @property
    def is_ready(self) -> bool:
        """Whether both models are trained and tuned."""
        judged = "test" if PAIRS[self.name].raw else "select"
        runs = (self.weights(lists)[1].parent for lists in ("mira", "other"))
        return all((run / f"{judged}.out").exists() for run in runs)

    def text(self, role: str, side: str) -> Path:
        """Return the text of a role: tune, select or test."""
        if PAIRS[self.name].raw:
            return RoleTexts(self.data, self.out).text(self.name, role, side)
        setting = Setting(self.data, self.out, threads=1, seeds=1, choose=True)
        return setting.text(self.name, "dev" if role == "tune" else role, side)

    def references(self, role: str) -> Path:
        """Return the target side, tokenized and cased as the model's if it is raw."""
        text = self.text(role, "target")
        return prepared(text, PAIRS[self.name].raw, lambda: self.runs / "model")

    def weights(self, lists: str) -> tuple[Path, Path]:
        """Return the model and the weights that lists are decoded with."""
        model, mira = self.runs / "model", self.runs / "default" / "1" / "weights.json"
        if lists == "other":
            aligner, run = ("diagonal", "diagonal-mira") if PAIRS[self.name].raw else ("ibm4", "ibm4")
            return self.runs / f"model-aligner-{aligner}", self.runs / run / "1" / "weights.json"
        risk = self.out / self.name / "risk.json"
        if lists == "risk" and not risk.exists():
            texts = ("--candidates", self.decoded("mira", "tune"), "--references", self.references("tune"))
            fixed = ("--start", mira, "--freeze", "UnknownWordPenalty0", "--threads", 1)
            tunesmith("tune", "nbest", *texts, "--method", "risk", *fixed, "-o", risk)
        return model, {"mira": mira, "start": model / "weights.start.json", "risk": risk}[lists]

    def decoded(self, lists: str, role: str) -> Path:
        """Return the file of the 100 best translations of a text."""
        path = self.out / self.name / role / f"{lists}.nbest.gz"
        if not path.exists():
            best = ("--nbest", SIZE, "--nbest-output", path, "--unique")
            self.decode(lists, role, path.with_name(f"{lists}.best"), *best)
        return path

    def decode(self, lists: str, role: str, output: Path, *options: object) -> None:
        """Translate a text with the model and the weights of lists."""
        model, weights = self.weights(lists)
        output.parent.mkdir(parents=True, exist_ok=True)
        prepare = ("--prepare",) if PAIRS[self.name].raw else ()
        files = ("--weights", weights, "-i", self.text(role, "source"), "-o", output)
        tunesmith("decode", model, *files, *options, *prepare, "--threads", 1)

    @lru_cache(maxsize=4)  # noqa: B019 - few systems, and all live as long as the program
    def pool(self, role: str, lists: tuple[str, ...]) -> tuple[Pool, Mapping[str, float]]:
        """Return lists and the weights that rank them; several are joined."""
        if len(lists) == 1:
            return Pool.read(self.decoded(*lists, role)), Weights.read(self.weights(*lists)[1])
        return joined([self.pool(role, (one,)) for one in lists]), {LOG_PROBABILITY: 1.0}

    def choices(self, trial: Trial, role: str) -> list[str]:
        """Return the translations of a trial."""
        path = self.out / self.name / role / f"{trial.name.replace(' ', '-')}.out"
        if trial.forests and not path.exists():
            self.decode(trial.lists[0], role, path, "--consensus", "--consensus-rule", trial.rule)
        elif not path.exists():
            pool, weights = self.pool(role, trial.lists)
            if trial.references:
                others, _ = self.pool(role, (trial.references,))
                rule = MbrConsensus(size=SIZE, **trial.options)
                texts = rule.over_pool(pool, weights, references=others, threads=1).texts
            elif trial.rule:
                scale = {"scale": 1.0} if len(trial.lists) > 1 else {}
                options = {"size": SIZE, **scale, **trial.options}
                share = options.pop("share", sharpness.LIST_SHARE)
                with mock.patch.object(sharpness, "LIST_SHARE", share):
                    texts = consensus_rule(trial.rule, **options).over_pool(pool, weights, threads=1).texts
            else:
                reward = trial.longer * weights["LM0"] if trial.longer else 0.0
                penalty = {"WordPenalty0": weights["WordPenalty0"] - reward} if reward else {}
                texts = rerank(pool, {**weights, **penalty}, threads=1).texts
            path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        return read_lines(path)

    def gain(self, metric: str, role: str, baseline: Trial, trial: Trial) -> Gain:
        """Compare a trial with a baseline."""
        systems = {"baseline": [self.choices(baseline, role)], "trial": [self.choices(trial, role)]}
        references = [read_lines(self.references(role))]
        found = compare_systems(metric, references, systems, resamples=10, threads=1)
        usual, row = found.rows
        (unit,), (is_gain,) = found.units.values(), found.higher_is_better.values()
        assert row.difference is not None and row.p_randomization is not None
        return Gain(unit * usual.mean, unit * row.difference * (1 if is_gain else -1), row.p_randomization)


def joined(systems: Sequence[tuple[Pool, Mapping[str, float]]]) -> Pool:
    """Return all candidates of lists of the same sentences, their log probabilities as the only feature.

    Each system has the same share, and its own distribution at the default scale of lists.
    """
    scored = [(pool, log_probabilities(pool, weights)) for pool, weights in systems]
    rows: list[FloatArray] = []
    texts: list[str] = []
    offsets = [0]
    for sentence in range(len(scored[0][0])):
        for pool, values in scored:
            begin, end = pool.offsets[sentence : sentence + 2].tolist()
            assert pool.texts is not None
            texts += list(pool.texts.take(np.arange(begin, end)))
            rows.append(values[begin:end])
        offsets.append(len(texts))
    column = np.concatenate(rows)[:, None]
    return Pool.from_arrays(column, offsets=offsets, names=[LOG_PROBABILITY], texts=texts)


def log_probabilities(pool: Pool, weights: Mapping[str, float]) -> FloatArray:
    """Return the log probability of each candidate of lists without duplicates, at the default scale."""
    scores = score_candidates(pool, weights, threads=1)
    found = []
    for begin, end in pairwise(pool.offsets.tolist()):
        own = scores[begin:end] - scores[begin:end].max()
        scaled = own * sharpness.sharp_list_scale(own, np.arange(end - begin))
        found.append(scaled - np.log(np.exp(scaled).sum()))
    return np.concatenate(found)

"""A translation model: train it on generated text, tune its weights, and test them on held-out text."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tunesmith.corpus.split import split_files
from tunesmith.decode import DecodeOutputs
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike, read_lines
from tunesmith.folders import has_content, make_folder
from tunesmith.generated import LABEL, write_corpus
from tunesmith.metrics import Metric, compare_systems
from tunesmith.metrics.comparison import SystemScore
from tunesmith.model.training import train
from tunesmith.passes.decode_file import decode_file
from tunesmith.passes.decoding import Decoding
from tunesmith.tuning import LoopResult, tune_model

__all__ = ["ModelDemo", "ModelOutcome", "model_demo_folder", "run_model_demo"]

FEWEST_PAIRS = 100
ITERATIONS = 6
FROZEN = "UnknownWordPenalty0"
"""All candidates of a sentence have nearly the same unknown words: their weight cannot be learned."""


@dataclass(frozen=True)
class ModelDemo:
    """The sizes of the demo: `pairs` to train on, a 15th of them for tuning, and a 10th for the test."""

    pairs: int = 3000
    seed: int = 1

    def __post_init__(self) -> None:
        if self.pairs < FEWEST_PAIRS:
            wrong = {"least": FEWEST_PAIRS, "found": self.pairs}
            raise OptionError("demo: {} must be at least {least}, not {found}", "pairs", **wrong)

    @property
    def dev(self) -> int:
        """Number of sentences to tune on."""
        return self.pairs // 15

    @property
    def test(self) -> int:
        """Number of held-out sentences."""
        return self.pairs // 10

    def commands(self, metric: str) -> list[str]:
        """Return the commands that make the same files with the same contents."""
        measure = shlex.quote(metric)
        everything = self.pairs + self.dev + self.test
        return [
            f"tunesmith corpus generated -n {everything} --seed {self.seed} --lowercase -o all",
            "tunesmith corpus split --source all.de --target all.en"
            f" --dev {self.dev} --test {self.test} --seed {self.seed} -o part",
            "tunesmith train --source part.train.de --target part.train.en --kind phrase -o model",
            "tunesmith decode model --input part.test.de --output untuned.out",
            "tunesmith tune model model --source part.dev.de --references part.dev.en --method mira"
            f" --metric {measure} --iterations {ITERATIONS} --seed {self.seed} --freeze {FROZEN} -o tuned",
            "tunesmith decode model --weights tuned/weights.json --input part.test.de --output tuned.out",
            f"tunesmith compare --references part.test.en --metrics {measure} untuned.out tuned.out",
        ]


@dataclass(frozen=True)
class ModelOutcome:
    """Scores before and after tuning; those of the held-out text with a test of significance."""

    tuning: LoopResult
    untuned: SystemScore
    tuned: SystemScore


def model_demo_folder(folder: PathLike) -> Path:
    """Make a folder for the files; one that has files, but none of an earlier demo, is an InputError."""
    home = make_folder(folder)
    label = home / "all.README"
    if has_content(home) and not (label.is_file() and LABEL in label.read_text(errors="replace")):
        raise InputError("has files that are not of a demo; name a new or an empty folder", path=home)
    return home


def run_model_demo(
    demo: ModelDemo,
    folder: PathLike,
    metric: Metric,
    *,
    threads: int | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> ModelOutcome:
    """Do what the commands do, in a folder that is made if it is missing."""
    home = model_demo_folder(folder)
    progress(f"generating {demo.pairs + demo.dev + demo.test} sentence pairs")
    files = write_corpus(home / "all", demo.pairs + demo.dev + demo.test, seed=demo.seed, lowercase=True)
    split_files(files.source, files.targets[0], home / "part", dev=demo.dev, test=demo.test, seed=demo.seed)
    part = {name: str(home / f"part.{name}") for name in ("train", "dev", "test")}
    model = home / "model"
    train(f"{part['train']}.de", f"{part['train']}.en", model, threads=threads, progress=progress)
    progress(f"translating {demo.test} held-out sentences with the start weights")
    decode_file(model, f"{part['test']}.de", DecodeOutputs(home / "untuned.out"), Decoding(threads=threads))
    tuning = tune_model(
        model,
        f"{part['dev']}.de",
        f"{part['dev']}.en",
        "mira",
        metric,
        output=home / "tuned",
        iterations=ITERATIONS,
        seed=demo.seed,
        frozen=[FROZEN],
        restart=True,
        threads=threads,
        progress=progress,
    )
    progress(f"translating {demo.test} held-out sentences with the tuned weights")
    tuned = Decoding(weights=home / "tuned" / "weights.json", threads=threads)
    decode_file(model, f"{part['test']}.de", DecodeOutputs(home / "tuned.out"), tuned)
    outputs = {name: [read_lines(home / f"{name}.out")] for name in ("untuned", "tuned")}
    compared = compare_systems([metric], [read_lines(f"{part['test']}.en")], outputs, threads=threads)
    return ModelOutcome(tuning, *compared.rows)

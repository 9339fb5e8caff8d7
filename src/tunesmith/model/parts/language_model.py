"""The steps that estimate language models: of words, of bilingual tokens, and of word classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tunesmith.corpus import Sentences, Vocabulary
from tunesmith.corpus.blocks import read_blocks, write_block
from tunesmith.corpus.side import Side
from tunesmith.corpus.truecase import Truecaser
from tunesmith.extract.bilingual import bilingual_tokens
from tunesmith.extract.classes import WordClasses
from tunesmith.files import PathLike, open_write
from tunesmith.lm.estimate import estimate
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts.names import (
    ALIGNED,
    BILINGUAL_LM,
    LM,
    TARGET,
    TRUECASERS,
    class_lm,
    read_aligned,
    target_classes,
)
from tunesmith.model.steps import BuildStep, Progress, Workshop

__all__ = [
    "LM_STEP",
    "Estimation",
    "estimate_bilingual_lm",
    "estimate_class_lms",
    "estimate_lm",
    "in_classes",
    "prepare_more",
    "write_lm",
]


LM_STEP = "language model"


def estimate_lm(options: TrainingOptions) -> list[BuildStep]:
    """Return the step for the target side, plus more target text if given, unless only given models count."""
    if not options.text_lm:
        return []

    def run(shop: Workshop) -> None:
        more = [_prepared(path, number, options, shop) for number, path in enumerate(options.lm_text)]
        text = [shop[TARGET], *more]
        write_lm(text, shop[LM], _shared(options, shop), order=options.lm_order, prune=options.lm_prune)

    wanted: dict[str, object] = {
        "order": options.lm_order,
        "prune": list(options.lm_prune),
        "skip_marks": options.skip_marks,
    }
    inputs = {f"text {number}": path for number, path in enumerate(options.lm_text)}
    needs: tuple[str, ...] = (TARGET,)
    if options.lm_text:
        wanted |= {"tokenize": options.tokenize, "case": options.case, "language": options.target_language}
        wanted |= options.preparation.segmentation("target") | options.preparation.recorded_characters
        needs += TRUECASERS[1:] if options.case == "true" else ()
    return [BuildStep(LM_STEP, (LM,), run, inputs=inputs, needs=needs, options=wanted)]


def estimate_bilingual_lm(options: TrainingOptions) -> list[BuildStep]:
    """Return the step for bilingual tokens (a target word and its source words), if requested."""
    if not options.bilingual_lm_order:
        return []

    def run(shop: Workshop) -> None:
        tokens = Sentences.of(bilingual_tokens(*read_aligned(shop)))
        write_lm(tokens, shop[BILINGUAL_LM], _shared(options, shop), order=options.bilingual_lm_order)

    wanted = {"order": options.bilingual_lm_order}
    return [BuildStep("bilingual language model", (BILINGUAL_LM,), run, needs=ALIGNED, options=wanted)]


def estimate_class_lms(options: TrainingOptions) -> list[BuildStep]:
    """Return one step per number of target classes, if class models are requested."""
    if not options.class_lm_order:
        return []
    return [_class_lm(count, options) for count in options.classes]


def _class_lm(count: int, options: TrainingOptions) -> BuildStep:
    classes, output = target_classes(count), class_lm(count)

    def run(shop: Workshop) -> None:
        text = in_classes(Sentences.read(shop[TARGET]), WordClasses.read(shop[classes]))
        write_lm(text, shop[output], _shared(options, shop), order=options.class_lm_order)

    wanted = {"order": options.class_lm_order}
    return BuildStep(f"{count} class language model", (output,), run, needs=(TARGET, classes), options=wanted)


def in_classes(text: Sentences, classes: WordClasses) -> Sentences:
    """Return the text with the number of its class in place of each word."""
    numbers = np.array([classes[word] for word in text.vocabulary.words()], dtype=np.int32)
    names = Vocabulary(str(number) for number in range(classes.n_classes))
    return Sentences(numbers[text.words], text.offsets, names)


def prepare_more(path: Path, output: Path, side: Side, threads: int | None) -> Path:
    """Tokenize and case more text like the target side; return the path of the result."""
    with open_write(output) as stream:
        for block in read_blocks(path):
            write_block(stream, side.prepare(block, threads))
    return output


def _prepared(path: Path, number: int, options: TrainingOptions, shop: Workshop) -> Path:
    truecaser = Truecaser.load(shop[TRUECASERS[1]]) if options.case == "true" else None
    side = replace(options.preparation.sides[1], truecaser=truecaser)
    return prepare_more(path, shop.scratch / f"text.{number}", side, options.threads)


@dataclass(frozen=True)
class Estimation:
    """What all language models of a model are estimated with."""

    skip_marks: bool
    memory: str
    temporary: Path
    threads: int | None
    progress: Progress


def _shared(options: TrainingOptions, shop: Workshop) -> Estimation:
    temporary = options.temporary or shop.scratch
    return Estimation(options.skip_marks, options.memory, temporary, options.threads, shop.progress)


def write_lm(
    text: Sequence[PathLike] | Sentences,
    path: Path,
    shared: Estimation,
    *,
    order: int,
    prune: Sequence[int] = (),
) -> None:
    """Estimate a language model and write its binary form."""
    estimate(
        text,
        order=order,
        prune=prune,
        skip_marks=shared.skip_marks,
        discount_fallback=True,  # for small texts; used only if discounts cannot be estimated
        memory=shared.memory,
        temporary=shared.temporary,
        threads=shared.threads,
        progress=shared.progress,
    ).write_binary(path)

"""The steps that estimate language models: of words, and of bilingual tokens."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tunesmith.corpus import Sentences
from tunesmith.extract.bilingual import bilingual_tokens
from tunesmith.files import PathLike
from tunesmith.lm.estimate import estimate
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts.names import ALIGNED, BILINGUAL_LM, LM, TARGET, read_aligned
from tunesmith.model.steps import Step, Workshop

__all__ = ["LM_STEP", "estimate_bilingual_lm", "estimate_lm"]


LM_STEP = "language model"


def estimate_lm(options: TrainingOptions) -> Step:
    """Return the step for the target side, with more target text where some was given."""

    def run(shop: Workshop) -> None:
        text = [shop[TARGET], *options.lm_text]
        _estimate(text, shop[LM], options, shop, order=options.lm_order, prune=options.lm_prune)

    wanted = {"order": options.lm_order, "prune": list(options.lm_prune)}
    more = {f"text {number}": path for number, path in enumerate(options.lm_text)}
    return Step(LM_STEP, (LM,), run, inputs=more, needs=(TARGET,), options=wanted)


def estimate_bilingual_lm(options: TrainingOptions) -> list[Step]:
    """Return the step for tokens of a target word and its source words, if it was asked for."""
    if not options.bilingual_lm_order:
        return []

    def run(shop: Workshop) -> None:
        tokens = Sentences.of(bilingual_tokens(*read_aligned(shop)))
        _estimate(tokens, shop[BILINGUAL_LM], options, shop, order=options.bilingual_lm_order)

    wanted = {"order": options.bilingual_lm_order}
    return [Step("bilingual language model", (BILINGUAL_LM,), run, needs=ALIGNED, options=wanted)]


def _estimate(
    text: Sequence[PathLike] | Sentences,
    path: Path,
    options: TrainingOptions,
    shop: Workshop,
    *,
    order: int,
    prune: Sequence[int] = (),
) -> None:
    estimate(
        text,
        order=order,
        prune=prune,
        discount_fallback=True,  # of use where the text is small; counts that allow an estimate get one
        memory=options.memory,
        temporary=options.temporary or shop.scratch,
        threads=options.threads,
        progress=shop.progress,
    ).write_binary(path)

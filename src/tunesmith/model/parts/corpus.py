"""The step that prepares the text, and cuts it into folds where counts by fold are wanted."""

from __future__ import annotations

from typing import Any

from tunesmith.corpus import Alignments
from tunesmith.corpus.folds import folds_of_file, write_folds
from tunesmith.corpus.prepare import Prepared, PrepareOptions, prepare
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts.names import ALIGNMENT, FOLDS, SOURCE, TARGET
from tunesmith.model.steps import Step, Workshop

__all__ = ["prepare_corpus"]


def prepare_corpus(options: TrainingOptions) -> Step:
    """Return the step; an alignment that was given is filtered as the text is."""
    wanted: dict[str, Any] = {
        "source_language": options.source_language,
        "target_language": options.target_language,
        "tokenize": options.tokenize,
        "case": options.case,
        "max_length": options.max_length,
        "ratio": options.ratio,
        "deduplicate": "pair" if options.deduplicate else "no",
    }
    inputs = {"source": options.source, "target": options.target}
    outputs = [SOURCE, TARGET]
    if options.alignment is not None:
        inputs["alignment"] = options.alignment
        outputs.append(ALIGNMENT)
    if options.documents is not None:
        inputs["documents"] = options.documents
    if options.folds:
        outputs.append(FOLDS)
    if options.case == "true":
        outputs += ["truecaser.source.txt", "truecaser.target.txt"]

    def run(shop: Workshop) -> None:
        prepared = prepare(
            options.source,
            options.target,
            shop.scratch / "text",
            PrepareOptions(**wanted),
            documents=options.documents,
            threads=options.threads,
            progress=shop.progress,
        )
        _place(prepared, options, shop)

    return Step("corpus", tuple(outputs), run, inputs=inputs, options=wanted | {"folds": options.folds})


def _place(prepared: Prepared, options: TrainingOptions, shop: Workshop) -> None:
    """Bring what was prepared to its place, the alignment and folds of the same rows with it."""
    if options.alignment is not None:
        Alignments.read(options.alignment).take(prepared.rows).write(shop[ALIGNMENT])
    if options.folds:
        write_folds(shop[FOLDS], folds_of_file(prepared.target, prepared.documents, folds=options.folds))
    for truecaser, side in zip(prepared.truecasers or (), ("source", "target"), strict=False):
        truecaser.save(shop[f"truecaser.{side}.txt"])
    prepared.source.replace(shop[SOURCE])
    prepared.target.replace(shop[TARGET])

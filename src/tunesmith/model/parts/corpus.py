"""The step that prepares the text, and splits it into folds if counts by fold are requested."""

from __future__ import annotations

from pathlib import Path

from tunesmith.corpus import Alignments, Bitext
from tunesmith.corpus.folds import folds_of_file, write_folds
from tunesmith.corpus.prepare import Prepared, prepare
from tunesmith.errors import InputError
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts.names import ALIGNMENT, FOLDS, PAIRS, SOURCE, TARGET, TRUECASERS
from tunesmith.model.steps import BuildStep, Workshop

__all__ = ["prepare_corpus"]

MARKS = (b"<s>", b"</s>", b"<unk>")
"""Reserved words of language models."""


def prepare_corpus(options: TrainingOptions) -> BuildStep:
    """Return the step; a given alignment is filtered like the text."""
    inputs = {"source": options.source, "target": options.target}
    outputs = [SOURCE, TARGET, PAIRS]
    if options.alignment is not None:
        inputs["alignment"] = options.alignment
        outputs.append(ALIGNMENT)
    if options.documents is not None:
        inputs["documents"] = options.documents
    if options.folds:
        outputs.append(FOLDS)
    if options.case == "true":
        outputs += TRUECASERS

    def run(shop: Workshop) -> None:
        prepared = prepare(
            options.source,
            options.target,
            shop.scratch / "text",
            options.preparation,
            documents=options.documents,
            threads=options.threads,
            progress=shop.progress,
        )
        if not options.skip_marks:
            _check_marks(prepared, options.target)
        if options.alignment is not None:
            _chosen_alignments(prepared, options.alignment).write(shop[ALIGNMENT])
        if options.folds:
            folds = folds_of_file(prepared.target, prepared.documents, folds=options.folds)
            write_folds(shop[FOLDS], folds)
        for truecaser, name in zip(prepared.truecasers or (), TRUECASERS, strict=False):
            truecaser.save(shop[name])
        prepared.pairs.write(shop[PAIRS])
        prepared.pairs.warn()
        prepared.source.replace(shop[SOURCE])
        prepared.target.replace(shop[TARGET])

    wanted = options.preparation.determinants | {"folds": options.folds, "skip_marks": options.skip_marks}
    return BuildStep("corpus", tuple(outputs), run, inputs=inputs, options=wanted)


def _check_marks(prepared: Prepared, target: Path) -> None:
    """Refuse reserved words, which an estimator will not take, before any other work."""
    text = prepared.target.read_bytes()
    if not any(mark in text for mark in MARKS):
        return
    for row, line in zip(prepared.rows.tolist(), text.split(b"\n"), strict=False):
        found = set(line.split(b" ")) & set(MARKS)
        if found:
            raise InputError(
                "the word {word!r} is reserved in language models; remove it, or skip such words by {}",
                "skip_marks",
                word=found.pop().decode(),
                path=target,
                line=row + 1,
            )


def _chosen_alignments(prepared: Prepared, path: Path) -> Alignments:
    """Return the alignments of the kept pairs, checked against them."""
    alignments = Alignments.read(path)
    pairs = prepared.pairs.pairs
    if len(alignments) != pairs:
        message = f"has {len(alignments)} lines for {pairs} sentence pairs; expected one line per pair"
        raise InputError(message, path=path, line=min(len(alignments), pairs) + 1)
    chosen = alignments.take(prepared.rows)
    try:
        chosen.check(Bitext.read(prepared.source, prepared.target))
    except InputError as error:
        line = None if error.line is None else int(prepared.rows[error.line - 1]) + 1
        raise InputError(error.message, path=path, line=line) from None
    return chosen

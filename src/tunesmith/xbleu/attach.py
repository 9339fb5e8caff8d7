"""Adds a trained reordering model to a phrase model: one dense feature per orientation."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

from tunesmith import _native
from tunesmith.candidates.writers.nbest import fits_nbest
from tunesmith.errors import InputError, OptionError
from tunesmith.features.record import template_record
from tunesmith.files import PathLike
from tunesmith.model.derived import write_derived
from tunesmith.model.manifest import ATTACHED, Manifest
from tunesmith.model.model import Model, TrainedReorderingPart
from tunesmith.model.part_records import MAPPED_WEIGHTS
from tunesmith.model.parts.word_lists import WORD_LISTS
from tunesmith.model.steps import BuildStep, Progress, Workshop
from tunesmith.model.training import Trained
from tunesmith.threads import thread_count
from tunesmith.weights import Weights
from tunesmith.xbleu.attached_weights import other_model, start_weights
from tunesmith.xbleu.earlier_rounds import REPLACES
from tunesmith.xbleu.reordering import REORDERING, WEIGHTS, TrainedReordering
from tunesmith.xbleu.seen_sentences import SENTENCES
from tunesmith.xbleu.word_lists import needed_lists

__all__ = ["attach"]

_FOLDER = "reordering"
_WORDS = ("classes.*.txt", *WORD_LISTS)
"""Lists that templates of the new model look for in its directory."""
_OWN_KEYS = ("format", "version", "template", "orientations")
"""What the record of a reordering model has besides how it was made."""


def attach(
    model: PathLike,
    reordering: PathLike,
    directory: PathLike,
    *,
    name: str | None = None,
    weights: Mapping[str, float] | PathLike | None = None,
    threads: int | None = None,
    progress: Progress = lambda line: None,
    announce: Callable[[str], None] | None = None,
) -> Trained:
    """Make a model directory from a phrase model and a trained reordering model.

    The files of the phrase model are not copied, but referred to by path: call it again when they have moved.
    The new model has the feature NAME_ORIENTATION per orientation, with the start weight that the training
    recorded: 1 / gamma, or 1 in models of earlier versions. NAME is that of the template, or `name`. All
    other features have the weights that the lists of the training were made with, whose scale it assumes, or
    those of `weights`; features without one there have the model's own. If a training does not record its
    weights, all are the model's own, and `announce` is called with a line that says so. Scores of the phrase
    pairs are computed once: O(pairs).
    """
    if name is not None and (not fits_nbest(name) or "=" in name):
        raise OptionError(
            f"{{}} is {name!r:.60}, which n-best lists cannot contain; expected letters and digits, without"
            " blanks, '=' and '|||'",
            "name",
        )
    opened, trained = Model.open(model), TrainedReordering.open(reordering)
    if name is not None:
        trained = trained.renamed(name)
    _check(opened, trained)
    if differs := other_model(opened, trained):
        if weights is None:
            raise InputError(f"{differs}; give {{}}, those that were tuned for it", "weights", path=model)
        if announce is not None:
            announce(f"{opened.directory} {differs}; its weights are those given")
    part = TrainedReorderingPart(
        trained.template.name,
        template_record(trained.template),
        _FOLDER,
        tuple(needed_lists(trained.template)),
        tuple(f"{_FOLDER}/rows.{number}.bin" for number in range(len(opened.phrase_tables))),
    )
    anchored = opened.anchored()
    start = {f"{part.name}_{orientation}": trained.orientation_weight for orientation in trained.orientations}
    made = replace(
        anchored,
        weights=Weights({**start_weights(opened, trained, weights, announce), **start}),
        trained_reordering=(*anchored.trained_reordering, part),
        base=str(opened.home.resolve()),
    )
    steps = [_copies(trained, part), _words(opened, trained, part), *_rows(opened, trained, part, threads)]
    return write_derived(
        made,
        directory,
        kind=Manifest.read(model).kind,
        step="features",
        origin=ATTACHED,
        texts={},
        progress=progress,
        before=[step for step in steps if step.outputs],
    )


def _check(model: Model, trained: TrainedReordering) -> None:
    if model.decoder_kind != "phrase" or not model.phrase_tables:
        raise InputError(
            "is not a phrase model: only the phrase decoder, which goes from left to right, has orientations",
            path=model.directory,
        )
    for part in model.trained_reordering:
        if part.name in trained.record.get(REPLACES, []):
            raise InputError(
                f"has the reordering model {part.name!r}, which {trained.directory} was trained to replace;"
                f" attach it to the model without that one, {model.base}",
                path=model.directory,
            )
    name = trained.template.name
    columns = {f"{name}_{orientation}" for orientation in trained.orientations}
    if name in {part.name for part in model.trained_reordering} or columns & set(model.weights):
        raise InputError(
            f"has features of a reordering model {name!r} already; name this one otherwise by {{}}, such as"
            f" {name}2",
            "name",
            path=model.directory,
        )


def _is_list(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in _WORDS)


def _copies(trained: TrainedReordering, part: TrainedReorderingPart) -> BuildStep:
    """Return the step that copies the model's weights and lists; the decoder maps weights by hashed name."""
    copied = [*part.lists, *([SENTENCES] if (trained.directory / SENTENCES).is_file() else [])]
    names = (REORDERING, WEIGHTS, *copied)

    def run(shop: Workshop) -> None:
        shop[_FOLDER].mkdir(exist_ok=True)
        for name in copied:
            shutil.copyfile(trained.directory / name, shop[f"{_FOLDER}/{name}"])
        made = {key: value for key, value in trained.record.items() if key not in _OWN_KEYS}
        TrainedReordering.write(shop[_FOLDER], trained.template, trained.weights, made)
        _native.write_mapped_weights(trained.weights.native, str(shop[f"{_FOLDER}/{MAPPED_WEIGHTS}"]))

    inputs = {f"reordering {name}": (trained.directory / name).absolute() for name in names}
    outputs = tuple(f"{_FOLDER}/{name}" for name in (*names, MAPPED_WEIGHTS))
    return BuildStep(_FOLDER, outputs, run, inputs=inputs, options={"name": part.name})


def _words(model: Model, trained: TrainedReordering, part: TrainedReorderingPart) -> BuildStep:
    """Return the step that copies the lists that templates need: the phrase model's, and further ones.

    The trained model has those that were made for it, such as classes.
    """
    found = {name: trained.directory / name for name in part.lists}
    found |= {path.name: path for path in model.directory.iterdir() if path.is_file() and _is_list(path.name)}

    def run(shop: Workshop) -> None:
        for name, path in found.items():
            shutil.copyfile(path, shop[name])

    inputs = {name: path.absolute() for name, path in sorted(found.items())}
    return BuildStep("word lists", tuple(inputs), run, inputs=inputs)


def _rows(
    model: Model, trained: TrainedReordering, part: TrainedReorderingPart, threads: int | None
) -> list[BuildStep]:
    """Return the steps that score the pairs of the phrase tables."""

    def step(number: int) -> BuildStep:
        def run(shop: Workshop) -> None:
            _native.write_local_scores(
                trained.template.native_parts(),
                _native.MappedWeights(str(shop[f"{_FOLDER}/{MAPPED_WEIGHTS}"])),
                model.phrase_table(number).native,
                thread_count(threads),
                str(shop[part.rows[number]]),
            )

        table = Path(model.files()[model.phrase_tables[number].name]).absolute()
        needs = (f"{_FOLDER}/{MAPPED_WEIGHTS}", f"{_FOLDER}/{REORDERING}")
        return BuildStep(f"scores {number}", (part.rows[number],), run, inputs={"table": table}, needs=needs)

    return [step(number) for number in range(len(model.phrase_tables))]

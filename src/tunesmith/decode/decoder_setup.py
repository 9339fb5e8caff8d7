"""How a worker opens a decoder: by paths and options, never by content."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from tunesmith.checksums import checksum
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.jackknife import FoldDecoders
from tunesmith.decode.opening import open_decoder
from tunesmith.distribute import Executor
from tunesmith.errors import InputError, OptionError
from tunesmith.features.record import template_of, template_record
from tunesmith.files import PathLike
from tunesmith.model.jackknife import FoldModels
from tunesmith.model.model import Model
from tunesmith.weights import WeightStore

__all__ = ["DecoderSetup", "check_model_ships"]


@dataclass(frozen=True)
class DecoderSetup:
    """A model's directory, a file of weights, all options of the search, and records of templates.

    `folds` are the models by which sentences of the training text are translated, if these are left out.
    Equal setups open equal decoders: the file of weights is compared by its `digest`, too, since another run
    may write others to the same path.
    """

    model: Path
    weights: Path
    digest: str
    search: tuple[tuple[str, Any], ...]
    template_records: tuple[str, ...] = ()
    folds: FoldModels | None = None

    @classmethod
    def of(
        cls, decoder: AnyDecoder, weights: Path, executor: Executor, folds: FoldModels | None = None
    ) -> Self:
        """Return how to open a decoder, and write its weights to a file, which workers read.

        What an executor that ships could not send is an error.
        """
        directory = decoder.model.directory
        if executor.ships:
            folder = None if folds is None else folds.folder
            check_model_ships(directory, leaves_folds_out=folds is not None, fold_folder=folder)
        options, records = decoder.options, [template_record(template) for template in decoder.templates]
        WeightStore.of(decoder.weights).save(weights, about={"templates": records} if records else {})
        return cls(
            directory.absolute(),
            weights.absolute(),
            checksum(weights),
            tuple((each.name, getattr(options, each.name)) for each in dataclasses.fields(options)),
            tuple(map(json.dumps, records)),
            None if folds is None else dataclasses.replace(folds, threads=1),
        )

    @contextmanager
    def open(self, fold: int) -> Iterator[AnyDecoder]:
        """Yield the decoder without a fold, `OTHER`: of the whole model; tables of folds are built here."""
        with FoldDecoders(self.folds, self.whole()).open(fold) as decoder:
            yield decoder

    def whole(self) -> AnyDecoder:
        """Return the decoder of the whole model."""
        templates = [template_of(json.loads(record)) for record in self.template_records]
        return open_decoder(self.model, WeightStore.open(self.weights), dict(self.search), templates)


def check_model_ships(directory: Path, *, leaves_folds_out: bool, fold_folder: PathLike | None) -> None:
    """Refuse a model that refers to other files, which would not reach the workers with it.

    `fold_folder` is where the tables of folds are, if a folder is given.
    """
    if fold_folder is not None:
        raise OptionError(
            "{} names a folder of this machine; with {} workers build the tables of folds in their own"
            " copies of the model",
            "fold_folder",
            "ship",
        )
    model = Model.open(directory)
    others = [*map(str, model.outside().values())]
    if leaves_folds_out and model.base:
        others.append(model.base)
    if others:
        raise InputError(
            "refers to {other}, which {} would not send with the model; use a folder that all workers see",
            "ship",
            path=directory,
            other=others[0],
        )

"""How workers open a model, the sentences of a file, and their references."""

from __future__ import annotations

import dataclasses
import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from tunesmith.checksums import checksum
from tunesmith.corpus.side import SIDES
from tunesmith.decode.decoder_setup import check_model_ships
from tunesmith.decode.jackknife import FoldDecoders, input_folds
from tunesmith.decode.opening import open_decoder
from tunesmith.decode.recorded import Recorded
from tunesmith.decode.request import Request
from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.errors import InputError, UnusedWeightWarning
from tunesmith.features.base import Template
from tunesmith.features.record import template_of, template_record
from tunesmith.files import PathLike
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.systems.model import ModelSystem, decoder_details, fold_details
from tunesmith.systems.sentences import check_length, preparation, read_references, read_sentences
from tunesmith.systems.setup import Setup
from tunesmith.texts import Texts
from tunesmith.types import IntArray
from tunesmith.weights import open_weights

__all__ = ["ModelSetup"]

TABLE_BREADTH = 100
"""Translations per source phrase that are kept, without weights, if nothing else is given."""


@dataclass(frozen=True)
class ModelSetup(Setup):
    """A model's directory, sentences as `decode` reads them, and references; made by `of`.

    `search` are all options of the search, `template_records` records of templates as JSON. `prepare`:
    tokenize and case raw text like the training text.
    """

    model: Path
    source: Path
    references: tuple[Path, ...]
    search: tuple[tuple[str, Any], ...]
    template_records: tuple[str, ...] = ()
    input_format: str | None = None
    prepare: bool = False
    jackknife: JackknifeOptions | None = None

    @classmethod
    def of(
        cls,
        model: PathLike,
        source: PathLike,
        references: Sequence[PathLike],
        *,
        start: Mapping[str, float] | PathLike | None = None,
        search: SearchOptions | ChartOptions | Mapping[str, Any] | None = None,
        templates: Sequence[Template] = (),
        input_format: str | None = None,
        prepare: bool = False,
        jackknife: JackknifeOptions | None = None,
        announce: Callable[[str], None] | None = None,
    ) -> Self:
        """Open the model once, to check and to complete the options.

        Templates and options that `start` records are used, see `open_decoder`. Where the search has the
        option `table_breadth`, it is 100 unless given: then changed weights re-score the options of a
        sentence, and collect no others.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnusedWeightWarning)  # `fitted` reports them
            decoder = open_decoder(model, start, search, templates, announce=announce)
        options = {
            field.name: getattr(decoder.options, field.name) for field in dataclasses.fields(decoder.options)
        }
        recorded: Mapping[str, Any] = {}
        if start is not None:
            weights = start if isinstance(start, Mapping) else open_weights(start)
            recorded = Recorded.of(weights).search
        if options.get("table_breadth") == 0 and not _gives(search, recorded, "table_breadth"):
            options["table_breadth"] = TABLE_BREADTH
        return cls(
            Path(model).absolute(),
            Path(source).absolute(),
            tuple(Path(reference).absolute() for reference in references),
            tuple(options.items()),
            tuple(json.dumps(template_record(template)) for template in decoder.templates),
            input_format,
            prepare,
            jackknife if jackknife is not None and jackknife.jackknife else None,
        )

    def open(self, size: int | None = None, fold: int | None = None) -> ModelSystem:
        templates = [template_of(json.loads(record)) for record in self.template_records]
        decoder = open_decoder(self.model, None, dict(self.search), templates)
        models = self._fold_models
        with ExitStack() as stack:
            if fold is not None:
                decoder = stack.enter_context(FoldDecoders(models, decoder).open(fold))
            close = stack.pop_all().close
            return ModelSystem(decoder, self._sentences[0], models=models, records_all=True, close=close)

    @cached_property
    def system(self) -> ModelSystem:
        return self.open()

    def read_references(self) -> tuple[Texts, ...]:
        return self._sentences[1]

    def folds(self) -> IntArray | None:
        """Look up the sentences in the training text, as pairs with their first references."""
        return self._folds

    @cached_property
    def _folds(self) -> IntArray | None:
        """Looked up once, so that warnings of it appear once."""
        if self.jackknife is None or self._fold_models is None:
            return None
        requests, references = self._sentences
        sources = [request.source for request in requests]
        return input_folds(self._fold_models, self.jackknife, sources, references[0]).fold_of

    @property
    def _fold_models(self) -> FoldModels | None:
        return None if self.jackknife is None else FoldModels.of(self.model, self.jackknife, threads=1)

    @property
    def details(self) -> Mapping[str, object]:
        of_folds: dict[str, object] = {}
        if self.jackknife is not None and (folds := self.folds()) is not None:
            of_folds = fold_details(folds, self.jackknife.jackknife_lm)
        return {
            **decoder_details(self.system.decoder),
            "source": checksum(self.source),
            "references": [checksum(reference) for reference in self.references],
            "templates": list(self.template_records),
            "input_format": self.input_format,
            "prepare": self.prepare,
            **of_folds,
        }

    @property
    def start(self) -> Mapping[str, float]:
        return self.system.decoder.model.weights

    def place(self, sentence: int) -> str:
        return f"{self.source}:{self._sentences[0][sentence].line}"

    def check_shipping(self) -> None:
        """Refuse models and sentences that refer to other files, which would not reach the workers."""
        folder = None if self.jackknife is None else self.jackknife.fold_folder
        check_model_ships(self.model, leaves_folds_out=self.jackknife is not None, fold_folder=folder)
        for request in self._sentences[0]:
            if request.grammar is not None:
                raise InputError(
                    "names the grammar {grammar}, which {} would not send; give the rules in the line, or use"
                    " a folder that all workers see",
                    "ship",
                    path=self.source,
                    line=request.line,
                    grammar=request.grammar,
                )

    @cached_property
    def _sentences(self) -> tuple[list[Request], tuple[Texts, ...]]:
        """Read once: not sent to workers, which read their own."""
        source, target = (
            preparation(self.model, side, threads=1) if self.prepare else None for side in SIDES
        )
        requests = read_sentences(self.source, self.input_format, source)
        references = read_references(list(self.references), target)
        check_length(len(requests), self.source, references, self.references[0])
        return requests, references


def _gives(
    search: SearchOptions | ChartOptions | Mapping[str, Any] | None, recorded: Mapping[str, Any], name: str
) -> bool:
    """Return whether an option of the search is given, all of them by a dataclass, or recorded."""
    return name in recorded or (search is not None and (not isinstance(search, Mapping) or name in search))

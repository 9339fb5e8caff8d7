"""How workers open a model, the sentences of a file, and their references."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tunesmith.decode.input.read import read_requests
from tunesmith.decode.opening import open_decoder
from tunesmith.decode.preparation import model_side
from tunesmith.decode.request import Request
from tunesmith.errors import InputError
from tunesmith.features.base import TEMPLATES, Template
from tunesmith.metrics.base import Metric
from tunesmith.model.manifest import Manifest, checksum
from tunesmith.model.model import Model
from tunesmith.options import determinants
from tunesmith.texts import Texts
from tunesmith.tuning.loop.judge import read_references
from tunesmith.tuning.online.candidates import OnlineDecoder
from tunesmith.tuning.online.model_decoder import ModelDecoder
from tunesmith.tuning.online.setup import Setup
from tunesmith.tuning.translators.base import fingerprint_of

__all__ = ["ModelSetup"]


@dataclass(frozen=True)
class ModelSetup(Setup):
    """A model's directory, sentences as `decode` reads them, and references; `search` are options by name,
    `template_names` name templates of the registry. `prepare`: tokenize and case like the training text."""

    model: str
    source: str
    references: tuple[str, ...]
    search: tuple[tuple[str, Any], ...] = ()
    template_names: tuple[str, ...] = ()
    input_format: str | None = None
    prepare: bool = False

    def open(self, metric: Metric, nbest: int, fold: int) -> OnlineDecoder:
        decoder = open_decoder(self.model, None, dict(self.search), self._templates)
        requests, references = self._requests(), self._texts()
        if len(requests) != len(references[0]):
            raise InputError(
                f"{self.source} has {len(requests)} sentences, but {self.references[0]} {len(references[0])}"
                " lines; expected one line per sentence"
            )
        return ModelDecoder(decoder, requests, references, metric, nbest)

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self._requests())

    @property
    def details(self) -> Mapping[str, object]:
        decoder = open_decoder(self.model, None, dict(self.search), self._templates)
        model = decoder.model
        files = {name: record.sha256 for name, record in Manifest.read(model.directory).files.items()}
        return {
            "model": fingerprint_of({"files": files, "record": model.record}),
            "source": checksum(Path(self.source)),
            "references": [checksum(Path(reference)) for reference in self.references],
            **{name: repr(value) for name, value in determinants(decoder.options).items()},
            "templates": [repr(template) for template in decoder.templates],
            "input_format": self.input_format,
            "prepare": self.prepare,
        }

    @property
    def start(self) -> Mapping[str, float]:
        return Model.open(self.model).weights

    @property
    def templates(self) -> Sequence[str]:
        return [template.name for template in self._templates]

    @property
    def about(self) -> Mapping[str, object]:
        return {"templates": list(self.template_names), "search": dict(self.search)}

    @property
    def _templates(self) -> list[Template]:
        return [TEMPLATES[name]() for name in self.template_names]

    def _side(self, name: str) -> Callable[[Texts], Texts] | None:
        return partial(model_side(self.model, name).prepare, threads=1) if self.prepare else None

    def _requests(self) -> list[Request]:
        batches = read_requests(self.source, self.input_format, prepare=self._side("source"))
        found = [request for batch in batches for request in batch]
        if not found:
            raise InputError("there are no sentences to translate", path=self.source)
        return found

    def _texts(self) -> tuple[Texts, ...]:
        texts, prepare = read_references(list(self.references)), self._side("target")
        return texts if prepare is None else tuple(prepare(text) for text in texts)

"""The decoder that a model is for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tunesmith.decode.base import Decoder
from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.settings import ChartOptions, SearchOptions, options_for
from tunesmith.features.base import Template
from tunesmith.files import PathLike
from tunesmith.model.model import Model
from tunesmith.weights import Weights

__all__ = ["open_decoder"]


def open_decoder(
    directory: PathLike,
    weights: Mapping[str, float] | PathLike | None = None,
    options: SearchOptions | ChartOptions | Mapping[str, Any] | None = None,
    templates: Sequence[Template] = (),
    *,
    changes: Mapping[str, float] | None = None,
) -> Decoder[Any, Any]:
    """Open the model of a directory with the decoder for it: of charts if it has rules, else of phrases.

    `weights` are the model's own unless others, or a file of others, are given; `changes` are single weights
    in place of theirs, or beside them. `options` are those of that decoder, or some of them by name; an
    option of the other decoder is an OptionError.
    """
    given = weights if weights is None or isinstance(weights, Mapping) else Weights.read(weights)
    model = Model.open(directory)
    if changes:
        given = {**(model.weights if given is None else given), **changes}
    chosen: Any = options_for(model.decoder_kind, options)
    decoder = ChartDecoder if model.decoder_kind == "chart" else PhraseDecoder
    return decoder(model, given, chosen, templates)

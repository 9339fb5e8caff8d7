"""Opening a model with its decoder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.recorded import Recorded
from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.errors import OptionError
from tunesmith.features.base import Template
from tunesmith.files import PathLike
from tunesmith.model.model import DecoderKind, Model
from tunesmith.options import build, option_types
from tunesmith.weights import changed, open_weights

__all__ = ["DECODERS", "check_search", "open_decoder"]

_CLASSES: tuple[type[AnyDecoder], ...] = (PhraseDecoder, ChartDecoder)
DECODERS: dict[DecoderKind, type[AnyDecoder]] = {decoder.kind: decoder for decoder in _CLASSES}


def open_decoder(
    directory: PathLike,
    weights: Mapping[str, float] | PathLike | None = None,
    options: SearchOptions | ChartOptions | Mapping[str, Any] | None = None,
    templates: Sequence[Template] = (),
    *,
    changes: Mapping[str, float] | None = None,
    verify: bool = False,
    announce: Callable[[str], None] | None = None,
) -> AnyDecoder:
    """Open the model of a directory with its decoder: the chart decoder if it has rules, else phrases.

    `weights` is a mapping, a store or a file [default: the model's own]; `changes` replace or add single
    weights. Templates and options that the file records are used by themselves, and `announce` is called
    with a line that says which; an option or templates that contradict it are an OptionError
    (`tunesmith.decode.recorded`).
    `options` are those of that decoder, or some of them by name; an option of the other decoder is an
    OptionError. `verify` compares the checksums of all files of the model first.
    """
    given = weights if weights is None or isinstance(weights, Mapping) else open_weights(weights)
    model = Model.open(directory, verify=verify)
    used = model.weights if given is None else given
    recorded = Recorded.of(used)
    search, chosen = _search_of(model, recorded, options), recorded.with_templates(templates)
    opened = DECODERS[model.decoder_kind](model, changed(used, changes), search, chosen)
    recorded.check_lists(opened.templates)
    line = recorded.announcement(templates, options)
    if announce is not None and line is not None:
        announce(line)
    return opened


def check_search(
    directory: PathLike,
    options: SearchOptions | ChartOptions | Mapping[str, Any] | None,
    weights: Mapping[str, float] | None = None,
) -> None:
    """Raise the OptionError that `open_decoder` would raise about options; files of tables are not opened."""
    model = Model.open(directory)
    _search_of(model, Recorded.of(model.weights if weights is None else weights), options)


def _search_of(
    model: Model, recorded: Recorded, given: SearchOptions | ChartOptions | Mapping[str, Any] | None
) -> Any:
    """Return the options of the model's decoder: the given ones, and those that weights record."""
    search = recorded.with_search(given, model) if recorded.search else given
    return _options_for(DECODERS[model.decoder_kind], search, model)


def _options_for(
    decoder: type[AnyDecoder], given: SearchOptions | ChartOptions | Mapping[str, Any] | None, model: Model
) -> Any:
    """Return the options of a decoder: the given ones, with defaults for those not given by name.

    Defaults of the model come before those of the decoder.

    Options of another decoder are an OptionError that says so.
    """
    owner = decoder.options_type
    if isinstance(given, SearchOptions | ChartOptions):
        if isinstance(given, owner):
            return given
        raise OptionError(
            f"search: a {decoder.models} model needs {owner.__name__}, not {type(given).__name__}"
        )
    own = option_types(owner)
    for other in DECODERS.values():
        foreign = option_types(other.options_type)
        for name in given or ():
            if name not in own and name in foreign:
                right = [each for each in own if each not in foreign]
                raise OptionError(
                    f"{{owner}}: {{}} is for {other.models} models, but this one is {decoder.models};"
                    f" its own options are {', '.join(['{}'] * len(right))}",
                    name,
                    *right,
                    owner="search",
                )
    return build(owner, "search", {**model.search_defaults, **(given or {})})

"""The pass that writes a store of lists or forests, each sentence without the fold that it is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from tunesmith.decode.jackknife import FoldDecoders
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.errors import InputError, Message
from tunesmith.files import PathLike
from tunesmith.passes.decoding import Decoding
from tunesmith.passes.product import Product
from tunesmith.passes.run import PassReport, run_pass
from tunesmith.passes.text import PieceLines
from tunesmith.runs.kind import RunKind
from tunesmith.runs.store import Counts, Pieces, StoreFolder
from tunesmith.xbleu.list_record import store_record
from tunesmith.xbleu.list_text import TextOptions, list_text

__all__ = ["StoreContent", "write_store"]

C = TypeVar("C", bound=Counts)


@dataclass(frozen=True)
class StoreContent(Generic[C]):
    """What a store has: `shape` says for its record what a list or forest is, made with these `settings`."""

    kind: RunKind[Pieces[C]]
    product: Product[PieceLines, C]
    shape: Mapping[str, Any]
    settings: Mapping[str, Any]


def write_store(
    model: PathLike,
    output: PathLike,
    content_of: Callable[[PhraseDecoder], StoreContent[C]],
    options: TextOptions,
    decoding: Decoding,
    source: PathLike | None,
    target: PathLike | None,
) -> PassReport:
    """Write the store of a model's training text, or of other tokenized text, to a folder.

    Every sentence is translated by the model without its fold, or with `options.jackknife=False` by the whole
    model. Each file has sentences of one fold. `content_of` says what a decoder makes of the text.
    """
    folder, directory = Path(output), Path(model).absolute()
    decoder = decoding.open(directory)
    if not isinstance(decoder, PhraseDecoder):
        raise InputError(
            "is a hierarchical or ITG model, whose derivations have no orientations of phrases; expected a"
            " phrase-based one",
            path=model,
        )
    content = content_of(decoder)
    whole = Message("translate with the whole model by {}", "jackknife=False")
    folds = decoding.left_out(directory, jackknife=options.jackknife, otherwise=whole)
    models = decoding.fold_models(directory, folds, is_own=source is None)
    decoding.progress("choosing sentence pairs")
    text = list_text(directory, source, target, folds, options)
    record = store_record(decoder, text, options, folds, decoding.weights, content.shape, content.settings)
    with content.kind.locked(folder):
        files = StoreFolder(folder, content.kind, record, restart=options.restart)
        decoders = FoldDecoders(models, decoder, decoding.progress)
        return run_pass(decoding, decoders, text, content.product, files)

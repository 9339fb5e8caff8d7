"""The pass that writes a store of lists or forests, each sentence without the fold that it is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from tunesmith.decode.jackknife import FoldDecoders
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.folders import make_folder
from tunesmith.locks import locked_folder
from tunesmith.named_files import own_file
from tunesmith.passes.decoding import Decoding
from tunesmith.passes.product import Product
from tunesmith.passes.run import PassFolder, PassReport, run_pass
from tunesmith.passes.text import PieceLines
from tunesmith.xbleu.list_folder import ListFolder
from tunesmith.xbleu.list_record import store_record
from tunesmith.xbleu.list_text import TextOptions, list_text
from tunesmith.xbleu.store import WEIGHTS, StoreCounts, StoreKind, file_name

__all__ = ["StoreContent", "write_store"]

Counts = TypeVar("Counts", bound=StoreCounts)


@dataclass(frozen=True)
class StoreContent(Generic[Counts]):
    """What a store has: `shape` says for its record what a list or forest is, made with these `settings`."""

    kind: StoreKind[Counts]
    product: Product[PieceLines, Counts]
    shape: Mapping[str, Any]
    settings: Mapping[str, Any]


def write_store(
    model: PathLike,
    output: PathLike,
    content_of: Callable[[PhraseDecoder], StoreContent[Counts]],
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
            "is a model of rules, whose derivations have no orientations of phrases; expected a model of"
            " phrases",
            path=model,
        )
    content = content_of(decoder)
    whole = "translate with the whole model by {}"
    folds = decoding.left_out(directory, jackknife=options.jackknife, otherwise=whole)
    models = decoding.fold_models(directory, folds, is_own=source is None)
    decoding.progress("choosing sentence pairs")
    text = list_text(directory, source, target, folds, options)
    record = store_record(decoder, text, options, folds, decoding.weights, content.shape, content.settings)
    make_folder(folder)
    busy = f"another run is writing {content.kind.noun} here; wait for it, or name another folder"
    with locked_folder(folder, busy, content.kind.folder.is_in):
        files = ListFolder(folder, record, restart=options.restart, kind=content.kind)
        decoders = FoldDecoders(models, decoder, decoding.progress)
        return run_pass(decoding, decoders, text, content.product, _pass_folder(files))


def _pass_folder(files: ListFolder) -> PassFolder[Any]:
    folder = files.folder.absolute()
    return PassFolder(
        done={number: counts for number, (_, counts) in enumerate(files.files)},
        files=lambda number: (own_file(folder, file_name(number, files.kind)),),
        add=lambda number, counts, fold: files.add(fold, counts),
        finish=files.finish,
        weights=own_file(files.folder, WEIGHTS),
        is_complete=files.is_complete,
        in_order=True,
    )

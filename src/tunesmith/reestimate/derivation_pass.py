"""A pass that finds the derivations of a text: all is opened and checked before anything is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.jackknife import FoldDecoders
from tunesmith.files import PathLike
from tunesmith.folders import make_folder
from tunesmith.locks import locked_folder
from tunesmith.model.jackknife import FoldModels
from tunesmith.model.steps import Progress
from tunesmith.named_files import own_file
from tunesmith.passes.decoding import Decoding
from tunesmith.passes.product import Product
from tunesmith.passes.run import PassFolder, Written, run_pass
from tunesmith.passes.text import PassText, PieceLines
from tunesmith.reestimate.block_counts import BlockCounts
from tunesmith.reestimate.made_by import store_record
from tunesmith.reestimate.store import (
    KIND,
    WEIGHTS,
    DerivationFolder,
    DerivationStore,
    file_name,
    forest_name,
)

__all__ = ["DerivationPass"]

_BUSY = "another run is writing derivations here; wait for it, or name another folder"

ProductOf: TypeAlias = Callable[[DerivationFolder, FoldDecoders], Product[PieceLines, BlockCounts]]


@dataclass(frozen=True, eq=False)
class DerivationPass:
    """Finds derivations by a method; `made_by` is all that they depend on.

    `product_of` says what is made of the text, with a folder and decoders that are open.
    """

    method: str
    decoding: Decoding
    decoder: AnyDecoder
    models: FoldModels | None
    text: PassText
    made_by: dict[str, Any]
    product_of: ProductOf
    keep_forests: bool = False
    restart: bool = False

    def write(self, output: PathLike, progress: Progress | None = None) -> Written[DerivationStore]:
        """Write the files that are not there yet to a folder; `progress` instead of that of the decoding."""
        folder, decoding = Path(output), replace(self.decoding, progress=progress or self.decoding.progress)
        make_folder(folder)
        with locked_folder(folder, _BUSY, KIND.is_in):
            record = store_record(self.method, self.decoder, self.text, self.made_by)
            files = DerivationFolder(folder, record, restart=self.restart)
            decoders = FoldDecoders(self.models, self.decoder, decoding.progress)
            product = self.product_of(files, decoders)
            report = run_pass(decoding, decoders, self.text, product, self._folder(files))
        return Written(DerivationStore.open(folder), report)

    def _folder(self, files: DerivationFolder) -> PassFolder[BlockCounts]:
        folder = files.folder.absolute()
        names = (file_name, forest_name) if self.keep_forests else (file_name,)

        def finish() -> None:
            files.finish()
            files.remove_tables()

        return PassFolder(
            done=dict(files.blocks),
            files=lambda number: tuple(own_file(folder, name(number)) for name in names),
            add=lambda number, counts, fold: files.add(number, counts),
            finish=finish,
            weights=own_file(files.folder, WEIGHTS),
            is_complete=files.is_complete,
        )

"""A pass that finds the derivations of a text: all is opened and checked before anything is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.jackknife import FoldDecoders
from tunesmith.files import PathLike
from tunesmith.model.jackknife import FoldModels
from tunesmith.model.steps import Progress
from tunesmith.named_files import own_file
from tunesmith.passes.decoding import Decoding
from tunesmith.passes.product import Product
from tunesmith.passes.run import Written, run_pass
from tunesmith.passes.text import PassText, PieceLines
from tunesmith.reestimate.block_counts import BlockCounts
from tunesmith.reestimate.store import KIND, DerivationStore, forest_name, store_record
from tunesmith.runs.store import StoreFolder

__all__ = ["DerivationPass"]

ProductOf: TypeAlias = Callable[[StoreFolder[BlockCounts], FoldDecoders], Product[PieceLines, BlockCounts]]


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
        with KIND.locked(folder):
            record = store_record(self.method, self.decoder, self.text, self.made_by)
            files = StoreFolder(folder, KIND, record, restart=self.restart)
            decoders = FoldDecoders(self.models, self.decoder, decoding.progress)
            product = self.product_of(files, decoders)
            report = run_pass(decoding, decoders, self.text, product, files, self._files(files.folder))
        return Written(DerivationStore.open(folder), report)

    def _files(self, folder: Path) -> Callable[[int], tuple[Path, ...]]:
        """Return what names the files of a piece."""
        names = [KIND.state.name, *((forest_name,) if self.keep_forests else ())]
        return lambda number: tuple(own_file(folder.absolute(), name(number)) for name in names)

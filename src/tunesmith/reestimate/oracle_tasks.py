"""What a worker does with a block of sentences: it finds their oracles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tunesmith import _native
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.decoder_setup import DecoderSetup
from tunesmith.decode.jackknife import FoldDecoders
from tunesmith.distribute import Report
from tunesmith.distribute.kept import kept
from tunesmith.reestimate.background import Background
from tunesmith.reestimate.block_counts import BlockCounts
from tunesmith.reestimate.frequent_decoders import FrequentDecoders
from tunesmith.reestimate.oracle_options import OracleOptions
from tunesmith.reestimate.oracle_search import OracleSearch
from tunesmith.reestimate.store import TABLES
from tunesmith.texts import Texts
from tunesmith.types import IntArray

__all__ = ["OracleDecoder", "OracleTask", "find_oracles", "oracle_settings"]


def oracle_settings(options: OracleOptions, background: Background) -> _native.OracleSettings:
    """Return what a native search for oracles needs."""
    settings = _native.OracleSettings()
    settings.nbest, settings.mu, settings.beam = options.nbest, options.mu, options.beam
    settings.compare, settings.scale = options.compare, background.scale
    settings.background, settings.background_words = list(background.statistics), background.words
    return settings


@dataclass(frozen=True)
class OracleDecoder:
    """How a worker opens the decoder without a fold and without rare pairs.

    `tables` is the folder of the tables without these, a text, since it is not sent; None: beside the
    worker's own copy of the model.
    """

    setup: DecoderSetup
    fold: int
    least_count: float
    tables: str | None

    @contextmanager
    def open(self) -> Iterator[AnyDecoder]:
        """Yield the decoder."""
        model = self.setup.model
        beside = model.with_name(f"{TABLES}-{model.name}-{self.least_count}")
        tables = beside if self.tables is None else Path(self.tables)
        decoders = FoldDecoders(self.setup.folds, self.setup.whole())
        with FrequentDecoders(decoders, tables, self.least_count).open(self.fold) as decoder:
            yield decoder


@dataclass(frozen=True, eq=False)
class OracleTask:
    """A block of sentences: its lines, their rows in the text, and the files to write."""

    decoder: OracleDecoder
    options: OracleOptions
    background: Background
    leave_one_out: bool
    sources: Texts
    targets: Texts
    rows: IntArray
    derivations: Path
    forests: Path | None


def find_oracles(task: OracleTask, report: Report) -> BlockCounts:
    """Write the derivations of the oracles of a block, and return its counts."""

    def open_(stack: ExitStack) -> AnyDecoder:
        return stack.enter_context(task.decoder.open())

    decoder = kept(task.decoder, open_)
    search = OracleSearch(oracle_settings(task.options, task.background), 1, task.leave_one_out)
    forests = "" if task.forests is None else str(task.forests)
    block = (0, len(task.rows), str(task.derivations), forests)
    found: list[BlockCounts] = []
    search.run(
        decoder,
        (task.sources, task.targets),
        task.rows,
        [block],
        lambda _, counts: found.append(BlockCounts.of(counts)),
    )
    report(len(task.rows))
    return found[0]

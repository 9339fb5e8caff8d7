"""How commands that write stores decode a text: the flags of the search, of folds and of executors as one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tunesmith.cli.console import note, reporting
from tunesmith.cli.search_options import SearchFlags
from tunesmith.distribute.options import ExecutorOptions
from tunesmith.model.jackknife.options import JackknifeOptions

if TYPE_CHECKING:
    from tunesmith.passes.decoding import Decoding

__all__ = ["opened_decoding"]


@contextmanager
def opened_decoding(
    where: ExecutorOptions,
    search: SearchFlags,
    *,
    weights: Path | None,
    jackknife: JackknifeOptions | None,
    threads: int | None,
    quiet: bool,
) -> Iterator[Decoding]:
    """Yield how to decode while the executor is open and progress is shown, unless `quiet`."""
    from tunesmith.passes.decoding import Decoding

    with where.opened(threads) as executor, reporting(quiet) as progress:
        yield Decoding(
            weights=weights,
            search=search.options,
            templates=search.templates,
            jackknife=jackknife,
            threads=threads,
            executor=executor,
            progress=progress,
            announce=None if quiet else note,
        )

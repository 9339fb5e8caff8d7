"""Where shards run: options for all commands that work in shards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tunesmith.distribute.base import Executor
from tunesmith.distribute.local import LocalExecutor
from tunesmith.distribute.spark_context import check_master, parse_settings
from tunesmith.errors import OptionError
from tunesmith.options import check_options, option
from tunesmith.threads import thread_count

if TYPE_CHECKING:
    from tunesmith.distribute.spark import SparkExecutor

__all__ = ["ExecutorOptions"]

_PANEL = "Where shards run"


@dataclass(frozen=True, kw_only=True)
class ExecutorOptions:
    """The executor of shards; no result depends on it."""

    executor: Literal["local", "spark"] = option(
        "local",
        help="Where the work is done: {choices}. local: on this machine; spark: in shards, by Apache Spark"
        " (`pip install 'tunesmith[spark]'`).",
        matters=False,
        panel=_PANEL,
    )
    master: str | None = option(
        None,
        help="Master of Spark: local[2], spark://HOST:7077, yarn, k8s://... [default: local[*]].",
        matters=False,
        metavar="<url>",
        panel=_PANEL,
    )
    spark_conf: tuple[str, ...] = option(
        (),
        help="Setting of Spark, KEY=VALUE, such as spark.executor.memory=4g; may be repeated.",
        matters=False,
        flag="--spark-conf",
        metavar="<key=value>",
        panel=_PANEL,
    )
    ship: bool = option(
        False,
        help="Send files and the model to the workers of Spark, and outputs back: for machines that share no"
        " folder.",
        matters=False,
        panel=_PANEL,
    )

    def __post_init__(self) -> None:
        check_options(self, "executor")
        for name in ("master", "spark_conf", "ship"):
            if self.executor == "local" and getattr(self, name):
                raise OptionError("{} needs {} spark", name, "executor")
        parse_settings(self.spark_conf)
        if self.master is not None:
            check_master(self.master)

    @contextmanager
    def opened(self, workers: int | None) -> Iterator[Executor | None]:
        """Yield an executor, or None if the threads of this process do the work, `workers` of them."""
        if self.executor == "local":
            yield None
            return
        with self.open(workers) as executor:
            yield executor

    def open(self, workers: int | None) -> LocalExecutor | SparkExecutor:
        """Return an executor, to be closed; `workers` is the number of local processes, None: of cores.

        With Spark it is the number of its local processes, unless a master is given; what the driver does
        itself, such as mixing weights, is done by as many threads in any case.
        """
        if self.executor == "local":
            return LocalExecutor(thread_count(workers))
        from tunesmith.distribute.spark import SparkExecutor

        local = "local[*]" if workers is None else f"local[{thread_count(workers)}]"
        return SparkExecutor(self.master or local, parse_settings(self.spark_conf), ship=self.ship)

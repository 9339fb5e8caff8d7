"""A real cluster of Spark on this machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tunesmith.distribute.spark import SparkExecutor


@pytest.fixture(scope="session")
def cluster() -> Iterator[SparkExecutor]:
    """Two executors of one core each, in processes of their own; files are shipped."""
    pytest.importorskip("pyspark")
    with SparkExecutor("local-cluster[2,1,1024]", ship=True) as executor:
        yield executor

"""Real clusters of Spark on this machine, for tests marked `spark`: `make test-spark` runs them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tunesmith.distribute.spark import SparkExecutor


@pytest.fixture(scope="session")
def cluster() -> Iterator[SparkExecutor]:
    """Two executors of one core each, in processes of their own; files are shipped."""
    pytest.importorskip("pyspark")
    import pyspark

    with SparkExecutor("local-cluster[2,1,1024]", ship=True) as executor:
        name = executor.context.applicationId
        yield executor
    shutil.rmtree(Path(pyspark.__file__).parent / "work" / name, ignore_errors=True)  # logs of executors

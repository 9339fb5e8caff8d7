"""Work on shards, in processes of this machine or elsewhere."""

from tunesmith.distribute.base import Executor, Report
from tunesmith.distribute.local import LocalExecutor, map_shards

__all__ = ["Executor", "LocalExecutor", "Report", "map_shards"]

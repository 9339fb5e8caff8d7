"""Folders of any file system that Hadoop knows (file:, hdfs:, s3a:, ...), by the Java classes of Spark."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from tunesmith.errors import InputError

__all__ = ["HadoopFolder", "RemoteFolder"]

_JAVA = re.compile(r"(?:[a-z]\w*\.)+[A-Z]\w*(?:Exception|Error): ")


class RemoteFolder(Protocol):
    """A folder on another file system. Names are relative, with `/` between folders."""

    def put(self, file: Path, name: str) -> None:
        """Copy a file there, in place of what had the name."""
        ...

    def get(self, name: str, file: Path) -> None:
        """Copy a file from there."""
        ...

    def names(self, name: str = "") -> list[str]:
        """Return the sorted names in a folder within it; none if it is not there."""
        ...

    def remove(self, name: str) -> None:
        """Remove a file, or a folder with all that is in it, if it is there."""
        ...


class HadoopFolder:
    """A folder by its URI, such as `hdfs://HOST/runs/1` or `s3a://BUCKET/runs/1`.

    What a file system needs (credentials, Java archives) are settings of Spark: `spark.hadoop.fs.s3a.*`,
    `spark.jars.packages`.
    """

    def __init__(self, context: Any, uri: str) -> None:
        self.uri = uri.rstrip("/")
        self._hadoop = context._jvm.org.apache.hadoop.fs
        with self._explaining():
            self._files = self._path("").getFileSystem(context._jsc.hadoopConfiguration())

    def put(self, file: Path, name: str) -> None:
        """Copy a file there; see `RemoteFolder`."""
        with self._explaining():
            self._files.copyFromLocalFile(
                False, True, self._hadoop.Path(str(file.absolute())), self._path(name)
            )

    def get(self, name: str, file: Path) -> None:
        """Copy a file from there; see `RemoteFolder`."""
        with self._explaining():
            target = self._hadoop.Path(str(file.absolute()))
            self._files.copyToLocalFile(False, self._path(name), target, True)

    def names(self, name: str = "") -> list[str]:
        """Return the names in a folder; see `RemoteFolder`."""
        with self._explaining():
            if not self._files.exists(self._path(name)):
                return []
            return sorted(each.getPath().getName() for each in self._files.listStatus(self._path(name)))

    def remove(self, name: str) -> None:
        """Remove a file or folder; see `RemoteFolder`."""
        with self._explaining():
            self._files.delete(self._path(name), True)

    def _path(self, name: str) -> Any:
        return self._hadoop.Path(f"{self.uri}/{name}" if name else self.uri)

    @contextlib.contextmanager
    def _explaining(self) -> Iterator[None]:
        """Turn errors of Java into one that names the folder, without a stack trace."""
        from py4j.protocol import Py4JError

        try:
            yield
        except Py4JError as error:
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            line = next((line for line in lines if _JAVA.search(line)), lines[0])
            reason = _JAVA.sub("", line).strip(" :")[:300].rstrip(".")
            raise InputError(
                f"Hadoop's file system refuses it: {reason}; expected a folder such as hdfs://HOST/FOLDER,"
                " s3a://BUCKET/FOLDER or file:/FOLDER, and its settings by spark.hadoop.*",
                path=self.uri,
            ) from None

"""A standalone cluster of Spark on the loopback device: a master and two workers, all processes of a test."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

DEADLINE = 90.0


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def standalone_cluster(folder: Path) -> Iterator[str]:
    """Start the processes and yield the master's URL when both workers have joined; end them in any case."""
    import pyspark

    port = _free_port()
    program = str(Path(pyspark.__file__).parent / "bin" / "spark-class")
    environment = {
        **os.environ,
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_LOCAL_DIRS": str(folder / "local"),
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    master = f"spark://127.0.0.1:{port}"
    place = ["--host", "127.0.0.1", "--webui-port", "0"]
    worker = ["org.apache.spark.deploy.worker.Worker", *place, "--cores", "1", "--memory", "1g"]
    commands = [
        ["org.apache.spark.deploy.master.Master", *place, "--port", str(port)],
        *([*worker, "--work-dir", str(folder / f"work-{number}"), master] for number in range(2)),
    ]
    logs = [folder / f"{number}.log" for number in range(3)]
    with contextlib.ExitStack() as stack:
        for command, log in zip(commands, logs, strict=True):
            stream = stack.enter_context(log.open("wb"))
            process = subprocess.Popen(
                [program, *command], env=environment, stdout=stream, stderr=stream, start_new_session=True
            )
            stack.callback(process.wait)
            stack.callback(process.kill)
        deadline = time.monotonic() + DEADLINE
        while logs[0].read_text().count("Registering worker") < 2:
            assert time.monotonic() < deadline, "".join(log.read_text() for log in logs)
            time.sleep(0.1)
        yield master

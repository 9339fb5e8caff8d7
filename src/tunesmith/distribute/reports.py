"""Reports of workers to the driver while they work, over a socket of the driver.

Nothing depends on it: where workers cannot reach the driver's port, `ReportSender.send` returns False, and
the caller sends the last report with the result instead. Both sides prove that they know a secret key before
anything is read.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import secrets
import socket
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection, answer_challenge, deliver_challenge
from typing import Any, NamedTuple

__all__ = ["Address", "ReportListener", "ReportSender"]

_SECONDS = 3.0
"""How long a worker tries to reach the driver, once per process."""


class Address(NamedTuple):
    """Where the driver listens, and the key."""

    host: str
    port: int
    key: bytes


class ReportListener:
    """Calls `receive` with each message of any worker, in threads of its own."""

    def __init__(self, host: str, bind: str, port: int, receive: Callable[[Any], None]) -> None:
        """Listen on a port, 0 for any that is free; an OSError if it is taken or the host is not ours."""
        self._socket = socket.create_server((bind, port))
        self._receive = receive
        self._key = secrets.token_bytes(32)
        self.address = Address(host, self._socket.getsockname()[1], self._key)
        self._open: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Stop listening; the threads end."""
        for each in (self._socket, *list(self._open)):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _accept(self) -> None:
        while True:
            try:
                connected, _ = self._socket.accept()
            except OSError:
                return
            self._open.add(connected)
            threading.Thread(target=self._listen, args=(connected,), daemon=True).start()

    def _listen(self, connected: socket.socket) -> None:
        with contextlib.suppress(Exception), connected:  # a stranger, a dead worker, or the end
            connection = Connection(os.dup(connected.fileno()))
            with connection:
                deliver_challenge(connection, self._key)
                answer_challenge(connection, self._key)
                while True:
                    self._receive(pickle.loads(connection.recv_bytes()))
        self._open.discard(connected)


class ReportSender:
    """The worker's end. It connects on first use, once per process and address."""

    _senders: dict[Address, ReportSender] = {}  # noqa: RUF012 - of this process

    def __init__(self, address: Address | None) -> None:
        self._connection = None if address is None else _connected(address)

    @classmethod
    def to(cls, address: Address | None) -> ReportSender:
        """Return this process's sender to an address; None is nowhere."""
        if address is None:
            return cls(None)
        if address not in cls._senders:
            cls._senders = {address: cls(address)}
        return cls._senders[address]

    def send(self, message: object) -> bool:
        """Send a message; whether it was sent."""
        if self._connection is None:
            return False
        try:
            self._connection.send_bytes(pickle.dumps(message))
        except OSError:
            self._connection = None
            return False
        return True


def _connected(address: Address) -> Connection | None:
    try:
        connected = socket.create_connection((address.host, address.port), timeout=_SECONDS)
        connected.settimeout(None)
        connection = Connection(connected.detach())
        answer_challenge(connection, address.key)
        deliver_challenge(connection, address.key)
    except Exception:  # whatever the reason: work goes on without
        return None
    return connection

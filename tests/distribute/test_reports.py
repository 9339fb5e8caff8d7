"""Reports over a socket: all arrive, strangers are not heard, and a missing driver stops nobody."""

from __future__ import annotations

import contextlib
import socket
import time
from queue import SimpleQueue
from typing import Any

from tunesmith.distribute.reports import ReportListener, ReportSender


def test_messages_of_several_senders_arrive_in_their_order() -> None:
    heard: SimpleQueue[Any] = SimpleQueue()
    listener = ReportListener("127.0.0.1", "127.0.0.1", 0, heard.put)
    senders = [ReportSender(listener.address) for _ in range(2)]
    for number in range(5):
        assert all(sender.send((who, number)) for who, sender in enumerate(senders))
    found = [heard.get(timeout=10) for _ in range(10)]
    for who in range(2):
        assert [number for sender, number in found if sender == who] == list(range(5))
    listener.close()
    assert not ReportSender(listener.address).send("late")
    deadline = time.monotonic() + 10
    while senders[0].send("late"):  # until the closed connection is noticed
        assert time.monotonic() < deadline
    assert not senders[0].send("later")


def test_a_stranger_is_not_heard() -> None:
    heard: SimpleQueue[Any] = SimpleQueue()
    listener = ReportListener("127.0.0.1", "127.0.0.1", 0, heard.put)
    assert not ReportSender(listener.address._replace(key=b"guess")).send("hello")
    with socket.create_connection((listener.address.host, listener.address.port)) as stranger:
        stranger.sendall(b"\0\0\0\5hello" * 100)
        stranger.settimeout(10)
        with contextlib.suppress(ConnectionResetError):
            while stranger.recv(1024):
                pass  # the challenge, then the end
    assert ReportSender(listener.address).send("friend")
    assert heard.get(timeout=10) == "friend"
    assert heard.empty()
    listener.close()


def test_without_an_address_nothing_is_sent() -> None:
    assert not ReportSender.to(None).send("hello")


def test_a_process_connects_once() -> None:
    listener = ReportListener("127.0.0.1", "127.0.0.1", 0, lambda message: None)
    assert ReportSender.to(listener.address) is ReportSender.to(listener.address)
    listener.close()

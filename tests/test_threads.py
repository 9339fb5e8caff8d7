"""Thread counts, and the guard around BLAS."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from tunesmith.errors import OptionError
from tunesmith.threads import one_blas_thread, thread_count


def blas_threads() -> list[int]:
    np.ones((2, 2)) @ np.ones((2, 2))
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def test_overlapping_blocks_leave_blas_as_it_was() -> None:
    before = blas_threads()
    one, other = one_blas_thread(), one_blas_thread()
    one.__enter__()
    other.__enter__()
    one.__exit__(None, None, None)
    assert set(blas_threads()) <= {1}
    other.__exit__(None, None, None)
    assert blas_threads() == before


@pytest.mark.parametrize("value", ["many", "-1", "1.5"])
def test_a_wrong_environment_variable_is_told(monkeypatch, value: str) -> None:
    monkeypatch.setenv("TUNESMITH_THREADS", value)
    with pytest.raises(OptionError, match="TUNESMITH_THREADS"):
        thread_count()


def test_the_environment_gives_the_default(monkeypatch) -> None:
    monkeypatch.setenv("TUNESMITH_THREADS", "3")
    assert thread_count() == 3
    assert thread_count(1) == 1


@pytest.mark.parametrize("threads", [1025, 10**9, 10**400])
def test_a_huge_number_of_threads_is_refused(threads: int) -> None:
    with pytest.raises(OptionError, match="threads must be at most 1024, not ") as caught:
        thread_count(threads)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("value", ["99999", "9" * 5000, "\u00b2"])
def test_a_huge_number_in_the_environment_is_refused(monkeypatch, value: str) -> None:
    monkeypatch.setenv("TUNESMITH_THREADS", value)
    with pytest.raises(OptionError, match="1024"):
        thread_count()

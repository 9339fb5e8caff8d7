"""Sentences that a decoder fails on: named, counted and not learned from, or the end of the run if asked."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from tunesmith.errors import IgnoredInputWarning, InputError, OptionError

__all__ = ["Failure", "FailureReport", "Failures"]

Value = TypeVar("Value")

_SHOWN = 10
_ATTEMPTS = 5
"""A decoder that fails on that many sentences of a shard before it translates one cannot run at all."""


class Failure(NamedTuple):
    """A sentence, from 0, and what its decoder reported."""

    sentence: int
    reason: str


class Failures(list[Failure]):
    """The failed sentences of a shard.

    Wrong options, a lack of memory and errors of files are not of one sentence: they end the run always. So
    does a decoder that fails on all of the first 5 sentences: it would be started again for each.
    """

    def __init__(self, *, fail_fast: bool = False) -> None:
        super().__init__()
        self._fail_fast = fail_fast
        self._works = False

    def attempt(self, sentence: int, translate: Callable[[], Value]) -> Value | None:
        """Return what a call returns; None if it fails on the sentence."""
        try:
            found = translate()
        except (OptionError, MemoryError, OSError):
            raise
        except Exception as error:
            reason = str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
            if self._fail_fast:
                raise InputError(f"sentence {sentence + 1} failed: {reason}") from error
            self.append(Failure(sentence, reason))
            if not self._works and len(self) == _ATTEMPTS:
                raise InputError(
                    f"the decoder failed on all of the first {_ATTEMPTS} sentences of a shard; try it on one"
                    f" of them; sentence {sentence + 1}: {reason}"
                ) from error
            return None
        self._works = True
        return found


class FailureReport:
    """Warns of each failed sentence of a run once; `place` names the sentence by its file and line."""

    def __init__(self, place: Callable[[int], str]) -> None:
        self._place = place
        self._known: set[int] = set()

    def note(self, failures: Iterable[Failure]) -> int:
        """Warn of sentences that did not fail before, and return the number of all."""
        found = list(failures)
        new = {failure.sentence: failure for failure in found if failure.sentence not in self._known}
        for number, (sentence, reason) in enumerate(sorted(new.values())):
            if number == _SHOWN:
                self._warn(f"{len(new) - _SHOWN} more sentences failed")
                break
            self._warn(
                f"{self._place(sentence)}: the decoder failed; the sentence is not learned from, and scored"
                f" as an empty translation: {reason}"
            )
        self._known |= set(new)
        return len(found)

    def first(self, failures: Iterable[Failure]) -> str:
        """Return the first failure as the end of a message; empty if there is none."""
        first = min(failures, default=None)
        return "" if first is None else f"; {self._place(first.sentence)}: {first.reason}"

    def _warn(self, message: str) -> None:
        warnings.warn(message, IgnoredInputWarning, stacklevel=4)

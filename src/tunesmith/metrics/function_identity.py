"""The identity of a Python function, for caches and checkpoints."""

from __future__ import annotations

import hashlib
import uuid
import weakref
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

__all__ = ["function_identity"]

_PLAIN = (type(None), bool, int, float, complex, str, bytes)
_KNOWN: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()
"""The identity of each object that its code does not identify."""


def function_identity(function: Callable[..., Any]) -> str:
    """Return a text that differs for functions that may differ.

    Plain functions are identified by their code and the plain values that it encloses, so that the same
    script resumes its own runs. Anything else is identified by the object itself, in this process only.
    """
    digest = hashlib.blake2b(digest_size=8)
    values = _enclosed(function) if isinstance(function, FunctionType) else None
    if values is not None and isinstance(function, FunctionType) and _add_code(digest, function.__code__):
        digest.update(repr((function.__module__, function.__qualname__, values)).encode())
        return digest.hexdigest()
    owner = getattr(function, "__self__", function)
    method = getattr(function, "__name__", "") if owner is not function else ""
    try:
        return _KNOWN.setdefault(owner, uuid.uuid4().hex[:16]) + method
    except TypeError:  # neither hashable nor weakly referable
        return uuid.uuid4().hex[:16]


def _enclosed(function: FunctionType) -> list[object] | None:
    """Return defaults and enclosed values if all are plain, else None."""
    try:
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
    except ValueError:  # a cell that is not filled yet
        return None
    values = [
        *cells,
        *(function.__defaults__ or ()),
        *(value for pair in sorted((function.__kwdefaults__ or {}).items()) for value in pair),
    ]
    return values if all(isinstance(value, _PLAIN) for value in values) else None


def _add_code(digest: Any, code: CodeType) -> bool:
    """Add code to a digest; False if it has constants that are not plain."""
    digest.update(repr((code.co_code, code.co_names, code.co_varnames, code.co_freevars)).encode())
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if not _add_code(digest, constant):
                return False
        elif isinstance(constant, (*_PLAIN, tuple)):
            digest.update(repr(constant).encode())
        elif isinstance(constant, frozenset):
            digest.update(repr(sorted(map(repr, constant))).encode())
        else:
            return False
    return True

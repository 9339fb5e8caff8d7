"""Files of named arrays (`.npz`), which may be missing or damaged: an InputError says which it is."""

from __future__ import annotations

import errno
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_regular

__all__ = ["read_arrays"]

_OF_DISKS = (errno.EIO, errno.ESTALE)
"""Others are of damages: `EINVAL` of a place before the begin of a file."""


def read_arrays(path: PathLike, remedy: str, *options: str) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a file by name. If it is damaged, the error says so and what to do, `remedy`.

    `options` are names of options in the remedy, see `Message`.
    """
    with open_regular(path) as stream:
        try:
            with np.load(stream, allow_pickle=False) as found:
                return {name: found[name] for name in found.files}
        except Exception as error:  # of numpy, zipfile, zlib and tokenize; MemoryError of a damaged size
            if isinstance(error, OSError) and error.errno in _OF_DISKS:
                raise InputError(f"cannot read: {error.strerror}", path=path) from None
            raise InputError(f"is damaged; {remedy}", *options, path=path) from None

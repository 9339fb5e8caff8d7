"""Pools as memory-mapped files; values are preserved to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.container import Container, write_container
from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.json_files import check_record
from tunesmith.texts import Texts

__all__ = ["KIND", "read_mapped", "write_mapped"]

KIND, VERSION = "pool", 1

Arrays = dict[str, npt.NDArray[Any]]


def write_mapped(pool: Pool, path: PathLike) -> None:
    """Write a pool without its statistics, which can be recomputed from texts; atomic."""
    features = pool.features
    arrays: Arrays = {
        "lists": pool.offsets,
        "rows": features.offsets,
        "columns": features.columns,
        "values": features.values,
    }
    texts = {"ids": Texts.of(pool.ids), "names": Texts.of(features.names)}
    texts |= {f"reference{i}": reference for i, reference in enumerate(pool.references)}
    optional = {"texts": pool.texts, "sources": pool.sources}
    texts |= {name: column for name, column in optional.items() if column is not None}
    for name, column in texts.items():
        arrays |= {f"{name}/blob": column.blob, f"{name}/offsets": column.offsets}
    arrays |= {f"score{i}": column for i, column in enumerate(pool.scores.values())}
    if pool.totals is not None:
        arrays["totals"] = pool.totals
    about = {"references": len(pool.references), "scores": list(pool.scores)}
    write_container(path, KIND, VERSION, arrays, about)


def read_mapped(path: PathLike, *, verify: bool = True) -> Pool:
    """Return the pool of a file, on its mapped memory; a damaged or foreign file is an InputError.

    `verify` compares its checksums even if it is unchanged (`Container.open`).
    """
    file = Container.open(path, KIND, VERSION, verify=verify)
    arrays = file.arrays
    try:
        check_record("references", int, file.meta["references"])
        check_record("scores", list[str], file.meta["scores"])
        if not 0 <= file.meta["references"] <= len(arrays):
            raise TypeError("as many references as its notes say")
        ids, names = _texts(arrays, "ids"), _texts(arrays, "names")
        return Pool(
            tuple(ids or ()),
            _typed(arrays["lists"], np.int64),
            Features(
                tuple(names or ()),
                _typed(arrays["rows"], np.int64),
                _typed(arrays["columns"], np.int32),
                _typed(arrays["values"], np.float64),
            ),
            _texts(arrays, "texts"),
            tuple(
                reference
                for i in range(file.meta["references"])
                if (reference := _texts(arrays, f"reference{i}")) is not None
            ),
            {name: _typed(arrays[f"score{i}"], np.float64) for i, name in enumerate(file.meta["scores"])},
            _texts(arrays, "sources"),
            _typed(arrays["totals"], np.float64) if "totals" in arrays else None,
        )
    except InputError as error:
        raise InputError(error.message, path=path) from None
    except KeyError as error:
        raise InputError(f"is damaged: it lacks {error}", path=path) from None
    except (TypeError, ValueError) as error:
        raise InputError(f"is damaged: {error}", path=path) from None


def _typed(array: npt.NDArray[Any], kind: type[np.generic]) -> npt.NDArray[Any]:
    if array.dtype != kind:
        raise TypeError(f"an array of {np.dtype(kind)}: found {array.dtype}")
    return array


def _texts(arrays: Arrays, name: str) -> Texts | None:
    if f"{name}/blob" not in arrays:
        return None
    return Texts.stored(arrays[f"{name}/blob"], arrays[f"{name}/offsets"], name)

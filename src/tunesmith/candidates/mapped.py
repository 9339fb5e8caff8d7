"""Pools as memory-mapped files; values are preserved to the bit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.container import Container, write_container
from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.json_files import check_record
from tunesmith.texts import Texts, joined_offsets

__all__ = ["KIND", "read_mapped", "write_mapped"]

KIND, VERSION = "pool", 1

Arrays = dict[str, npt.NDArray[Any]]


def write_mapped(pool: Pool | Sequence[Pool], path: PathLike) -> None:
    """Write a pool without its statistics, which can be recomputed from texts; atomic.

    Several pools with different lists, the same features and the same kinds of data are written as one, and
    are not joined in memory.
    """
    parts = [pool] if isinstance(pool, Pool) else list(pool)
    first = parts[0]
    if any(part.feature_names != first.feature_names for part in parts):
        raise InputError("the pools to write as one have different features", path=path)
    features = [part.features.flat for part in parts]
    arrays: dict[str, npt.NDArray[Any] | list[npt.NDArray[Any]]] = {
        "lists": joined_offsets([part.offsets for part in parts]),
        "rows": joined_offsets([rows.offsets for rows in features]),
        "columns": [rows.columns for rows in features],
        "values": [rows.values for rows in features],
    }
    ids = Texts.of(name for part in parts for name in part.ids)
    texts = {"ids": [ids], "names": [Texts.of(first.feature_names)]}
    for i in range(len(first.references)):
        texts[f"reference{i}"] = [part.references[i] for part in parts]
    for name in ("texts", "sources"):
        if getattr(first, name) is not None:
            texts[name] = [getattr(part, name) for part in parts]
    for name, columns in texts.items():
        arrays[f"{name}/blob"] = [column.blob for column in columns]
        arrays[f"{name}/offsets"] = joined_offsets([column.offsets for column in columns])
    arrays |= {f"score{i}": [part.scores[name] for part in parts] for i, name in enumerate(first.scores)}
    totals = [part.totals for part in parts if part.totals is not None]
    if totals:
        arrays["totals"] = [*totals]
    about = {"references": len(first.references), "scores": list(first.scores)}
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

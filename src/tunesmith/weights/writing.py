"""Writing a store of weights in any form, block by block."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from tunesmith.errors import InputError, OptionError, suggest
from tunesmith.files import COMPRESSIONS, PathLike, content_suffix, open_write
from tunesmith.weights.mapping import check_line_name
from tunesmith.weights.reading import FORMAT, MEMORY
from tunesmith.weights.store import WeightStore

__all__ = ["Form", "form_of", "json_pieces", "lost", "write_store"]

Form = Literal["container", "json", "lines"]

BLOCK = 1 << 14
"""Features per piece of text."""

_FORMS = {".json": "json", ".txt": "lines"}


def form_of(path: PathLike, form: str | None = None) -> Form:
    """Return the form of a file to write: the given one, else by the suffix: .json, .txt (lines), or none."""
    found = form or _FORMS.get(content_suffix(path), "lines" if str(path) == "-" else "container")
    forms: dict[str, Form] = {form: form for form in get_args(Form)}
    if found in forms:
        return forms[found]
    raise OptionError(f"{{}} cannot be {found!r}{suggest(found, get_args(Form))}", "format")


def write_store(store: WeightStore, path: PathLike, form: Form) -> None:
    """Write weights; lines do not keep the record about them, and only containers keep rates and steps."""
    if form == "container":
        if any(str(path).endswith(suffix) for suffix in COMPRESSIONS):
            raise InputError("a container is mapped and cannot be compressed; choose another name", path=path)
        store.save(path)
        return
    if form == "lines":
        for name in store:
            check_line_name(name, path)
        pieces = (store.native.lines(begin, begin + BLOCK) for begin in range(0, len(store), BLOCK))
    else:
        pieces = (piece.encode() for piece in json_pieces(store))
    with open_write(path) as stream:
        for piece in pieces:
            stream.write(piece)


def json_pieces(
    store: WeightStore, numbers: npt.NDArray[np.uint32] | None = None, *, rates: bool = False
) -> Iterator[str]:
    """Yield the text of a JSON file of weights, of all features or those of some numbers.

    With `rates` the objects `rates`, `drifts` and `last_steps` follow the weights.
    """
    chosen = np.arange(len(store), dtype=np.uint32) if numbers is None else numbers
    head = json.dumps({"format": FORMAT, "version": 1, **store.about}, ensure_ascii=False, indent=1)
    yield head.removesuffix("\n}")
    columns: dict[str, npt.NDArray[Any]] = {"weights": store.native.weights_of(chosen)}
    if rates:
        columns |= dict(zip(MEMORY, store.native.memory_of(chosen), strict=True))
    for name, values in columns.items():
        yield f',\n "{name}": {{'
        yield from _entries(store, chosen, values)
        yield "\n }"
    yield "\n}\n"


def _entries(store: WeightStore, numbers: npt.NDArray[np.uint32], values: npt.NDArray[Any]) -> Iterator[str]:
    for begin in range(0, len(numbers), BLOCK):
        names = store.native.names_of(numbers[begin : begin + BLOCK])
        rows = zip(names, values[begin : begin + BLOCK].tolist(), strict=True)
        lines = (f"\n  {json.dumps(name, ensure_ascii=False)}: {value!r}" for name, value in rows)
        yield ("," if begin else "") + ",".join(lines)


def lost(store: WeightStore, form: Form) -> list[str]:
    """Return what a store has and a form does not keep."""
    if form == "container":
        return []
    native = store.native
    learned = (native.rates() != 1).any() or native.drifts().any() or native.last_steps().any()
    records = ["the record of how to decode"] if store.about and form == "lines" else []
    return records + (["rates, averages and last steps"] if learned else [])

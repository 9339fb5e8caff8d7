"""The store of n-best lists: what its record has, and that of a store of forests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from tunesmith.json_files import check_fields, check_record
from tunesmith.runs.kind import RunKind
from tunesmith.runs.store import MADE_BY, Counts, Pieces, Store
from tunesmith.xbleu.list_counts import FileCounts

__all__ = ["LISTS", "STORE", "ListFiles", "ListStore", "store_kind"]

STORE = "store.json"

_FIELDS = {"model": str, MADE_BY: dict[str, object], "text": dict[str, object]}
_OPTIONAL = {
    "dense": list[str],
    "left_out": dict[str, dict[str, float]],
    "left_out_digests": dict[str, str],
}

C = TypeVar("C", bound=Counts)


class ListFiles(Pieces[FileCounts]):
    """The files of lists."""

    noun = "lists"
    type_of_counts = FileCounts


def store_kind(format_: str, state: type[Pieces[C]], needs: Mapping[str, Any]) -> RunKind[Pieces[C]]:
    """Return the kind of a store; `needs` are types of what its record must have, by name."""

    def check(record: dict[str, Any]) -> None:
        check_fields(record, {**_FIELDS, **needs}, _OPTIONAL)
        check_fields(record["text"], {"pairs": int})
        weights = record.get("weights")
        if isinstance(weights, dict) and weights.get("values") is not None:
            check_record("values of weights", dict[str, float], weights["values"])

    return RunKind(
        format_,
        STORE,
        state.noun,
        title=state.noun,
        state=state,
        files=rf"{state.noun}\.\d{{5,}}",
        settings=MADE_BY,
        check=check,
        remedy=f"make the {state.noun} again",
    )


LISTS = store_kind("tunesmith-lists", ListFiles, {"nbest": int})


class ListStore(Store[FileCounts]):
    """The n-best lists of a text."""

    kind = LISTS
    command = "`tunesmith xbleu lists`"

    @property
    def dense(self) -> tuple[str, ...]:
        """The dense features of the decoder whose values the lists have; none if they have no such values."""
        return tuple(self.record.get("dense", ()))

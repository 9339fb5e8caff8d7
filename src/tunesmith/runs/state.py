"""What a run records besides its settings: where it is, so that the same command goes on from there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, asdict, dataclass, fields
from typing import Any, ClassVar, Protocol, Self

from tunesmith.json_files import record_of

__all__ = ["FieldState", "NoState", "State"]


class State(Protocol):
    """The state of a run. Without arguments it is that of one that begins."""

    @property
    def is_begun(self) -> bool:
        """Whether the record has anything to continue; a run without may be replaced by any other."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return entries of the record."""
        ...

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """Return the state of a record; a ValueError, KeyError or TypeError says that it is damaged."""
        ...


class FieldState:
    """A state of which each field is an entry of the record; one whose default is None may be missing."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]  # of the dataclasses that have it as their base

    @property
    def is_begun(self) -> bool:
        """Whether the record has anything to continue."""
        return False

    def to_dict(self) -> dict[str, Any]:
        """Return the fields."""
        return asdict(self)

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """Return the state of a record whose entries have the types of the fields."""
        names = [each.name for each in fields(cls) if each.name in record or each.default is not None]
        return record_of(cls, {name: record[name] for name in names})


@dataclass
class NoState(FieldState):
    """No state: that of a run is in other files (`RunKind.begun_by`)."""

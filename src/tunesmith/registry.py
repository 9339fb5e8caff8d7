"""Registries: a name for every metric, objective, optimizer, method, reader and writer.

Adding an entry is adding a file. A registry that is asked for a name imports the module of that name if one
registers it; otherwise, or if all names are asked for, it imports all modules of its package and of the
packages in it. Other distributions join through the entry-point group of the package's name.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from tunesmith.errors import OptionError, suggest

__all__ = ["Registry"]

Entry = TypeVar("Entry")


class Registry(Mapping[str, Entry], Generic[Entry]):
    """Named entries of one kind, found in the modules of `package`.

    `former` are the names of entry-point groups from before the package was renamed; they are still read.
    """

    def __init__(self, kind: str, package: str, former: Sequence[str] = ()) -> None:
        self.kind = kind
        self.package = package
        self.former = tuple(former)
        self._entries: dict[str, Entry] = {}
        self._complete = False
        self._discovering = False
        self._lock = threading.RLock()

    def register(self, name: str) -> Callable[[Entry], Entry]:
        """Decorate an entry with its name; a second entry of that name is an error."""

        def add(entry: Entry) -> Entry:
            known = self._entries.get(name)
            if known is not None and _origin(known) != _origin(entry):
                raise OptionError(f"two {self.kind}s are named {name!r}")
            self._entries[name] = entry
            return entry

        return add

    def __getitem__(self, name: str) -> Entry:
        if name not in self:
            raise OptionError(f"unknown {self.kind} {name!r}{suggest(name, self._entries)}")
        return self._entries[name]

    def __contains__(self, name: object) -> bool:
        if name not in self._entries and not self._complete:
            self._import_named(name)
        if name not in self._entries:
            self._discover()
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        self._discover()
        return iter(sorted(self._entries))

    def __len__(self) -> int:
        self._discover()
        return len(self._entries)

    def built_in(self) -> list[str]:
        """Return the names of our own entries, for help texts; packages of others may take long to import."""
        inside = f"{self.package}."
        with self._lock:
            self._import_own()
            return sorted(
                name for name, entry in self._entries.items() if _origin(entry)[0].startswith(inside)
            )

    def _discover(self) -> None:
        """Import all modules once; a failed import leaves the registry to be completed by the next call."""
        if self._complete:
            return
        with self._lock:
            # A module that asks the registry while it is being imported sees what is there so far.
            if self._complete or self._discovering:
                return
            self._discovering = True
            import importlib.metadata

            try:
                self._import_own()
                for group in (self.package, *self.former):
                    for point in importlib.metadata.entry_points(group=group):
                        self.register(point.name)(point.load())
                self._complete = True
            finally:
                self._discovering = False

    def _import_named(self, name: object) -> None:
        """Import the module that has an entry's name, which saves importing all."""
        module = f"{self.package}.{name}".replace("-", "_")
        if str(name).replace("-", "").isidentifier() and importlib.util.find_spec(module) is not None:
            with self._lock:
                importlib.import_module(module)

    def _import_own(self) -> None:
        package = importlib.import_module(self.package)
        for module in pkgutil.walk_packages(package.__path__, self.package + "."):
            importlib.import_module(module.name)


def _origin(entry: object) -> tuple[str, str]:
    return (getattr(entry, "__module__", ""), getattr(entry, "__qualname__", repr(entry)))

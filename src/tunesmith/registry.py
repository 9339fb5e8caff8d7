"""Registries: a name for every metric, objective, optimizer, method, reader and writer.

To add an entry, add a file. Looking up a name imports the module of that name if it registers the name;
otherwise, and to list all names, all modules of the package and its subpackages are imported. Other
distributions add entries through the entry-point group with the package's name.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

from tunesmith.errors import OptionError, suggest

__all__ = ["Registry"]

Entry = TypeVar("Entry")


class Registry(Mapping[str, Entry], Generic[Entry]):
    """Named entries of one kind, found in the modules of `package`."""

    def __init__(self, kind: str, package: str) -> None:
        self.kind = kind
        self.package = package
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
        """Return the names of built-in entries, for help texts; plug-ins may be slow to import."""
        inside = f"{self.package}."
        with self._lock:
            self._import_own()
            return sorted(
                name for name, entry in self._entries.items() if _origin(entry)[0].startswith(inside)
            )

    def _discover(self) -> None:
        """Import all modules once; after a failed import the next call tries again."""
        if self._complete:
            return
        with self._lock:
            # A module that queries the registry while being imported sees the entries registered so far.
            if self._complete or self._discovering:
                return
            self._discovering = True
            import importlib.metadata

            try:
                self._import_own()
                for point in importlib.metadata.entry_points(group=self.package):
                    self.register(point.name)(point.load())
                self._complete = True
            finally:
                self._discovering = False

    def _import_named(self, name: object) -> None:
        """Import only the module with the entry's name."""
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

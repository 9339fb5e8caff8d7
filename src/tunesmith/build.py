"""Which Tunesmith is running, so that processes that work on one result can be compared.

Two builds are the same if everything is equal that a result may depend on: the Python files of the package,
the sources, flags and compiler of the native module, Python, the libraries that compute, the C library, and
the kind of processor.
Where the package is, how it was installed and which number it has do not count.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import json
import os
import platform
import socket
import sys
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Self

from tunesmith.errors import InputError, Message, TunesmithWarning
from tunesmith.version import __version__

__all__ = [
    "VARIABLE",
    "Build",
    "check_parent",
    "child_environment",
    "package_digest",
    "require_same",
    "this_host",
    "warn_of_other",
]

VARIABLE = "TUNESMITH_BUILD"
"""Variable of the environment: the build of the process that started this one, which must be the same."""

LIBRARIES = ("numpy", "scipy", "sacrebleu", "sacremoses")
"""Those that compute something that results depend on."""

_REMEDY = f"call the same Tunesmith, or, if another one is meant, begin its command with `env -u {VARIABLE}`"

_DIGITS = 12
"""Of digests, in messages."""


@dataclass(frozen=True)
class Build:
    """A build: `package` and `native` are digests of sources, the rest names and versions."""

    version: str
    package: str
    native: str
    compiler: str
    python: str
    libraries: str
    machine: str

    @classmethod
    @functools.cache
    def running(cls) -> Self:
        """Return the build of this process: 30 milliseconds, once."""
        from tunesmith import _native

        native, compiler = _native.build_record()
        return cls(
            version=__version__,
            package=package_digest(Path(__file__).parent),
            native=native,
            compiler=compiler,
            python=f"{sys.implementation.name} {sys.version_info.major}.{sys.version_info.minor}",
            libraries=", ".join(f"{name} {_version_of(name)}" for name in LIBRARIES),
            machine=f"{platform.machine()}, {_c_library()}",
        )

    @classmethod
    def of(cls, record: object) -> Self | None:
        """Return the build of a record; None if it is damaged, or of a version that records others."""
        names = [field.name for field in fields(cls)]
        if not isinstance(record, Mapping) or sorted(record) != sorted(names):
            return None
        values = [record[name] for name in names]
        return cls(*values) if all(isinstance(value, str) for value in values) else None

    def record(self) -> dict[str, str]:
        """Return what `of` reads: names and texts."""
        return asdict(self)

    @property
    def fingerprint(self) -> str:
        """A digest of all that must be equal, which is not the version: of changed sources it may be too."""
        parts = [getattr(self, field.name) for field in fields(self) if field.name != "version"]
        return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()

    def __str__(self) -> str:
        return f"Tunesmith {self.version} ({self.fingerprint[:_DIGITS]})"

    def differences(self, other: Build) -> list[str]:
        """Return in what another build is not the same, with the values of both, this one's first."""
        found = []
        for name, what in _PARTS.items():
            mine, its = getattr(self, name), getattr(other, name)
            if mine != its:
                cut = _DIGITS if name in ("package", "native") else None
                found.append(f"{what} ({mine[:cut]}, not {its[:cut]})")
        return found


_PARTS = {
    "package": "Python files",
    "native": "native code",
    "compiler": "compiler",
    "python": "Python",
    "libraries": "libraries",
    "machine": "system",
}


def require_same(expected: object, found: Build, where: str, whose: str, remedy: str) -> None:
    """Raise an InputError unless the build `found` is that of a record, `expected`.

    `where` says what has the build `found`, and `whose` what has the expected one.
    """
    other = Build.of(expected)
    if other is None:
        raise InputError(
            f"{where} has {found}, and {whose} another one, which does not say what it is made of; {remedy}"
        )
    if differences := found.differences(other):
        raise InputError(
            f"{where} has {found}, but {whose} {other}: they differ in {', '.join(differences)}, so results"
            f" would depend on which of them works on what; {remedy}"
        )


def warn_of_other(began: object, folder: object) -> None:
    """Warn if the work in a folder, which goes on now, was begun by another build than the running one.

    `began` is the record of that build; None is of one that recorded none. Results may then be of both.
    """
    own, other = Build.running(), Build.of(began)
    if other is None:
        whose = "an earlier build of Tunesmith, which it does not name,"
    elif differences := own.differences(other):
        whose = f"{other}, which differs in {', '.join(differences)},"
    else:
        return
    text = Message(
        "{folder} was begun by {whose} and goes on with {own}: its results are of both; for results of one"
        " build start anew with {}",
        "restart",
        folder=folder,
        whose=whose,
        own=own,
    )
    warnings.warn(text, TunesmithWarning, stacklevel=3)


def child_environment() -> dict[str, str]:
    """Return the environment for a process that may be Tunesmith, too: `check_parent` compares it there."""
    return {**os.environ, VARIABLE: json.dumps(Build.running().record())}


def check_parent(remedy: str = _REMEDY) -> None:
    """Raise an InputError if another build has started this process; nothing if none has."""
    if not (text := os.environ.get(VARIABLE)):
        return
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        record = None
    require_same(
        record,
        Build.running(),
        f"this process ({sys.executable} on {this_host()})",
        "the process that started it",
        remedy,
    )


def this_host() -> str:
    """Return the name of this machine."""
    return socket.gethostname()


def package_digest(folder: Path) -> str:
    """Return a digest of the names and contents of all Python files of a folder.

    A compiled file counts where it is without its source, as Python would import it; its content depends on
    the folder that it was compiled in, so that such a package is only the same as a copy of it.
    """
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(_modules(folder)):
        content = (folder / name).read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _modules(folder: Path) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__" and not name.startswith(".")]
        inside, all_names = Path(place).relative_to(folder), set(names)
        for name in names:
            is_alone = name.endswith(".pyc") and name[:-1] not in all_names
            if (name.endswith(".py") or is_alone) and not name.startswith("."):
                yield (inside / name).as_posix()


def _c_library() -> str:
    """Return the name and version of what `exp` and `log` come from, which are rounded as it does."""
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or platform.system()
    except (AttributeError, ValueError, OSError):  # not of GNU
        return platform.system()


def _version_of(library: str) -> str:
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return "missing"

"""The files of a model for translation, and the names that they get in one folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path, PurePath

from tunesmith.corpus.side import SEGMENTATION
from tunesmith.model.file_names import with_file_names
from tunesmith.model.model import RECASER, TRUECASERS, Model
from tunesmith.model.part_records import MAPPED_WEIGHTS
from tunesmith.model.parts.names import PAIRS, WORD_ORDER
from tunesmith.model.parts.word_lists import WORD_LISTS
from tunesmith.model.seen import SEEN

__all__ = ["PackedFiles", "programs_of"]

_BESIDE = ("classes.*.txt", *WORD_LISTS, SEEN)
"""Files of the directory that templates and checks of input look for, by patterns."""


@dataclass(frozen=True)
class PackedFiles:
    """The list of parts with names in the folder, where each file comes from, and which lay outside."""

    model: Model
    sources: dict[str, Path]
    outside: tuple[str, ...]

    @classmethod
    def of(cls, model: Model) -> PackedFiles:
        """Return those of a model: its parts, casing, word lists, and what says which text it was trained on.

        Of language models with a compiled form, the original text is not read, and left out.
        """
        lean = replace(
            model,
            base="",
            language_models=tuple(
                replace(part, arpa=None if part.path else part.arpa) for part in model.language_models
            ),
        )
        names = _Names()
        for trained in lean.trained_reordering:  # their files are found by the name of the folder
            names.add_folder(trained.folder, (MAPPED_WEIGHTS, *trained.lists))
        for path in lean.parts().values():
            names.of(path)
        given = str(lean.text.get("folder", ""))
        made = with_file_names(lean, lambda name: "" if name == given else names.of(name))
        sources = {new: model.directory / old for old, new in names.known.items() if new not in names.folders}
        sources |= {path.name: path for path in model.text_files().values()}
        sources |= dict(_beside(model))
        own = model.directory.resolve()
        outside = [name for name, path in sources.items() if not path.resolve().is_relative_to(own)]
        return cls(made, dict(sorted(sources.items())), tuple(sorted(outside)))


class _Names:
    """Names in the folder by names in the model: own names stay, others get their last part."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        self.folders: set[str] = set()

    def of(self, name: str) -> str:
        """Return the name in the folder; the same for the same file."""
        if name in self.known:
            return self.known[name]
        taken = {*self.known.values(), *TRUECASERS, RECASER}
        own = PurePath(name).name if PurePath(name).is_absolute() else name
        wanted = own
        for number in range(2, len(taken) + 3):
            if wanted not in taken:
                break
            wanted = f"{number}.{own}"
        self.known[name] = wanted
        return wanted

    def add_folder(self, name: str, files: Iterable[str]) -> None:
        """Name a folder, and some of its files."""
        new = self.of(name)
        self.folders.add(new)
        self.known |= {f"{name}/{file}": f"{new}/{file}" for file in files}


def _beside(model: Model) -> Iterator[tuple[str, Path]]:
    for path in sorted(model.directory.iterdir()):
        if path.is_file() and any(fnmatch(path.name, pattern) for pattern in _BESIDE):
            yield path.name, path
    for name in (WORD_ORDER, PAIRS):
        if (path := model.home / name).is_file():
            yield name, path


def programs_of(model: Model) -> list[str]:
    """Return the commands that prepare the text of a model, which no folder can hold."""
    found = (model.text.get(name) for name in SEGMENTATION if not name.endswith("_with"))
    return [str(command) for command in found if command]

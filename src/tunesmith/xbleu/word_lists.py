"""The words and classes that a feature set needs: copied from a model, or made from its training text."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from tunesmith.corpus import Bitext, Sentences
from tunesmith.errors import InputError
from tunesmith.extract.classes import train_classes
from tunesmith.extract.word_lists import Counted, frequent_words
from tunesmith.features.lexical import SOURCE_CLASSES, TARGET_CLASSES
from tunesmith.features.sparse_reordering import (
    FREQUENT_SOURCE,
    FREQUENT_TARGET,
    WORDS_SOURCE,
    WORDS_TARGET,
    SparseReordering,
)
from tunesmith.files import open_write
from tunesmith.model.model import FEATURES_FILE, Model
from tunesmith.model.parts.names import SOURCE, TARGET
from tunesmith.model.parts.word_lists import KEPT, write_counted
from tunesmith.named_files import own_file

__all__ = ["check_provided", "needed_lists", "provide_lists"]


def needed_lists(template: SparseReordering) -> list[str]:
    """Return the names of the files that `template.with_lists` reads."""
    words = (WORDS_SOURCE, WORDS_TARGET) if template.uncommon else (FREQUENT_SOURCE, FREQUENT_TARGET)
    classes = [file.format(count) for count in template.classes for file in (SOURCE_CLASSES, TARGET_CLASSES)]
    return [*(words if template.uncommon or template.top else ()), *classes]


def check_provided(template: SparseReordering, *folders: Path) -> None:
    """Raise InputError unless one of the folders, of which the first is a model, has each list of a template.

    A model may also have the text that lists are made from.
    """
    model = folders[0]
    for name in needed_lists(template):
        if any((folder / name).is_file() for folder in folders):
            continue
        if not model.is_dir():
            raise InputError(
                f"is not there, but it made the lists, and {name} is needed from it; if it was moved, say"
                " where to by {}",
                "model",
                path=model,
            )
        _TrainingText(model).check()


def provide_lists(
    template: SparseReordering, model: Path, folder: Path, progress: Callable[[str], None] | None = None
) -> None:
    """Copy the lists of a template from a model to a folder; make those that the model lacks.

    What is in the folder already stays. `progress` reports what is made. The training text is that of the
    model, or of the one that it adds parts to.
    """
    check_provided(template, model, folder)
    text = _TrainingText(model)
    for name in needed_lists(template):
        if (folder / name).is_file():
            continue
        output = own_file(folder, name)
        if (model / name).is_file():
            with open_write(output) as stream, (model / name).open("rb") as given:
                shutil.copyfileobj(given, stream)
            continue
        if progress is not None:
            progress(f"the model has no {name}: making it from the model's training text")
        side = TARGET if ".target." in name else SOURCE
        if name.startswith("classes."):
            count = int(name.split(".")[2])
            train_classes(text.side(side), count).write(output)
        else:
            write_counted(output, text.frequent(side, None if template.uncommon else KEPT))


class _TrainingText:
    """The training text of a model, read when it is needed."""

    def __init__(self, model: Path) -> None:
        self.model = model

    def side(self, name: str) -> Sentences:
        return self._bitext.source if name == SOURCE else self._bitext.target

    def frequent(self, name: str, most: int | None) -> Counted:
        size = max(len(self._bitext.source.vocabulary), len(self._bitext.target.vocabulary))
        source, target = frequent_words(self._bitext, size if most is None else most)
        return source if name == SOURCE else target

    def check(self) -> Path:
        """Return the folder of the text; an InputError if it is not there."""
        home = Model.read(self.model).home if (self.model / FEATURES_FILE).is_file() else self.model
        if not home.is_dir():
            raise InputError(
                "is not there, but {model} adds parts to it, and word lists and classes would be made from"
                " its training text; if it was moved, run `tunesmith xbleu attach` again",
                path=home,
                model=self.model,
            )
        for name in (SOURCE, TARGET):
            if not (home / name).is_file():
                raise InputError(
                    f"has no training text ({name}), from which word lists and classes could be made; put"
                    " them there: `tunesmith extract words` and `tunesmith classes` make them from text",
                    path=home,
                )
        return home

    @cached_property
    def _bitext(self) -> Bitext:
        home = self.check()
        return Bitext.read(home / SOURCE, home / TARGET)

"""What the lexical templates share: classes in place of words, and whitelists."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Self

from tunesmith import _native
from tunesmith.features.base import Values
from tunesmith.features.labels import Labels, is_label, label_of
from tunesmith.features.whitelist import Whitelist
from tunesmith.options import check_options, option

__all__ = ["SOURCE_CLASSES", "TARGET_CLASSES", "Lexical"]

SOURCE_CLASSES, TARGET_CLASSES = "classes.source.{}.txt", "classes.target.{}.txt"
"""Files of a model with this number of classes, as `tunesmith train --classes` writes them."""


@dataclass(frozen=True)
class Lexical:
    """Options of all templates whose names contain words.

    With `classes`, words are replaced by their classes in the model, and `C` and the number of classes are
    appended to the default name. `only` is a file with the names of the only features, and maybe counts;
    those counted fewer than `least` times are left out. The other fields are filled from the model.
    """

    name: str = ""
    classes: int = option(0, help="Number of classes in place of words; 0: words.", least=0)
    only: str = option("", help="File with the only features, and maybe a tab and a count.")
    least: float = option(1, help="Smallest count of features of that file.")
    source_labels: Labels | None = None
    target_labels: Labels | None = None
    whitelist: Whitelist | None = None

    def __post_init__(self) -> None:
        default = next(field.default for field in fields(self) if field.name == "name")
        if self.classes and self.name == default:
            object.__setattr__(self, "name", f"{default}C{self.classes}")
        check_options(self, self.name)
        if self.only and self.whitelist is None:
            object.__setattr__(self, "whitelist", Whitelist.read(Path(self.only), self.least))

    def with_lists(self, directory: Path) -> Self:
        """Return the template with its classes, read from the folder of a model."""
        if not self.classes:
            return self
        return replace(
            self,
            source_labels=Labels.read_classes(directory, SOURCE_CLASSES.format(self.classes)),
            target_labels=Labels.read_classes(directory, TARGET_CLASSES.format(self.classes)),
        )

    def source_label(self, word: str) -> str:
        """Return what names have for a source word; nothing if it has no features."""
        return label_of(self.source_labels, word)

    def target_label(self, word: str) -> str:
        """Return what names have for a target word; nothing if it has no features."""
        return label_of(self.target_labels, word)

    def admits(self, name: str) -> bool:
        """Return whether a name has the template's form and labels of its words, and is on its whitelist."""
        own, length = self.name, len(self.name)
        if not name.startswith(own) or name[length : length + 1] != "_":
            return False
        if self.whitelist is not None and name not in self.whitelist.names:
            return False
        return self.admits_parts(name[length + 1 :].split("_"))

    def admits_parts(self, parts: list[str]) -> bool:
        """Return whether what follows the name of the template may be in the name of a feature."""
        return True

    def is_source(self, part: str) -> bool:
        """Return whether a part of a name is the label of a source word."""
        return is_label(self.source_labels, part)

    def is_target(self, part: str) -> bool:
        """Return whether a part of a name is the label of a target word."""
        return is_label(self.target_labels, part)

    def reduced(self, values: Values) -> Values:
        """Return the features that the whitelist allows."""
        return values if self.whitelist is None else self.whitelist.reduce(values)

    def native_parts(
        self,
    ) -> tuple[str, _native.WordLabels | None, _native.WordLabels | None, _native.NameFilter | None]:
        """Return the arguments of native twins: name, labels of both sides, whitelist."""
        return (
            self.name,
            None if self.source_labels is None else self.source_labels.native,
            None if self.target_labels is None else self.target_labels.native,
            None if self.whitelist is None else self.whitelist.native,
        )

"""Feature templates as sparse feature functions of Moses: lines of the ini, lists, and names of weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from tunesmith.errors import InputError
from tunesmith.features.base import Template
from tunesmith.features.label_sets import LabelSets
from tunesmith.features.lengths import Lengths
from tunesmith.features.record import template_record
from tunesmith.features.sparse_reordering import SparseReordering
from tunesmith.features.target_bigrams import TargetBigrams
from tunesmith.features.word_deletion import WordDeletion
from tunesmith.features.word_insertion import WordInsertion
from tunesmith.features.word_parts import word_of, word_part
from tunesmith.features.word_translations import WordTranslations
from tunesmith.files import PathLike, open_write
from tunesmith.model.moses_ini import MosesFeature
from tunesmith.model.moses_names import to_moses
from tunesmith.model.moses_sparse_reordering import SIDES, SparseArguments

__all__ = ["ExportedTemplates"]

_CONTEXT = {"simple": "1", "source-context": "0", "target-context": "0"}
_KINDS: dict[type[Template], tuple[str, dict[str, str]]] = {
    TargetBigrams: ("TargetBigramFeature", {"factor": "0", "path": "*"}),
    WordTranslations: ("WordTranslationFeature", {"input-factor": "0", "output-factor": "0", **_CONTEXT}),
    Lengths: ("PhraseLengthFeature", {}),
    WordDeletion: ("SourceWordDeletionFeature", {"factor": "0"}),
    WordInsertion: ("TargetWordInsertionFeature", {"factor": "0"}),
}


@dataclass(frozen=True)
class ExportedTemplates:
    """The templates of a model, all of which have a counterpart in Moses."""

    templates: tuple[Template, ...]
    reordering: tuple[MosesFeature, ...]

    @classmethod
    def of(
        cls, templates: Iterable[Template], reordering: Iterable[MosesFeature], model: PathLike
    ) -> ExportedTemplates:
        """Return those of a model with these reordering features; others are an InputError."""
        found = cls(tuple(templates), tuple(reordering))
        foreign = [each for each in found.templates if not found._has_counterpart(each)]
        if foreign:
            record = template_record(foreign[0])
            raise InputError(
                f"cannot be exported: Moses has no counterpart of the template {record['name']} with the"
                f" options {record['options']}",
                path=model,
            )
        return found

    def features(self) -> list[MosesFeature]:
        """Return the features of the ini, those of reordering with what is sparse."""
        made = [self._with_sparse(feature) for feature in self.reordering]
        for template in self.templates:
            if type(template) in _KINDS:
                kind, arguments = _KINDS[type(template)]
                lists = [("path", name) for name in _lists(template)]
                made.append(MosesFeature(kind, template.name, arguments | dict(lists)))
        return made

    def write_lists(self, folder: Path) -> None:
        """Write the lists of words and classes."""
        for template in self.templates:
            for name, lines in _lists(template).items():
                with open_write(folder / name) as stream:
                    stream.write("".join(f"{line}\n" for line in lines).encode())

    def renamed(self, weights: Mapping[str, float]) -> dict[str, float]:
        """Return the weights of the templates' features under the names of Moses."""
        sparse = {each.name: SparseArguments(each) for each in map(self._with_sparse, self.reordering)}
        renamed = {}
        for template in self.templates:
            rule: Callable[[str], str] = partial(to_moses, template)
            if isinstance(template, SparseReordering):
                rule = sparse[template.name].original
            for name, value in weights.items():
                if name != template.name and template.owns(name):
                    rest = name.removeprefix(f"{template.name}_")
                    renamed[f"{template.name}_{rule(rest)}"] = value
        return renamed

    def _has_counterpart(self, template: Template) -> bool:
        if getattr(template, "whitelist", None) is not None:
            return False
        if not isinstance(template, SparseReordering):
            return type(template) in _KINDS and getattr(template, "classes", 0) == 0
        plain = replace(template, source_labels=None, target_labels=None)
        made = [self._with_sparse(each) for each in self.reordering if each.name == template.name]
        return any(replace(SparseArguments(each).template(), top=template.top) == plain for each in made)

    def _with_sparse(self, feature: MosesFeature) -> MosesFeature:
        """Return a reordering feature with the arguments of the template of its name."""
        for template in self.templates:
            if isinstance(template, SparseReordering) and template.name == feature.name:
                lists = {f"sparse-{key}": name for key, name in _arguments(template)}
                parts = {"phrase": template.phrase, "stack": template.stack != "none"}
                used = {f"sparse-{k}": "1" for k, on in (*parts.items(), ("between", template.between)) if on}
                return replace(feature, arguments={**feature.arguments, **lists, **used})
        return feature


def _arguments(template: SparseReordering) -> Iterator[tuple[str, str]]:
    """Yield `words-source-top` and the like with the names of files."""
    for name in _lists(template):
        kind, label, side = name.removeprefix(f"{template.name}.").split(".")
        yield f"{kind}-{side}-{label}", name


def _lists(template: Template) -> dict[str, list[str]]:
    """Return the lines of a template's lists by the names of their files."""
    if isinstance(template, WordDeletion | WordInsertion):
        labels = template.source_labels if isinstance(template, WordDeletion) else template.target_labels
        return {f"{template.name}.words": list(labels.of if labels else ())}
    if not isinstance(template, SparseReordering):
        return {}
    lists: dict[str, list[str]] = {}
    for side, sets in zip(SIDES, (template.source_labels, template.target_labels), strict=True):
        known = (sets or LabelSets({})).of
        words = [word for word, row in known.items() if f"w_{word_part(word)}" in row]
        lists[f"{template.name}.words.top.{side}"] = words
        for count in template.classes:
            start = f"C{count}_c"
            lists[f"{template.name}.clusters.{count}.{side}"] = [
                f"{word}\t{word_of(label.removeprefix(start))}"
                for word, row in known.items()
                for label in row
                if label.startswith(start)
            ]
    return lists

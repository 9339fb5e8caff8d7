"""A model: its parts, weights and settings, and the file in its directory that lists them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from tunesmith import _native
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.folds import fold_mask
from tunesmith.extract.grammar import RuleTable
from tunesmith.extract.rules import RuleOptions
from tunesmith.extract.suffix_array import LONGEST_SPAN, GrammarExtractor, GrammarOptions, SuffixIndex
from tunesmith.features.base import Template
from tunesmith.features.record import check_lists, template_of
from tunesmith.features.sparse_reordering import SparseReordering
from tunesmith.files import PathLike, open_write
from tunesmith.json_files import check_record, read_json, record_of
from tunesmith.lm import LanguageModel
from tunesmith.model.file_names import leads_out, resolved, with_file_names
from tunesmith.model.manifest import Manifest
from tunesmith.model.part_records import (
    MAPPED_WEIGHTS,
    Chosen,
    LanguageModelPart,
    PhrasePart,
    ReorderingPart,
    RulePart,
    RuleSource,
    TrainedReorderingPart,
    checked_number,
)
from tunesmith.named_files import check_regular, inside, unquoted
from tunesmith.tables import PhraseTable
from tunesmith.types import BoolArray
from tunesmith.weights import Weights

__all__ = [
    "DISTORTION_LIMIT",
    "FEATURES_FILE",
    "RECASER",
    "START_FILE",
    "TRUECASERS",
    "WEIGHTS_FILE",
    "Chosen",
    "DecoderKind",
    "LanguageModelPart",
    "Model",
    "PhrasePart",
    "ReorderingPart",
    "RulePart",
    "RuleSource",
    "TrainedReorderingPart",
]

FEATURES_FILE, START_FILE, WEIGHTS_FILE = "features.json", "weights.start.json", "weights.json"
TRUECASERS = ("truecaser.source.txt", "truecaser.target.txt")
RECASER = "recaser.target.txt"
FORMAT, VERSION = "tunesmith-features", 1
DISTORTION_LIMIT = 6
"""Of models without this setting; training chooses by its text (`model.search_settings`)."""

DecoderKind = Literal["phrase", "chart"]

_OF_TEXT = {
    "tokenize": Literal["moses", "none"],
    "case": Literal["lower", "true", "keep"],
    "characters": Literal["clean", "keep"],
    "folder": str,
}
"""Types of what a model records about the preparation of its text."""


@dataclass(frozen=True)
class Model:
    """The parts of a model, whose files are mapped from its directory.

    `penalties` are the features without files, their kinds by name. All models may have WordPenalty,
    PhrasePenalty, UnknownWordPenalty and InputFeature (the values of lattices' arcs); models of phrases also
    Distortion; models with rules also SourceWords, PassThrough, Arity0, Arity1, Arity2 and LmUnknown (see
    `extract.rule_features`), named NAME_OOV for the language model NAME. Weights are named as in Moses'
    n-best lists, so that weights tuned on lists fit. Sparse scores of phrase tables are features too, with
    weights of 0 if none are given. `text` records how text was prepared; input must be prepared in the same
    way. `templates` are records of feature templates that belong to the model (see `features.record`).
    `base` is the directory of the trained model that this one adds parts to, if any: its text, counts and
    folds are there. `chosen` says of settings that training chose, in `settings` or in parts, why they have
    their values.
    """

    directory: Path
    phrase_tables: tuple[PhrasePart, ...]
    reordering: tuple[ReorderingPart, ...]
    language_models: tuple[LanguageModelPart, ...]
    penalties: Mapping[str, str]
    settings: Mapping[str, int]
    weights: Weights
    rules: tuple[RulePart, ...] = ()
    text: Mapping[str, Any] = field(default_factory=dict)
    templates: tuple[Mapping[str, Any], ...] = ()
    trained_reordering: tuple[TrainedReorderingPart, ...] = ()
    base: str = ""
    chosen: Mapping[str, Chosen] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        """The directory with the text, counts and folds that the model was trained on."""
        return Path(self.base) if self.base else self.directory

    @property
    def record(self) -> dict[str, Any]:
        """The list of parts as stored in the directory; weights have their own file."""
        record = asdict(self)
        del record["directory"], record["weights"]
        record["rules"] = [part.record for part in self.rules]
        for name in ("templates", "trained_reordering", "base", "chosen"):
            if not record[name]:
                del record[name]
        return {"format": FORMAT, "version": VERSION, **record}

    def write(self) -> None:
        """Write the list of parts and the start weights into the directory."""
        text = json.dumps(self.record, indent=1, ensure_ascii=False)
        with open_write(self.directory / FEATURES_FILE) as stream:
            stream.write(text.encode() + b"\n")
        self.weights.write(self.directory / START_FILE)

    @classmethod
    def open(cls, directory: PathLike, *, verify: bool = False) -> Model:
        """Open a finished model; `verify` compares the checksums of all its files (`Manifest.check`).

        The weights are those of `weights.json` (tuned ones), or else the start weights. Files outside of the
        directory must be those that the manifest records (`Manifest.check_outside`).
        """
        manifest = Manifest.read(directory)
        manifest.check(directory, verify=verify)
        model = cls.read(directory)
        manifest.check_outside(directory, model.outside(), verify=verify)
        return model

    def own_templates(self) -> list[Template]:
        """Return the feature templates that belong to the model, with their word lists."""
        opened = []
        for record in self.templates:
            opened.append(template_of(record).with_lists(self.directory))
            check_lists(opened[-1], record)
        return opened

    def trained_template(self, number: int = 0) -> SparseReordering:
        """Return the template of a trained reordering model, with its word lists."""
        part = self.trained_reordering[number]
        for name in part.lists:
            self._regular(f"{part.folder}/{name}")
        try:
            if "only" in part.template["options"]:
                raise ValueError("it names a file of its own")
            template = template_of(part.template)
            if not isinstance(template, SparseReordering) or template.name != part.name:
                raise ValueError("it is not one of orientations with this name")
            opened = template.with_lists(self.directory / part.folder)
            check_lists(opened, part.template)
        except (KeyError, TypeError, ValueError, AttributeError, OptionError) as error:
            raise InputError(
                f"has the reordering model {part.name!r} with a template that cannot be used"
                f" ({error!s:.200})",
                path=self.directory,
            ) from None
        return opened

    def trained_weights(self, number: int = 0) -> _native.MappedWeights:
        """Map the weights of a trained reordering model."""
        path = self._regular(f"{self.trained_reordering[number].folder}/{MAPPED_WEIGHTS}")
        return _native.MappedWeights(str(path))

    def phrase_table(self, number: int = 0) -> PhraseTable:
        """Map a phrase table."""
        return PhraseTable.open(self._regular(self.phrase_tables[number].path))

    def sparse_names(self) -> frozenset[str]:
        """Return the names of the sparse scores of phrase tables: `TABLE_NAME`."""
        return frozenset(
            f"{part.name}_{name}"
            for number, part in enumerate(self.phrase_tables)
            for name in self.phrase_table(number).sparse_names
        )

    def language_model(self, number: int = 0) -> LanguageModel:
        """Map a language model."""
        part = self.language_models[number]
        classes = None if part.classes is None else self._regular(part.classes)
        with unquoted("the model"):
            return LanguageModel.open(self._regular(part.path or part.arpa or ""), class_file=classes)

    def _regular(self, name: str) -> Path:
        """Return the path of a file that is read; a pipe or a device, which could block, is an InputError."""
        path = self.directory / name
        check_regular(path)
        return path

    def anchored(self) -> Model:
        """Return the model with absolute paths."""
        home = self.directory.resolve()
        made = with_file_names(self, lambda name: str(home / name))
        has_files = self.text.get("case") in ("true", "lower")
        return replace(made, text={**self.text, "folder": str(self.text_file(""))}) if has_files else made

    @property
    def records_preparation(self) -> bool:
        """Whether the model knows how its text was tokenized and cased; imported ones do not."""
        return "tokenize" in self.text and "case" in self.text

    def text_file(self, name: str) -> Path:
        """Return the path of a file of preparation, such as a truecaser; it may be another model's."""
        return self.directory.resolve() / str(self.text.get("folder", "")) / name

    def files(self) -> dict[str, Path]:
        """Return the files of the parts, by name."""
        return {name: self.directory / path for name, path in self.parts().items()}

    def parts(self) -> dict[str, str]:
        """Return the files of the parts as `features.json` names them."""
        named = {part.name: part.path for part in self.phrase_tables}
        named |= {part.name: part.path for part in self.rules}
        named |= {f"{part.name} folds": part.folds for part in self.rules}
        named |= {part.name: part.path or part.arpa or "" for part in self.language_models}
        named |= {f"{part.name} classes": part.classes or "" for part in self.language_models}
        for trained in self.trained_reordering:
            named |= trained.files()
        return {name: path for name, path in named.items() if path}

    def text_files(self) -> dict[str, Path]:
        """Return the files of preparation that exist, by name: truecasers and the recaser."""
        named = {name: self.text_file(name) for name in (*TRUECASERS, RECASER)}
        return {name: path for name, path in named.items() if path.exists()}

    def outside(self) -> dict[str, Path]:
        """Return the files that are read and have absolute names, as inputs of steps are labeled."""
        names = {label: path for label, path in self.parts().items() if Path(path).is_absolute()}
        found = {label: Path(path) for label, path in names.items()}
        if Path(str(self.text.get("folder", ""))).is_absolute():
            found |= self.text_files()
        return found

    @property
    def distortion_limit(self) -> int:
        """The default distortion limit of a phrase decoder, in source words."""
        return self.settings.get("distortion_limit", DISTORTION_LIMIT)

    @property
    def search_defaults(self) -> dict[str, int]:
        """Options of the search that the model sets, where the decoder's defaults are not for it."""
        limit = self.settings.get("default_pop_limit")
        return {} if limit is None else {"pop_limit": limit}

    @property
    def early_distortion_cost(self) -> bool:
        """Whether Distortion is paid when words are skipped (Moore and Quirk 2007), not at each jump."""
        return bool(self.settings.get("early_distortion_cost", 0))

    @property
    def decoder_kind(self) -> DecoderKind:
        """The decoder for the model: "chart" if it has rules, with or without phrase tables."""
        return "chart" if self.rules else "phrase"

    def rule_source(self, number: int = 0) -> RuleTable | SuffixIndex | Path:
        """Map the rules, or the index that they are extracted from; return the path of a text."""
        part = self.rules[number]
        if part.source == "input":
            raise InputError(
                f"has no file of the rules {part.name!r}: they come with the input", path=self.directory
            )
        path = self._regular(part.path)
        if part.source == "text":
            return path
        return (SuffixIndex if part.source == "index" else RuleTable).open(path)

    def rule_index(self) -> tuple[SuffixIndex, GrammarOptions]:
        """Map the index that rules are extracted from; return it with its options, or raise InputError."""
        for number, part in enumerate(self.rules):
            source = self.rule_source(number) if part.source == "index" else None
            if isinstance(source, SuffixIndex):
                return source, self.grammar_options(number)
        raise InputError("has no index that rules are extracted from", path=self.directory)

    def rule_extractor(self, number: int = 0) -> GrammarExtractor:
        """Return the extractor of an index, without the sentence pairs of the part's excluded fold."""
        part, index = self.rules[number], self.rule_source(number)
        if not isinstance(index, SuffixIndex):
            raise InputError(f"has no index of the rules {part.name!r}", path=self.directory)
        excluded: BoolArray | tuple[()] = ()
        if part.folds:
            excluded = fold_mask(self._regular(part.folds), part.exclude_fold, len(index))
        return index.extractor(self.grammar_options(number), exclude=excluded)

    def grammar_options(self, number: int = 0) -> GrammarOptions:
        """Return the options of extraction from an index: the widest rules, loose if trained so.

        Models without the setting `max_rule_span` have one limit for extraction and decoding, the part's;
        those without `rule_breadth` have all rules.
        """
        span = self.settings.get("max_rule_span", self.rules[number].span_limit) or LONGEST_SPAN
        loose = bool(self.settings.get("loose_phrases", 0))
        return GrammarOptions(
            RuleOptions(max_span=span, max_target_span=span if loose else None, tight=not loose),
            breadth=self.settings.get("rule_breadth", 0),
        )

    @classmethod
    def read(cls, directory: PathLike) -> Model:
        """Read the list of parts and the weights of a directory, without checking other files.

        Names of files are those of files in the directory, or outside: an uncompiled language model, and the
        files of a model that this one was derived from, stay where the user named them. They are only read,
        and `open` compares them with the manifest. The names of these are absolute here, and in the list of
        parts they may be relative, `../model/LM0.lm`.
        """
        folder = Path(directory)
        path = folder / FEATURES_FILE
        if not path.is_file():
            raise InputError(
                f"has no {FEATURES_FILE}; expected a folder made by `tunesmith train` or `tunesmith import`",
                path=folder,
            )
        record = read_json(path, "a list of features")
        try:
            if (record.pop("format"), record.pop("version")) != (FORMAT, VERSION):
                raise InputError(f"expected format {FORMAT!r} version {VERSION}", path=path)
            check_record("penalties", dict[str, str], record["penalties"])
            check_record("settings", dict[str, int], record["settings"])
            check_record("text", dict[str, object], record["text"])
            for name, kind in _OF_TEXT.items():
                if name in record["text"]:
                    check_record(f"text {name!r}", kind, record["text"][name])
            model = cls(
                folder,
                tuple(PhrasePart.read(part) for part in record["phrase_tables"]),
                tuple(ReorderingPart.read(part) for part in record["reordering"]),
                tuple(LanguageModelPart.read(part) for part in record["language_models"]),
                record["penalties"],
                {name: checked_number(value, name, least=-1) for name, value in record["settings"].items()},
                Weights.read(_weights_file(folder), regular=True),
                tuple(RulePart.read(part) for part in record["rules"]),
                record["text"],
                tuple(record.get("templates", ())),
                tuple(TrainedReorderingPart.read(part) for part in record.get("trained_reordering", ())),
                str(record.get("base", "")),
                {name: record_of(Chosen, each) for name, each in record.get("chosen", {}).items()},
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"is not a list of features: {error}", path=path) from None
        for name in model._names():
            if not Path(name).is_absolute() and not leads_out(name):
                inside(folder, name, path=path)
        return with_file_names(model, lambda name: resolved(name, folder))

    def _names(self) -> list[str]:
        """Return all file names of the parts."""
        names = [part.path for part in self.phrase_tables]
        names += [name for part in self.rules for name in (part.path, part.folds)]
        names.append(str(self.text.get("folder", "")))
        names += [
            name or "" for part in self.language_models for name in (part.path, part.arpa, part.classes)
        ]
        names += [name for trained in self.trained_reordering for name in trained.files().values()]
        return [name for name in names if name]


def _weights_file(folder: Path) -> Path:
    """Return the file of the weights: those of tuning, else those to start from."""
    return folder / (WEIGHTS_FILE if (folder / WEIGHTS_FILE).exists() else START_FILE)

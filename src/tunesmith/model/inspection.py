"""What a model consists of: its settings and why they were chosen, its parts and their sizes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tunesmith.corpus.pair_counts import PairCounts
from tunesmith.corpus.word_order import WordOrder
from tunesmith.extract.grammar import RuleTable
from tunesmith.extract.suffix_array import SuffixIndex
from tunesmith.files import PathLike, read_lines
from tunesmith.model.manifest import MANIFEST, Manifest
from tunesmith.model.model import WEIGHTS_FILE, Model
from tunesmith.model.part_records import ReorderingPart
from tunesmith.model.parts.names import COUNTS, PAIRS, WORD_ORDER
from tunesmith.tables.reordering import ReorderingSpec

__all__ = ["OF", "InspectedPart", "InspectedSetting", "Inspection", "inspect_model"]

OF = " of "
"""What is between an option and the part of the model that it is for, in the name of a setting."""

_LIMITS = (4, 6, 8, 10, 12, 16, 20)
"""Limits for which the shares of the text that they allow are reported."""


@dataclass(frozen=True)
class InspectedSetting:
    """A setting of the model, and why it has its value, if that is recorded."""

    name: str
    value: int
    reason: str


@dataclass(frozen=True)
class InspectedPart:
    """A part of the model: what it is, how many entries it has, and the size of its file."""

    name: str
    what: str
    contents: str
    entries: int
    bytes: int


@dataclass(frozen=True)
class Inspection:
    """What is known of a model without translating anything.

    `outside` are the files that it reads and that are not in its directory.
    Shares of the training text by limit: `jumps` that a distortion limit allows, and `pairs_by_jump`, the
    sentence pairs whose jumps it all allows; `spans`, source words that are not in wider reordered segments,
    and `pairs_by_span`, the sentence pairs without such segments. `cleaned` says how many pairs of the raw
    text were kept, and why the others were dropped; earlier versions did not record it.
    """

    directory: Path
    kind: str
    origin: str
    version: str
    decoder: str
    pairs: int | None
    source_words: int | None
    target_words: int | None
    unaligned: float | None
    settings: tuple[InspectedSetting, ...]
    parts: tuple[InspectedPart, ...]
    text: dict[str, Any]
    weights: dict[str, float]
    tuned: bool
    templates: tuple[str, ...]
    bytes: int
    outside: dict[str, str]
    jumps: dict[int, float] = field(default_factory=dict)
    spans: dict[int, float] = field(default_factory=dict)
    pairs_by_jump: dict[int, float] = field(default_factory=dict)
    pairs_by_span: dict[int, float] = field(default_factory=dict)
    cleaned: PairCounts | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {**asdict(self), "directory": str(self.directory)}


def inspect_model(directory: PathLike) -> Inspection:
    """Describe the model of a directory; its files are mapped, not read."""
    model, manifest = Model.open(directory), Manifest.read(directory)
    measured = model.home / WORD_ORDER
    order = WordOrder.read(measured) if measured.is_file() else None
    counted = model.home / PAIRS
    own = [Path(directory) / name for name in manifest.files]
    known = {path.resolve() for path in own}
    outside = [path for path in model.files().values() if path.resolve() not in known]
    return Inspection(
        Path(directory),
        manifest.kind,
        manifest.origin,
        manifest.tunesmith,
        model.decoder_kind,
        None if order is None else order.pairs,
        None if order is None else order.source_words,
        None if order is None else order.target_words,
        None if order is None else order.unaligned,
        tuple(_settings(model)),
        tuple(_parts(model)),
        {name: value for name, value in model.text.items() if value is not None},
        dict(model.weights),
        (Path(directory) / WEIGHTS_FILE).exists(),
        tuple(str(record["name"]) for record in model.templates),
        sum(_size(path) for path in [*own, *outside]),
        {label: str(path) for label, path in model.outside().items()},
        **({} if order is None else _shares(order)),
        cleaned=PairCounts.read(counted) if counted.is_file() else None,
    )


def _shares(order: WordOrder) -> dict[str, dict[int, float]]:
    measured = {
        "jumps": order.share_of_jumps,
        "pairs_by_jump": order.share_of_pairs_by_jump,
        "spans": order.share_of_words,
        "pairs_by_span": order.share_of_pairs_by_span,
    }
    return {name: {limit: share(limit) for limit in _LIMITS} for name, share in measured.items()}


def _settings(model: Model) -> Iterator[InspectedSetting]:
    limits = dict(model.settings)
    if model.decoder_kind == "phrase":
        limits = {"distortion_limit": model.distortion_limit, **limits}
    for part in model.rules:
        if part.source != "text" or part.span_limit:
            limits |= {_of("span_limit", part.name): part.span_limit}
            limits |= {_of("table_limit", part.name): part.table_limit}
    limits |= {_of("table_limit", table.name): table.table_limit for table in model.phrase_tables}
    for name, value in limits.items():
        chosen = model.chosen.get(name.partition(OF)[0])
        yield InspectedSetting(name, value, "" if chosen is None else chosen.reason)


def _of(option: str, part: str) -> str:
    return f"{option}{OF}{part}"


def _parts(model: Model) -> Iterator[InspectedPart]:
    files = model.files()
    for number, phrases in enumerate(model.phrase_tables):
        table = model.phrase_table(number)
        what = f"phrase table, up to {table.longest_source} source words"
        yield InspectedPart(phrases.name, what, "phrase pairs", len(table), _size(files[phrases.name]))
    for part in model.reordering:
        begin, end = part.columns
        what = f"reordering, {part.type}{_events(model, part)}"
        yield InspectedPart(part.name, what, "probabilities per pair", end - begin, 0)
    for number, trained in enumerate(model.trained_reordering):
        size = sum(_size(path) for name, path in files.items() if name.startswith(f"{trained.name} "))
        count = len(model.trained_weights(number))
        yield InspectedPart(trained.name, "trained reordering", "weights", count, size)
    for number in range(len(model.rules)):
        yield _rules(model, number)
    for number, lm in enumerate(model.language_models):
        count = sum(model.language_model(number).counts)
        tokens = "classes" if lm.classes else f"{lm.tokens} tokens" if lm.tokens != "words" else "words"
        what = f"{lm.order}-gram language model of {tokens}"
        yield InspectedPart(lm.name, what, "n-grams", count, _size(files[lm.name]))


def _events(model: Model, part: ReorderingPart) -> str:
    """Return what a reordering model of phrases or blocks counted, if the folder of its table records it."""
    folder = model.files()[model.phrase_tables[0].name].parent
    if not (folder / MANIFEST).is_file():
        return ""
    steps = Manifest.read(folder).steps.values()
    found = [step.options["orientation_events"] for step in steps if "orientation_events" in step.options]
    if not found and any(COUNTS in step.outputs for step in steps):
        found = ["moses"]  # what models counted before there was the option
    if not found or ReorderingSpec.parse(part.type).model == "wbe":
        return ""
    return f", orientation events: {found[0]}"


def _rules(model: Model, number: int) -> InspectedPart:
    part = model.rules[number]
    if part.source == "input":
        return InspectedPart(part.name, "rules that come with the input", "", 0, 0)
    source = model.rule_source(number)
    if isinstance(source, SuffixIndex):
        what, contents, count = "index, for rules on demand", "sentence pairs", len(source)
    elif isinstance(source, RuleTable):
        what, contents, count = "table of rules", "rules", len(source)
    else:
        what, contents, count = (
            "text of rules",
            "rules",
            sum(bool(line.strip()) for line in read_lines(source)),
        )
    return InspectedPart(part.name, what, contents, count, _size(model.files()[part.name]))


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0

"""The model of rules that is re-estimated: its table, or that of all rules of its index."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tunesmith.corpus import Alignments, Bitext
from tunesmith.errors import InputError
from tunesmith.extract.grammar import RuleTable
from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.rules import RuleOptions, extract_rules
from tunesmith.files import PathLike
from tunesmith.model.manifest import Manifest
from tunesmith.model.model import Model, RulePart
from tunesmith.model.parts.names import ALIGNED, LEXICON, RULES
from tunesmith.reestimate.baseline import Baseline
from tunesmith.reestimate.counted_parts import counted_part
from tunesmith.reestimate.rule_columns import RuleColumns

__all__ = ["RuleBaseline", "open_baseline"]

MEMORY = 2 << 30
"""Bytes for counts of extracted rules; beyond, they go to files."""


@dataclass(frozen=True)
class RuleBaseline(Baseline):
    """A hierarchical model with one table or one index of rules."""

    @property
    def number(self) -> int:
        """The number of the re-estimated part among the rules of the model."""
        return next(number for number, part in enumerate(self.model.rules) if part.source != "text")

    @property
    def part(self) -> RulePart:
        """The part of the model that is re-estimated."""
        return self.model.rules[self.number]

    @property
    def path(self) -> Path:
        """The file of the table or index."""
        return Path(self.model.anchored().rules[self.number].path)

    @property
    def has_index(self) -> bool:
        """Whether rules are extracted on demand."""
        return counted_part(self.model) == "index"

    @property
    def rule_options(self) -> RuleOptions:
        """The limits with which rules are extracted."""
        if self.has_index:
            return self.model.grammar_options(self.number).rules
        known = self._options(RULES)
        return RuleOptions(**known) if known else RuleOptions(max_span=self.part.span_limit or 10)

    @property
    def inputs(self) -> dict[str, Path]:
        """The files that the table of all rules is made of: itself, or the text of the index."""
        if not self.has_index:
            return {"baseline table": self.path}
        files = {name: self.model.home / name for name in (*ALIGNED, LEXICON)}
        for path in files.values():
            if not path.is_file():
                raise InputError(
                    "is missing, but rules of an index are extracted from it: train the model again",
                    path=path,
                )
        return files

    @property
    def columns(self) -> RuleColumns:
        """The probabilities among the features of the table; one that cannot be re-estimated is an error."""
        if self.has_index:
            return RuleColumns.extracted()
        return RuleColumns.of(RuleTable.open(self.path))

    def rule_table(
        self,
        scratch: Path,
        threads: int | None,
        progress: Callable[[str], None] = lambda line: None,
        *,
        only: RuleTable | None = None,
    ) -> RuleTable:
        """Return the table of all rules; those of an index are extracted into the folder `scratch`.

        With `only`, these are the rules of its source sides alone, so that memory is enough for any text.
        """
        files = self.inputs
        if not self.has_index:
            return RuleTable.open(self.path)
        progress("extracting rules of the text")
        source, target, links = (files[name] for name in ALIGNED)
        bitext = Bitext.read(source, target)
        return extract_rules(
            bitext,
            Alignments.read(links, bitext),
            self.rule_options,
            lexicon=Lexicon.open(files[LEXICON]),
            only=only,
            threads=threads,
            memory=MEMORY,
            temporary=scratch,
            progress=progress,
        ).save(scratch / "all-rules.bin")


def open_baseline(directory: PathLike) -> Baseline:
    """Open a model of phrases or of rules; one that cannot be re-estimated is an InputError."""
    model = Model.open(directory)
    if counted_part(model) == "phrases":
        return Baseline.open(directory)
    baseline = RuleBaseline(model, Manifest.read(model.home))
    _ = baseline.columns  # an error before all work
    return baseline

"""The steps for hierarchical rules: an index for extraction on demand, or a table of all rules."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.rules import RuleOptions, extract_rules
from tunesmith.extract.suffix_array import SuffixIndex
from tunesmith.memory import parse_bytes
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts.names import ALIGNED, LEXICON, RULES, SUFFIX, read_aligned
from tunesmith.model.parts.word_order import read_word_order
from tunesmith.model.search_settings import rule_options
from tunesmith.model.steps import BuildStep, Workshop

__all__ = ["build_suffix_index", "extract_rule_table"]


def build_suffix_index(options: TrainingOptions) -> BuildStep:
    """Return the step that indexes the aligned text."""

    def run(shop: Workshop) -> None:
        bitext, alignments = read_aligned(shop)
        SuffixIndex.build(bitext, alignments, shop[SUFFIX], threads=options.threads, progress=shop.progress)

    return BuildStep("suffix array", (SUFFIX,), run, needs=ALIGNED)


def extract_rule_table(options: TrainingOptions) -> BuildStep:
    """Return the step that extracts and scores all rules; their limits may depend on the text."""

    def limits(directory: Path) -> RuleOptions:
        return rule_options(options, read_word_order(directory))

    def run(shop: Workshop) -> None:
        bitext, alignments = read_aligned(shop)
        extract_rules(
            bitext,
            alignments,
            limits(shop.directory),
            lexicon=Lexicon.open(shop[LEXICON]),
            threads=options.threads,
            memory=parse_bytes(options.memory),
            temporary=options.temporary or shop.scratch,
            progress=shop.progress,
        ).save(shop[RULES])

    def wanted(directory: Path) -> dict[str, Any]:
        return asdict(limits(directory))

    return BuildStep("rules", (RULES,), run, needs=(*ALIGNED, LEXICON), options=wanted)

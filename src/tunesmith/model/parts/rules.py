"""The steps for hierarchical rules: an index for extraction on demand, or a table of all rules."""

from __future__ import annotations

from dataclasses import asdict

from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.rules import RuleOptions, extract_rules
from tunesmith.extract.suffix_array import SuffixIndex
from tunesmith.memory import parse_bytes
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts.names import ALIGNED, LEXICON, RULES, SUFFIX, read_aligned
from tunesmith.model.steps import BuildStep, Workshop

__all__ = ["build_suffix_index", "extract_rule_table"]


def build_suffix_index(options: TrainingOptions) -> BuildStep:
    """Return the step that indexes the aligned text."""

    def run(shop: Workshop) -> None:
        bitext, alignments = read_aligned(shop)
        SuffixIndex.build(bitext, alignments, shop[SUFFIX], threads=options.threads, progress=shop.progress)

    return BuildStep("suffix array", (SUFFIX,), run, needs=ALIGNED)


def extract_rule_table(options: TrainingOptions) -> BuildStep:
    """Return the step that extracts and scores all rules."""
    rules = RuleOptions(
        max_span=options.max_rule_span,
        max_target_span=options.max_rule_span if options.loose_phrases else None,
        tight=not options.loose_phrases,
    )

    def run(shop: Workshop) -> None:
        bitext, alignments = read_aligned(shop)
        extract_rules(
            bitext,
            alignments,
            rules,
            lexicon=Lexicon.open(shop[LEXICON]),
            threads=options.threads,
            memory=parse_bytes(options.memory),
            temporary=options.temporary or shop.scratch,
            progress=shop.progress,
        ).save(shop[RULES])

    return BuildStep("rules", (RULES,), run, needs=(*ALIGNED, LEXICON), options=asdict(rules))

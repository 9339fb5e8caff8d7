"""Counts of the rules that derivations use."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tunesmith import _native
from tunesmith.corpus import Vocabulary
from tunesmith.extract.lexicon import Lexicon
from tunesmith.files import PathLike
from tunesmith.reestimate.counting import NbestWeight, UseCounts, counted
from tunesmith.reestimate.oracle_text import OracleText
from tunesmith.reestimate.rule_columns import RuleColumns
from tunesmith.reestimate.table import empty_lexicon
from tunesmith.texts import Texts

__all__ = ["count_rule_uses"]


def count_rule_uses(
    files: Sequence[PathLike],
    uses: PathLike,
    columns: RuleColumns,
    *,
    nbest_weight: NbestWeight = "count",
    relex: bool = False,
    threads: int | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> UseCounts:
    """Count the rules of derivations into a table of rules, scored as extracted ones are.

    Each use counts as in `count_uses`. p(e|f) and p(f|e) are relative frequencies, as of extracted rules;
    with `relex` lexical weights are those of the links of the best derivations; without, they mean nothing.
    Glue rules, and words that are passed through, are not counted. Memory for the distinct rules.
    """
    counter, found = counted(
        _native.RuleUses, files, nbest_weight, one="rule", several="rules", progress=progress
    )
    lexicon = empty_lexicon()
    if relex:
        text = OracleText.read(files, untabled=False)
        lexicon = Lexicon.estimate(text.bitext, text.alignments, threads=threads)
    words = Vocabulary(Texts(*counter.words()))
    probabilities = lexicon.renumbered(words, words).probabilities()
    counter.write(str(uses), probabilities, columns.are_moses, columns.counted_names, "{}")
    return found

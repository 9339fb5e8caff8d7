"""Limits of the search, and which phrases rules are made of: as given, or as the training text needs them.

The text is read through its word alignments (`corpus.word_order`): how far apart the source words of
neighbors in the target stand, and how wide the spans are in which words change places. No language is known
here.
"""

from __future__ import annotations

from collections.abc import Callable

from tunesmith.corpus.word_order import WordOrder
from tunesmith.extract.rules import RuleOptions
from tunesmith.extract.suffix_array import LONGEST_SPAN
from tunesmith.model.options import TrainingOptions
from tunesmith.model.part_records import Chosen

__all__ = ["choose_distortion_limit", "choose_rule_settings", "rule_options"]

JUMPS = 0.99
"""Share of the jumps that a distortion limit has to allow; 97% is not enough.

Weights of `mira` tuned per limit on a part of dev, and BLEU of other sentences, never of a test set:
Japanese-English (50,000 training pairs) 8: 30.3, 10: 33.5, 12: 36.3, 14: 37.1, which allow 90, 97, 99 and
100% of the jumps; Europarl German-English (20,000 pairs) 6: 20.3, 9: 20.4, 12: 20.4, 16: 20.3."""
LIMITS = range(12, 17)
"""Distortion limits that are chosen, at least 12 where Moses has 6 for all.

Searches use longer jumps than the alignments of a text show: on `select` text English-Japanese has 36.4 BLEU
with 9, which allows 99% of the jumps, and 36.7, 36.9 and 36.5 with 10, 12 and 14, and others are as good with
12 as with the least limit for 99% (German-English 35.4 and 35.4, French-English 45.7 and 45.7; two seeds;
experiments/defaults/RESULTS.md). On Europarl, tuning with 9, 12 and 16 took 1.10, 1.18 and 1.31 times the
CPU seconds of 6."""
WORDS = 0.96
"""Share of the source words that have to be outside of reordered segments wider than the span limit."""
SPANS = range(10, 17)
"""Span limits that are chosen; 10 is Chiang's (2007). On 120 sentences of the select text of
Japanese-English, with loose rules and the same weights, 13 and 16 have 36.4 and 36.3 BLEU. For 12 sentences
of Europarl, `decode` took 1.3 times the CPU seconds with 16 instead of 10, tight."""
UNALIGNED = 0.2
"""Share of unaligned words, of the side that has more, from which on rules may begin and end with them.

With weights of `mira`, loose rules gain 0.6 (Europarl French-English, 25%), 1.8 (Chinese-English, 22%) and 6
to 10 BLEU (English and Japanese, 35%) on `select` text, and change it by -0.3 to +0.1 on Multi30k (German and
French, 16%). Decoding takes 1.5 to 4 times the CPU seconds, with Europarl's long sentences 8 times
(experiments/defaults/RESULTS.md)."""
BREADTH = 40
"""Target sides of a source side, of rules that are extracted on demand; 20 lose up to 1.0 BLEU on
Chinese-English, and take three quarters of the CPU seconds."""

_MOST = "the greatest that is chosen, since time grows with it"
_LEAST = "the least that is chosen"


def choose_distortion_limit(options: TrainingOptions, order: WordOrder) -> Chosen:
    """Return the distortion limit of a model of phrases: the least that allows most jumps of the text."""
    if options.distortion_limit is not None:
        return Chosen(options.distortion_limit, "given")
    return _least(
        LIMITS, order.share_of_jumps, JUMPS, "{:.1%} of the jumps in the training text are not longer"
    )


def choose_rule_settings(options: TrainingOptions, order: WordOrder) -> dict[str, Chosen]:
    """Return the settings of a model of rules.

    - `span_limit`: source words that a rule covers in decoding: the least limit for which few words of the
      text are in wider segments, where only glue would be left;
    - `max_rule_span`: the same in extraction. Where only one of the two is given, the other is the same, at
      most 31: wider rules were never seen (Chiang 2007 has 10 words for both);
    - `loose_phrases`: 1 if rules may begin and end with unaligned words: if many words are unaligned;
    - `rule_breadth`: the most target sides of a source side, of rules on demand; a table has all.
    """
    span, widest = _choose_spans(options, order)
    chosen = {"span_limit": span, "max_rule_span": widest, "loose_phrases": _choose_looseness(options, order)}
    return chosen | ({"rule_breadth": _choose_breadth(options)} if options.grammar == "on-demand" else {})


def rule_options(options: TrainingOptions, order: WordOrder) -> RuleOptions:
    """Return the limits of extraction under these settings."""
    chosen = choose_rule_settings(options, order)
    widest, loose = chosen["max_rule_span"].value, bool(chosen["loose_phrases"].value)
    return RuleOptions(max_span=widest, max_target_span=widest if loose else None, tight=not loose)


def _choose_spans(options: TrainingOptions, order: WordOrder) -> tuple[Chosen, Chosen]:
    span, widest = options.span_limit, options.max_rule_span
    if span is None and widest is None:
        what = "{:.1%} of the source words of the training text are not in wider reordered segments"
        found = _least(SPANS, order.share_of_words, WORDS, what)
        return found, Chosen(found.value, "the same as the decoder's span limit")
    if span is None:
        assert widest is not None
        return Chosen(widest, "the same as the given limit of extraction"), Chosen(widest, "given")
    if widest is None:
        value = min(span or LONGEST_SPAN, LONGEST_SPAN)
        return Chosen(span, "given"), Chosen(value, "the same as the given span limit, at most 31")
    return Chosen(span, "given"), Chosen(widest, "given")


def _choose_looseness(options: TrainingOptions, order: WordOrder) -> Chosen:
    if options.loose_phrases is not None:
        return Chosen(int(options.loose_phrases), "given")
    loose = order.unaligned >= UNALIGNED
    share = f"{order.unaligned:.1%} of the words of a side of the training text"
    compared = f"{'at least' if loose else 'less than'} {UNALIGNED:.0%}"
    return Chosen(int(loose), f"{share} have no link, {compared}")


def _choose_breadth(options: TrainingOptions) -> Chosen:
    if options.rule_breadth is not None:
        return Chosen(options.rule_breadth, "given")
    return Chosen(BREADTH, "the default; beyond the most frequent, decoders use few")


def _least(values: range, share_of: Callable[[int], float], wanted: float, what: str) -> Chosen:
    """Return the least value with the wanted share, or the greatest of all; `what` says what the share is."""
    value = next((value for value in values if share_of(value) >= wanted), values[-1])
    reason = what.format(share_of(value))
    if share_of(value) < wanted:
        return Chosen(value, f"{reason}; {_MOST}")
    if value == values[0]:
        return Chosen(value, f"{reason}; {_LEAST}")
    return Chosen(value, f"{reason}, with {value - 1} only {share_of(value - 1):.1%}")

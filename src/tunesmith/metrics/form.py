"""Detecting an output and references that are tokenized or cased differently."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from tunesmith.errors import TunesmithWarning

__all__ = ["form_differences", "warn_of_form"]

LINES = 300
"""Only the first lines that are not empty are looked at."""
FEWEST = 10
"""With fewer lines there is no saying."""
APART = 0.4
"""Shares of lines with attached punctuation that differ by more mean different tokenization; tokenized text
has some such lines, because of abbreviations."""
CASED, UNCASED = 0.5, 0.02
"""Shares of lines with capital letters at or above which text is cased, and at or below which lowercased."""

_ATTACHED = re.compile(r"""\w[.,;:!?]["'”’»)\]]*(?:\s|$)""")

_ADVICE = (
    "give both the same form: `tunesmith prepare MODEL --side target` makes text like the output of a model,"
    " `tunesmith eval --model MODEL` and `tunesmith tune model --prepare` prepare raw references so, and"
    " `tunesmith decode --detokenize` writes text for `tunesmith eval --tokenize 13a`"
)


def form_differences(
    output: Iterable[str], references: Sequence[Iterable[str]], what: str = "the output"
) -> list[str]:
    """Return a sentence per difference of tokenization or case between an output and its references.

    Measured are the share of lines in which a word ends with attached punctuation, and that of lines with
    capital letters.
    """
    own = _sample(output)
    found = []
    for number, reference in enumerate(references, 1):
        other = _sample(reference)
        if min(len(own), len(other)) < FEWEST:
            continue
        name = "the reference" if len(references) == 1 else f"reference {number}"
        texts = {what: own, name: other}
        attached = {key: _share(lines, _is_attached) for key, lines in texts.items()}
        if abs(attached[what] - attached[name]) > APART:
            raw, tokenized = sorted(texts, key=attached.__getitem__, reverse=True)
            found.append(
                f"{tokenized} {_be(tokenized)} tokenized, but {raw} {_be(raw)} not: punctuation is attached"
                f" to a word in {100 * attached[tokenized]:.0f}% and {100 * attached[raw]:.0f}% of the lines"
            )
        cased = {key: _share(lines, _has_capitals) for key, lines in texts.items()}
        if min(cased.values()) <= UNCASED and max(cased.values()) >= CASED:
            lower, mixed = sorted(texts, key=cased.__getitem__)
            found.append(f"{lower} {_be(lower)} lowercased, but {mixed} {_be(mixed)} not")
    return found


def warn_of_form(
    output: Iterable[str], references: Sequence[Iterable[str]], what: str = "the output"
) -> None:
    """Issue a TunesmithWarning if an output and its references are tokenized or cased differently."""
    if found := form_differences(output, references, what):
        text = f"{'; '.join(found)}. Scores of such text are too low; {_ADVICE}"
        warnings.warn(text, TunesmithWarning, stacklevel=3)


def _be(name: str) -> str:
    return "are" if name.endswith("s") else "is"


def _sample(lines: Iterable[str]) -> list[str]:
    return list(islice((line for line in lines if line.strip()), LINES))


def _share(lines: Sequence[str], has: Callable[[str], bool]) -> float:
    return sum(map(has, lines)) / len(lines)


def _is_attached(line: str) -> bool:
    return _ATTACHED.search(line) is not None


def _has_capitals(line: str) -> bool:
    return line != line.lower()

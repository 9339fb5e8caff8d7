"""Detecting an output and references that are tokenized or cased differently."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from tunesmith.errors import Message, TunesmithWarning
from tunesmith.unspaced_scripts import UnspacedText, measure_unspaced

__all__ = ["TOO_LOW", "form_differences", "is_tokenized_otherwise", "warn_of_form", "warn_of_unsplit"]

LINES = 300
"""Only the first lines that are not empty are looked at."""
FEWEST = 10
"""With fewer lines there is no saying."""
APART = 0.4
"""Shares of lines with attached punctuation that differ by more mean different tokenization; tokenized text
has some such lines, because of abbreviations."""
CASED, UNCASED = 0.5, 0.02
"""Shares of lines with capital letters at or above which text is cased, and at or below which lowercased."""

OTHER_SCRIPT = 0.5
"""Shares of letters in scripts without spaces that differ by more mean different languages."""

HARDLY_ANY = 0.05
"""Share of letters in a script up to which a text is not in this script."""

TOO_LOW = "Scores of such text are too low"

_TOKENIZE = re.compile(r"tokenize:([\w-]+)")
_TER = re.compile(r"\bter\|normalized:(\w+)\|.*?asian_support:(\w+)")
_SPLIT_BY_TER = ("Chinese", "Japanese")
"""Scripts that options of TER split into characters."""
_NOT_SPLIT = "name a tokenizer that splits it, such as {} zh or char"
_NOT_SPLITTING = ("none", "13a", "intl")
"""Tokenizers of metrics that leave text without spaces whole."""

_TOKENIZED = "tokenized, but"
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

    Measured are the share of lines in which a word ends with attached punctuation, that of lines with capital
    letters, and the length of tokens in scripts without spaces.
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
                f"{tokenized} {_be(tokenized)} {_TOKENIZED} {raw} {_be(raw)} not: punctuation is attached"
                f" to a word in {100 * attached[tokenized]:.0f}% and {100 * attached[raw]:.0f}% of the lines"
            )
        found += _split_difference((what, measure_unspaced(own)), (name, measure_unspaced(other)))
        cased = {key: _share(lines, _has_capitals) for key, lines in texts.items()}
        if min(cased.values()) <= UNCASED and max(cased.values()) >= CASED:
            lower, mixed = sorted(texts, key=cased.__getitem__)
            found.append(f"{lower} {_be(lower)} lowercased, but {mixed} {_be(mixed)} not")
    return found


def is_tokenized_otherwise(output: Iterable[str], references: Sequence[Iterable[str]]) -> bool:
    """Return whether punctuation is attached to words in the output or in a reference, but not in both."""
    return any(_TOKENIZED in each for each in form_differences(output, references))


def _split_difference(*texts: tuple[str, UnspacedText | None]) -> list[str]:
    """Return a sentence if one text in a script without spaces is split into words, and the other is not."""
    known = [(name, text) for name, text in texts if text is not None and text.share > OTHER_SCRIPT]
    split = [(name, text) for name, text in known if not text.is_unsplit]
    whole = [(name, text) for name, text in known if text.is_unsplit]
    return [
        f"{name} {_be(name)} split into words or characters, but {other} {_be(other)} not: a token has"
        f" {text.per_token:.1f} and {long.per_token:.1f} {text.script} letters"
        for (name, text), (other, long) in zip(split, whole, strict=False)
    ]


def warn_of_form(
    output: Iterable[str], references: Sequence[Iterable[str]], what: str = "the output"
) -> None:
    """Issue a TunesmithWarning if an output and its references are tokenized or cased differently.

    If most of one of them is in a script without spaces and most of the other is not, only that is said.
    """
    if script := _other_script(output, references, what):
        warnings.warn(script, TunesmithWarning, stacklevel=3)
    elif found := form_differences(output, references, what):
        text = f"{'; '.join(found)}. {TOO_LOW}; {_ADVICE}"
        warnings.warn(text, TunesmithWarning, stacklevel=3)


def warn_of_unsplit(
    output: Iterable[str], references: Sequence[Iterable[str]], signatures: Iterable[str]
) -> None:
    """Issue a TunesmithWarning if a metric takes text without spaces for words, as by tokenizer `none`.

    `signatures` are those of the metrics. An output in another script than the references is told apart by
    `warn_of_form`.
    """
    kept = " ".join(signatures)
    unsplit = _unsplit_text(output, references) if _TOKENIZE.search(kept) or _TER.search(kept) else None
    if unsplit is None or _other_script(output, references, "", entirely=True):
        return
    name, found = unsplit
    counting, ways = _counting_whole(kept, found.script)
    if counting:
        text = Message(
            "{name} is {script} without spaces between words: {line:.1f} tokens per line, so that scores of"
            " words ({counting}) say little; " + "; ".join(ways),
            *(["tokenize"] if _NOT_SPLIT in ways else []),
            name=name,
            script=found.script,
            line=found.per_line,
            counting="; ".join(counting),
        )
        warnings.warn(text, TunesmithWarning, stacklevel=3)


def _counting_whole(signatures: str, script: str) -> tuple[list[str], list[str]]:
    """Return what takes text without spaces for words, and the ways to split it."""
    counting, ways = [], []
    if kinds := sorted(set(_TOKENIZE.findall(signatures)).intersection(_NOT_SPLITTING)):
        counting.append(f"tokenizer {', '.join(kinds)}")
        ways.append(_NOT_SPLIT)
    options = [(normalized, asian) for normalized, asian in _TER.findall(signatures)]
    splits = script in _SPLIT_BY_TER
    if any(given != ("yes", "yes") or not splits for given in options):
        counting.append("ter, which has no tokenizer")
        ways.append(
            "`ter(normalized=true, asian_support=true)` splits it"
            if splits
            else "for ter, split both texts into words or characters before"
        )
    return counting, ways


def _unsplit_text(
    output: Iterable[str], references: Sequence[Iterable[str]]
) -> tuple[str, UnspacedText] | None:
    """Return the output, or a reference of an output of other scripts, that is without spaces between words.

    A difference between an output and references of the same script is told by `warn_of_form`.
    """
    names = ["the output", *(f"reference {number}" for number in range(1, len(references) + 1))]
    if len(references) == 1:
        names[1] = "the reference"
    for name, lines in zip(names, [output, *references], strict=True):
        found = measure_unspaced(_sample(lines))
        if found is not None and found.share >= OTHER_SCRIPT:
            return (name, found) if found.is_unsplit else None
    return None


def _other_script(
    output: Iterable[str], references: Sequence[Iterable[str]], what: str, *, entirely: bool = False
) -> str:
    """Return what to say of an output in another script than a reference; nothing if it is in the same.

    If `entirely`, only of texts of which one has nearly no letters of the script.
    """
    own = measure_unspaced(_sample(output))
    for number, reference in enumerate(references, 1):
        other = measure_unspaced(_sample(reference))
        if own is None or other is None or abs(own.share - other.share) <= OTHER_SCRIPT:
            continue
        name = "the reference" if len(references) == 1 else f"reference {number}"
        (first, text), (second, lesser) = sorted(
            [(what, own), (name, other)], key=lambda each: each[1].share, reverse=True
        )
        if lesser.share <= HARDLY_ANY:
            difference, foreign = f"{second} {_be(second)} not", ", or the files are of different languages"
        elif entirely:
            continue
        else:
            difference, foreign = f"only {100 * lesser.share:.0f}% of the letters of {second} are", ""
        return (
            f"{first} {_be(first)} {text.script}, but {difference}: words that a model does not"
            f" know are passed through as they are (`tunesmith inspect MODEL --source` counts them){foreign}"
        )
    return ""


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

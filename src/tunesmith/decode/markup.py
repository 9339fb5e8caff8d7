"""Moses' markup of input: `<np translation="the house" prob="0.8">das haus</np>`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, get_args

from tunesmith.corpus.clean import space_lines
from tunesmith.decode.constraints import GivenPhrase
from tunesmith.decode.request import Request
from tunesmith.errors import InputError, OptionError, suggest
from tunesmith.texts import Texts

__all__ = ["MarkupMode", "parse_markup"]

MarkupMode = Literal["exclusive", "inclusive", "ignore", "pass-through"]

_TAG = re.compile(r"<(/?)([^\s<>/=\"']+)((?:\s+[^\s<>/=\"']+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*(/?)>")
_ATTRIBUTE = re.compile(r"([^\s<>/=\"']+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_ESCAPE = re.compile(r"&(lt|gt|amp|quot|apos|#[0-9]{1,7});")
_ESCAPES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
_ALTERNATIVES = "||"


@dataclass
class _Open:
    name: str
    position: int
    begin: int
    attributes: dict[str, str]


@dataclass
class _Draft:
    words: list[str] = field(default_factory=list)
    phrases: list[GivenPhrase] = field(default_factory=list)
    tag: _Open | None = None


def parse_markup(line: str, mode: MarkupMode = "exclusive", *, unescape: bool = True) -> Request:
    """Return the request of a line whose tags give translations of the words between them.

    `translation` may have alternatives, `a||b`, and `prob` as many probabilities (default: 1); tags without
    a translation are ignored. Tags and white space separate words; control characters are removed. In mode
    `exclusive` a given translation must be used, in `inclusive` it competes with the model's own, `ignore`
    drops it, and `pass-through` treats tags as words. Tags cannot be nested. With `unescape`, `&lt;`, `&gt;`,
    `&amp;`, `&quot;`, `&apos;` and `&#124;` are unescaped. Malformed markup is an InputError with its
    position, from 1.
    """
    if mode not in get_args(MarkupMode):
        raise OptionError(f"markup cannot be {mode!r}{suggest(mode, get_args(MarkupMode))}")
    if mode == "pass-through":
        return Request(line)
    draft = _Draft()
    at = 0
    while (found := line.find("<", at)) >= 0:
        _add_words(draft, line[at:found], unescape)
        tag = _TAG.match(line, found)
        if tag is None:
            raise _malformed(found, f"found {line[found : found + 20]!r}; expected a tag, or &lt; for a <")
        if tag[1]:
            _close(draft, tag, unescape)
        else:
            _open(draft, tag)
        at = tag.end()
    _add_words(draft, line[at:], unescape)
    if draft.tag is not None:
        raise _malformed(draft.tag.position, f"the tag <{draft.tag.name}> is not closed")
    phrases = () if mode == "ignore" else tuple(draft.phrases)
    return Request(" ".join(draft.words), phrases=phrases, exclusive=mode != "inclusive")


def _add_words(draft: _Draft, text: str, unescape: bool) -> None:
    draft.words.extend(_words(text, unescape))


def _open(draft: _Draft, tag: re.Match[str]) -> None:
    position, name = tag.start(), tag[2]
    if draft.tag is not None:
        raise _malformed(position, f"the tag <{name}> is inside <{draft.tag.name}>; tags cannot be nested")
    attributes: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(tag[3]):
        if match[1] in attributes:
            raise _malformed(position, f"the tag <{name}> has the attribute {match[1]!r} twice")
        attributes[match[1]] = match[2] if match[2] is not None else match[3]
    if not tag[4]:
        draft.tag = _Open(name, position, len(draft.words), attributes)
    elif "translation" in attributes:
        raise _malformed(position, f"the tag <{name}/> translates no words")


def _close(draft: _Draft, tag: re.Match[str], unescape: bool) -> None:
    opened, draft.tag = draft.tag, None
    if opened is None or opened.name != tag[2] or tag[3].strip() or tag[4]:
        expected = "no closing tag" if opened is None else f"</{opened.name}>"
        raise _malformed(tag.start(), f"found {tag[0]!r}; expected {expected}")
    if "translation" not in opened.attributes:
        return
    if opened.begin == len(draft.words):
        raise _malformed(opened.position, f"the tag <{opened.name}> translates no words")
    targets = opened.attributes["translation"].split(_ALTERNATIVES)
    probabilities = _probabilities(opened, len(targets))
    for target, probability in zip(targets, probabilities, strict=True):
        text = " ".join(_words(target, unescape))
        draft.phrases.append(GivenPhrase(opened.begin, len(draft.words), text, probability))


def _probabilities(opened: _Open, count: int) -> list[float]:
    if "prob" not in opened.attributes:
        return [1.0] * count
    try:
        values = [float(text) for text in opened.attributes["prob"].split(_ALTERNATIVES)]
    except ValueError:
        values = []
    if len(values) != count or not all(0 < value <= 1 for value in values):
        raise _malformed(
            opened.position,
            f"the tag <{opened.name}> has prob={opened.attributes['prob']!r}; expected {count}"
            " above 0, at most 1, separated by ||",
        )
    return values


def _words(text: str, unescape: bool) -> list[str]:
    """Return the words as decoders split them, since given phrases refer to their positions."""
    words = [word for word in _spaced(text).split(" ") if word]
    return [_ESCAPE.sub(_character, word) for word in words] if unescape else words


def _spaced(text: str) -> str:
    (spaced,), _ = space_lines(Texts.of([text]))
    return spaced


def _character(match: re.Match[str]) -> str:
    name = match[1]
    if not name.startswith("#"):
        return _ESCAPES[name]
    # A space or a control character would split the word.
    code = int(name[1:])
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:
        return match[0]
    character = chr(code)
    return character if _spaced(character) == character else match[0]


def _malformed(position: int, message: str) -> InputError:
    return InputError(f"markup at character {position + 1}: {message}")

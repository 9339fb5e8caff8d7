"""Tags of SGML and XML, well-formed or not, in time linear in the text.

No entity or document type is expanded. What is opened and not closed, a comment, a CDATA section or the tag
of an element that matters, is an error there: searching on behind it would make the time quadratic, and
lose segments in silence.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Set
from dataclasses import dataclass, field

from tunesmith.errors import InputError

__all__ = ["Markup", "Tag", "root"]

_TAG = re.compile(
    r"""<(?P<close>/?)(?P<name>[A-Za-z][\w.:-]*)(?=[\s/>])(?P<rest>(?:[^"'<>]|"[^"<]*"|'[^'<]*')*)>"""
)
_BEGIN = re.compile(r"</?([A-Za-z][\w.:-]*)(?![\w.:-])")
_ATTRIBUTE = re.compile(r"""([^\s"'=<>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?""")
"""A name without a value is matched too: a search that began again within it would be quadratic."""
_STOP = re.compile(r"<!\[CDATA\[|</seg\s*>|<seg(?=[\s/>])", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]*));")
_SPACE = re.compile(rb"\s*")
_DOCUMENT_TYPE = re.compile(rb"<!DOCTYPE[^>\[]*", re.IGNORECASE)
_SUBSET_END = re.compile(rb"\]\s*>")
_ROOT = re.compile(rb"<([A-Za-z][\w.:-]*)[\s/>]")
_ENDS = {"<!--": "-->", "<![CDATA[": "]]>", "<!": ">", "<?": ">"}


@dataclass(frozen=True)
class Tag:
    """A tag, its names in lower case; `empty` if it closes its element itself."""

    name: str
    closes: bool
    empty: bool
    rest: str
    start: int
    end: int

    @property
    def attributes(self) -> dict[str, str]:
        """The attributes with their entities replaced."""
        found = _ATTRIBUTE.findall(self.rest)
        return {
            name.lower(): _unescaped(double or single or bare)
            for name, double, single, bare in found
            if double or single or bare
        }


@dataclass
class Markup:
    """A text that is searched for tags; a malformed tag of a `needed` element is an error."""

    text: str
    needed: Set[str]
    path: object = None
    _line_ends: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self._line_ends = [found.start() for found in re.finditer("\n", self.text)]

    def line(self, at: int) -> int:
        """Return the line of a place."""
        return bisect.bisect_left(self._line_ends, at) + 1

    def error(self, message: str, at: int) -> InputError:
        """Return an error with the line of a place."""
        return InputError(message, path=self.path, line=self.line(at))

    def next_tag(self, at: int) -> Tag | None:
        """Return the next tag; comments, declarations and `<` of the text are skipped."""
        while (start := self.text.find("<", at)) >= 0:
            begin = next((each for each in _ENDS if self.text.startswith(each, start)), None)
            if begin is not None:
                at = self._after(begin, start)
            elif found := _TAG.match(self.text, start):
                rest = found["rest"]
                empty = rest.endswith("/")
                closes, name = bool(found["close"]), found["name"].lower()
                return Tag(name, closes, empty, rest[:-1] if empty else rest, start, found.end())
            else:
                self._check_text(start)
                at = start + 1
        return None

    def segment(self, tag: Tag) -> tuple[str, int]:
        """Return the text up to `</seg>` on one line, and where it ends; `<` and `&` need not be escaped."""
        pieces, at = [], tag.end
        while found := _STOP.search(self.text, at):
            pieces.append(_unescaped(self.text[at : found.start()]))
            if found[0].startswith("</"):
                return " ".join("".join(pieces).split()), found.end()
            if not found[0].startswith("<!"):
                break
            at = self._after("<![CDATA[", found.start())
            pieces.append(self.text[found.end() : at - 3])
        raise self.error("a <seg> without </seg>", tag.start)

    def _after(self, begin: str, start: int) -> int:
        end = self.text.find(_ENDS[begin], start + len(begin))
        if end < 0:
            raise self.error(f"{begin} without {_ENDS[begin]}", start)
        return end + len(_ENDS[begin])

    def _check_text(self, start: int) -> None:
        """Raise InputError if a malformed tag is one that must not be overlooked."""
        begin = _BEGIN.match(self.text, start)
        if begin and begin[1].lower() in self.needed:
            raise self.error(
                f"the tag {begin[0]} does not end: expected attributes, values with < or spaces in quotes and"
                " < as &lt;, and then >",
                start,
            )


def root(data: bytes) -> str:
    """Return the element after declarations and comments, in lower case; "" if there is none."""
    at = 0
    while True:
        at = _SPACE.match(data, at).end()  # type: ignore[union-attr]  # which may be empty
        if data.startswith(b"<?", at):
            end = re.compile(rb"\?>").search(data, at)
        elif data.startswith(b"<!--", at):
            end = re.compile(rb"-->").search(data, at + 4)
        elif found := _DOCUMENT_TYPE.match(data, at):
            at = found.end()
            end = (_SUBSET_END if data.startswith(b"[", at) else re.compile(rb">")).search(data, at)
        else:
            first = _ROOT.match(data, at)
            return first[1].decode("latin-1").lower() if first else ""
        if end is None:
            return ""
        at = end.end()


def _unescaped(text: str) -> str:
    """Replace entities; an unknown one stays as it is."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    if entity[3]:
        from html.entities import html5  # a table of 2,000 names, which few texts need

        return html5.get(f"{entity[3]};", entity[0])
    code = int(entity[1]) if entity[1] else int(entity[2], 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else entity[0]

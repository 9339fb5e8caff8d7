"""Writing translations as a NIST set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from tunesmith.corpus.sets.evaluation_set import EvaluationSet
from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write

__all__ = ["write_output"]

_DOCUMENT = ("genre", "origlang")
"""Attributes of documents that are kept."""


def write_output(
    source: EvaluationSet,
    texts: Sequence[str],
    path: PathLike,
    *,
    system: str,
    source_language: str | None = None,
    target_language: str | None = None,
) -> None:
    """Write a `tstset` of translations, one per segment of the source, in its order.

    Languages are those of the source set if it has them and no other are given.
    """
    if len(texts) != len(source.names):
        raise InputError(
            f"there are {len(texts)} translations for {len(source.names)} segments; expected one each",
            path=source.path,
        )
    given = source.attributes
    languages = source_language or given.get("srclang"), target_language or given.get("trglang")
    head = {
        "setid": given.get("setid") or given.get("id") or "set",
        "srclang": languages[0] or "any",
        "trglang": languages[1] or "any",
    }
    with open_write(path) as stream:
        for line in _lines(source, texts, head, system):
            stream.write(f"{line}\n".encode())


def _lines(source: EvaluationSet, texts: Sequence[str], head: dict[str, str], system: str) -> Iterator[str]:
    from xml.sax.saxutils import escape  # with half of urllib: most commands read sets and write none

    yield f"<tstset{_attributes(head)}>"
    pairs = zip(source.names, texts, strict=True)
    for document, segments in groupby(pairs, key=lambda pair: pair[0].document):
        kept = {name: value for name, value in source.documents[document].items() if name in _DOCUMENT}
        yield f"<doc{_attributes({'docid': document, 'sysid': system} | kept)}>"
        for name, text in segments:
            yield f"<seg{_attributes({'id': name.id})}>{escape(text)}</seg>"
        yield "</doc>"
    yield "</tstset>"


def _attributes(values: dict[str, str]) -> str:
    from xml.sax.saxutils import quoteattr

    return "".join(f" {name}={quoteattr(value)}" for name, value in values.items())

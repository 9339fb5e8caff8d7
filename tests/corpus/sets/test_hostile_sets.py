"""Sets that are damaged or made to hurt: an error with its line, in time linear in the text."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.corpus.sets.test_sets import REFERENCES, SOURCE, TEXTS, WMT

from tunesmith.corpus.sets import parse_set, read_output, read_references, read_set
from tunesmith.corpus.sets.parse import is_set
from tunesmith.errors import InputError

HEAD = "<srcset><doc docid='d'>"
LONG: dict[str, Callable[[int], str]] = {
    "comments before a foreign root": lambda n: "<!-- c -->\n" * n + "<tmx>",
    "comments and declarations that do not end": lambda n: "<!-- c --><?x ?>\n" * n + "<!DOCTYPE a [",
    "spaces before a foreign root": lambda n: " " * 5 * n + "<tmx>",
    "brackets of a document type": lambda n: "<!DOCTYPE a [" + "]  " * n,
    "segments without ids": lambda n: HEAD + "<seg>a</seg>\n" * n + "</doc></srcset>",
    "open comments": lambda n: HEAD + "<seg>a</seg>" + "<!-- \n" * n,
    "open declarations": lambda n: HEAD + "<seg>a</seg>" + "<! <? \n" * n,
    "open CDATA sections": lambda n: HEAD + "<seg>" + "<![CDATA[ " * n + "</seg></doc></srcset>",
    "open CDATA outside": lambda n: HEAD + "<![CDATA[ " * n + "<seg>a</seg></doc></srcset>",
    "segments that do not end": lambda n: HEAD + "<seg id='1'>a " * n,
    "tags that do not end": lambda n: HEAD + "<p a='b" * n,
    "quotes in tags": lambda n: HEAD + '<p a="\'" \'"<p " \' ' * n + "<seg>a</seg>",
    "a long name of an attribute": lambda n: HEAD + f"<doc docid=e {'a' * 5 * n} {'b ' * n}><seg>a</seg>",
    "ampersands": lambda n: HEAD + "<seg>" + "&a" * n + "&#1" * n + "</seg>",
    "closing tags with spaces": lambda n: HEAD + "<seg>a" + "</seg    " * n + "</seg>",
}


def work(text: str, path: Path) -> float:
    """Return how long reading takes, the shortest of three times."""
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        is_set(text.encode())
        with contextlib.suppress(InputError):
            parse_set(text, path)
        times.append(time.perf_counter() - begin)
    return min(times)


@pytest.mark.parametrize("name", LONG)
def test_eight_times_the_text_takes_not_thirty_times_the_time(name: str, tmp_path: Path) -> None:
    """Quadratic time would be 64 times, and 26 comments have taken 11 seconds."""
    small, large = (work(LONG[name](n), tmp_path) for n in (2_000, 16_000))
    assert large < 30 * small + 0.05


def test_one_segment_too_many_is_found_in_linear_time() -> None:
    def seconds(count: int) -> float:
        first, second = (
            "".join(f'<seg id="{i}">a</seg>' for i in range(total)) for total in (count, count + 1)
        )
        text = f"<refset><doc docid=d sysid=a>{first}</doc><doc docid=d sysid=b>{second}</doc></refset>"
        found = parse_set(text, "set.sgm")
        begin = time.perf_counter()
        with pytest.raises(InputError, match=f"has a segment '{count}' of document 'd' that others lack"):
            found.texts(found.references["b"], "the reference")
        return time.perf_counter() - begin

    assert seconds(8_000) < 30 * min(seconds(1_000) for _ in range(3)) + 0.05


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "\n<!-- <seg id='1'>x</seg></doc></srcset>", ":2: <!-- without -->"),
        (HEAD + "\n<seg id='1'>x <![CDATA[y</seg></doc></srcset>", ":2: <![CDATA[ without ]]>"),
        (HEAD + "\n\n<seg id='1\">x</seg></doc></srcset>", ":3: the tag <seg does not end"),
        (HEAD + "<seg id='1'>x</seg>\n</doc</srcset>", ":2: the tag </doc does not end"),
        (HEAD + "<seg id='1'>x</seg></doc></srcset>\n<?", ":2: <? without >"),
    ],
)
def test_what_is_opened_must_be_closed(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_set(text, "bad.sgm")
    assert str(error.value).startswith(f"bad.sgm{message}")


def test_elements_that_do_not_matter_may_be_malformed() -> None:
    text = "<srcset><p 'x><hl a=\"b'><doc docid=a/b><p>1 <3 & <b<seg/><seg id=2 />\n<seg>x</p></seg></doc>"
    found = parse_set(f"{text}</srcset>")
    assert [(name.document, name.id, each.text) for name, each in found.source.items()] == [
        ("a/b", "1", ""),
        ("a/b", "2", ""),
        ("a/b", "3", "x</p>"),
    ]


def test_a_cdata_section_may_contain_the_end_of_a_segment() -> None:
    found = parse_set(
        HEAD + "<seg id='1'>&lt;<![CDATA[a </seg> <seg> ]]>b<![CDATA[&lt;]]></seg></doc></srcset>"
    )
    assert [segment.text for segment in found.source.values()] == ["<a </seg> <seg> b&lt;"]


def test_entities_of_a_document_type_are_not_expanded() -> None:
    bomb = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 30))
    text = f"<!DOCTYPE srcset [<!ENTITY e0 'x'>{bomb} ]>\n{HEAD}<seg id='1'>&e29; &amp;</seg></doc></srcset>"
    assert is_set(text.encode())
    assert [segment.text for segment in parse_set(text).source.values()] == ["&e29; &"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("declared", [True, False])
def test_sets_are_read_in_utf_16_and_with_byte_order_marks(
    tmp_path: Path, encoding: str, declared: bool
) -> None:
    text = SOURCE
    if declared:
        text = f"<?xml version='1.0' encoding='{encoding.removesuffix('-sig')}'?>\n{text}"
    (tmp_path / "set.xml").write_bytes(text.encode(encoding))
    assert [segment.text for segment in read_set(tmp_path / "set.xml").source.values()] == TEXTS
    (tmp_path / "references.sgm").write_bytes(REFERENCES.encode(encoding))
    assert [next(iter(texts)) for texts in read_references(tmp_path / "references.sgm")] == ["one", "ONE"]


@pytest.mark.parametrize(
    ("declared", "encoding", "message"),
    [
        ("utf-16", "utf-8", "declares the encoding 'utf-16', but its first bytes are those of ASCII"),
        ("utf-16", "utf-8-sig", "declares the encoding 'utf-16', but its first bytes are UTF-8"),
        ("latin-1", "utf-8-sig", "declares the encoding 'latin-1', but its first bytes are UTF-8"),
        ("utf-8", "utf-16", "declares the encoding 'utf-8', but its first bytes are UTF-16-LE"),
        ("utf-16-le", "utf-16-be", "declares the encoding 'utf-16-le', but its first bytes are UTF-16-BE"),
        *(
            (name, encoding, f"the encoding '{name[:50]}")
            for encoding in ("utf-8", "utf-8-sig", "utf-16")
            for name in (
                "klingon",
                "hex",
                "rot13",
                "idna",
                "punycode",
                "undefined",
                "unicode_escape",
                "utf-7",
            )
        ),
        *((name, "latin-1", "the encoding ") for name in ("x" * 1500, "a\0b", "\xe9", "../etc", "")),
    ],
)
def test_an_encoding_that_is_unknown_or_wrong_is_an_error(
    tmp_path: Path, declared: str, encoding: str, message: str
) -> None:
    text = WMT.replace("encoding='utf-8'", f"encoding='{declared}'")
    (tmp_path / "set.xml").write_bytes(text.encode(encoding))
    with pytest.raises(InputError) as error:
        read_output(tmp_path / "set.xml")
    assert str(error.value).startswith(f"{tmp_path / 'set.xml'}:1: {message}")
    assert len(str(error.value)) < 400


def test_damaged_utf_16_is_an_error(tmp_path: Path) -> None:
    whole = WMT.strip().replace("'utf-8'", "'utf-16'").encode("utf-16")
    for data in (whole[:-1], whole[:-2] + b"\0\xd8"):
        (tmp_path / "set.xml").write_bytes(data)
        with pytest.raises(InputError, match=r"set\.xml:9: not UTF-16-LE: byte 0x"):
            read_output(tmp_path / "set.xml")


def test_damaged_sets_are_read_or_refused(tmp_path: Path) -> None:
    """Pieces of markup put anywhere, in any encoding: no other exception than an InputError."""
    pieces = ["<", ">", '"', "'", "&", "<!--", "-->", "<![CDATA[", "]]>", "<seg>", "</seg>", "<p/>", "/", "="]
    draw, refused = random.Random(1), 0
    for _ in range(300):
        text = draw.choice([SOURCE, REFERENCES, WMT])
        for _ in range(draw.randrange(1, 4)):
            at = draw.randrange(len(text))
            text = text[:at] + draw.choice(pieces) + text[at + draw.randrange(3) :]
        data = bytearray(text.encode(draw.choice(["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32"])))
        if draw.random() < 0.3:
            data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        (tmp_path / "set.xml").write_bytes(data)
        try:
            read_output(tmp_path / "set.xml")
        except InputError as error:
            refused += 1
            assert "set.xml" in str(error)
    assert 100 < refused < 300

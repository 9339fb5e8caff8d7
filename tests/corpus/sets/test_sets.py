"""Evaluation sets of NIST and WMT: read where texts are read, and written."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.commands import run

from tunesmith.candidates import Pool
from tunesmith.corpus.sets import (
    check_same_segments,
    parse_set,
    read_output,
    read_references,
    read_set,
    write_output,
)
from tunesmith.decode.input import read_requests
from tunesmith.errors import InputError

SOURCE = """<!DOCTYPE srcset SYSTEM "ftp://jaguar.ncsl.nist.gov/mt/resources/mteval-xml-v1.3.dtd">
<srcset setid="toy" srclang="any">
<DOC origlang='de' docid="first" genre=news>
<hl>
<seg id="1">Der Hund &amp; die
   Katze</seg>
<p>
<seg
   id="2" >1 < 2 und R&D &unknown; &#228;</seg><seg id="3"></seg>
</p>
</DOC>
<!-- <seg id="9">not this</seg> -->
<doc docid="second"><seg id="1"><![CDATA[a <b> &amp;]]></seg></doc>
</srcset>
"""
TEXTS = ["Der Hund & die Katze", "1 < 2 und R&D &unknown; ä", "", "a <b> &amp;"]
REFERENCES = """<refset setid="toy" srclang="de" trglang="en">
<doc sysid="A" docid="first"><seg id="1">one</seg><seg id="2">two</seg><seg id="3">three</seg></doc>
<doc sysid="A" docid="second"><seg id="1">four</seg></doc>
<doc docid="first" sysid="B"><seg id="1">ONE</seg><seg id="2">TWO</seg><seg id="3">THREE</seg></doc>
<doc docid="second" sysid="B"><seg id="1">FOUR</seg></doc>
</refset>
"""
WMT = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="newstest">
  <doc origlang="de" id="first">
    <src lang="de"><p><seg id="1">eins</seg></p><p><seg id="2">zwei</seg></p></src>
    <ref lang="en" translator="A"><p><seg id="1">one</seg><seg id="2">two</seg></p></ref>
    <ref translator="B" lang="en"><p><seg id="2">TWO</seg><seg id="1">ONE</seg></p></ref>
    <hyp system="mine" language="en"><p><seg id="1">uno</seg><seg id="2">due</seg></p></hyp>
  </doc>
</dataset>
"""


def test_a_source_with_all_its_oddities_is_read(tmp_path: Path) -> None:
    (tmp_path / "src.sgm").write_text(SOURCE, encoding="utf-8")
    found = read_set(tmp_path / "src.sgm")
    assert [segment.text for segment in found.source.values()] == TEXTS
    assert [segment.line for segment in found.source.values()] == [5, 8, 9, 13]
    assert found.names[-1] == ("second", "1")
    assert found.documents["first"] == {"origlang": "de", "docid": "first", "genre": "news"}
    requests = [request for batch in read_requests(tmp_path / "src.sgm") for request in batch]
    assert [request.source for request in requests] == TEXTS
    assert [request.id for request in requests] == ["0", "1", "2", "3"]


def test_references_of_several_translators_are_several(tmp_path: Path) -> None:
    (tmp_path / "ref.sgml.gz").write_bytes(gzip.compress(REFERENCES.encode()))
    lower, upper = read_references(tmp_path / "ref.sgml.gz")
    assert list(lower) == ["one", "two", "three", "four"]
    assert list(upper) == ["ONE", "TWO", "THREE", "FOUR"]


def test_wmt_xml_has_source_references_and_output(tmp_path: Path) -> None:
    path = tmp_path / "newstest.xml"
    path.write_text(WMT)
    assert [request.source for batch in read_requests(path) for request in batch] == ["eins", "zwei"]
    assert [list(texts) for texts in read_references(path)] == [["one", "two"], ["ONE", "TWO"]]
    assert list(read_output(path)) == ["uno", "due"]


@pytest.mark.parametrize("name", ["text", "text.txt", "text.sgm", "text.xml", "text.xml.gz"])
@pytest.mark.parametrize(
    "first", ["<seg id='1'>a</seg>", "<srcsets>", "plain <srcset>", "1 < 2", "<doc>", ""]
)
def test_plain_text_is_never_taken_for_a_set(tmp_path: Path, name: str, first: str) -> None:
    lines = f"{first}\nsecond\n".encode()
    (tmp_path / name).write_bytes(gzip.compress(lines) if name.endswith(".gz") else lines)
    assert read_set(tmp_path / name) is None
    assert list(read_output(tmp_path / name)) == [first, "second"]
    (tmp_path / "text").write_text(SOURCE)
    assert read_set(tmp_path / "text") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "<srcset>\n<doc docid='a'>\n<seg id='1'>x\n<seg id='2'>y</seg></doc></srcset>",
            ":3: a <seg> without",
        ),
        ("<srcset>\n<doc docid='a'><seg id='1'>x", ":2: a <seg> without </seg>"),
        ("<srcset>\n<seg id='1'>x</seg></srcset>", ":2: a <seg> outside of a <doc>"),
        ("<srcset>\n\n<doc genre='x'><seg id='1'>x</seg></doc></srcset>", ":3: a <doc> without docid"),
        (
            "<dataset><doc id='a'>\n<seg id='1'>x</seg></doc></dataset>",
            ":2: a <seg> outside of a set or version",
        ),
        (
            "<srcset><doc docid='a'><seg id='1'>x</seg>\n<seg id='1'>y</seg></doc></srcset>",
            ":2: the segment '1' of",
        ),
        ("<srcset></srcset>", "the set has no <seg>"),
    ],
)
def test_errors_name_the_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "bad.sgm").write_text(text)
    with pytest.raises(InputError) as error:
        read_set(tmp_path / "bad.sgm")
    assert message in str(error.value)
    assert "bad.sgm" in str(error.value)


def test_a_set_without_what_is_asked_for_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "src.sgm").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "ref.sgm").write_text(REFERENCES)
    with pytest.raises(InputError, match="has no references"):
        read_references(tmp_path / "src.sgm")
    with pytest.raises(InputError, match="expected the output of one system"):
        read_output(tmp_path / "src.sgm")
    with pytest.raises(InputError, match="has no source"):
        list(read_requests(tmp_path / "ref.sgm"))
    (tmp_path / "gap.sgm").write_text(REFERENCES.replace('<seg id="3">THREE</seg>', ""))
    with pytest.raises(InputError, match="the reference 'B' lacks the segment '3' of document 'first'"):
        read_references(tmp_path / "gap.sgm")
    (tmp_path / "latin.sgm").write_bytes(b"<srcset>\n<doc docid='a'><seg id='1'>\xe4</seg></doc></srcset>")
    with pytest.raises(InputError, match=r"latin.sgm:2: not UTF-8: byte 0xe4"):
        read_set(tmp_path / "latin.sgm")


def test_an_output_of_a_set_with_several_systems_is_chosen_by_name(tmp_path: Path) -> None:
    other = '<hyp system="other"><p><seg id="1">un</seg><seg id="2">deux</seg></p></hyp>'
    (tmp_path / "all.xml").write_text(WMT.replace("  </doc>", f"{other}</doc>"))
    (tmp_path / "out.txt").write_text("un\ndeux\n")
    assert list(read_output(tmp_path / "all.xml", "other")) == ["un", "deux"]
    with pytest.raises(
        InputError, match=r"found 2: 'mine', 'other'; choose one by `tunesmith eval FILE --system"
    ):
        read_output(tmp_path / "all.xml")
    with pytest.raises(
        InputError, match=r"no output of the system 'othre'; did you mean 'other'\?; found 'mine'"
    ):
        read_output(tmp_path / "all.xml", "othre")
    with pytest.raises(InputError, match=r"is plain text, .* leave out system"):
        read_output(tmp_path / "out.txt", "other")
    chosen = ("eval", "all.xml", "--system", "other", "--references", "all.xml", "--json", "--resamples", 0)
    plain = ("eval", "out.txt", "--references", "all.xml", "--json", "--resamples", 0)
    assert run(*chosen, folder=tmp_path).stdout == run(*plain, folder=tmp_path).stdout
    compared = run("compare", "all.xml:mine", "all.xml:other", "--references", "all.xml", folder=tmp_path)
    assert compared.returncode == 0, compared.stderr
    assert "all.xml:other" in compared.stdout
    refused = run("compare", "all.xml", "all.xml:other", "--references", "all.xml", folder=tmp_path)
    assert "found 2: 'mine', 'other'; choose one by" in refused.stderr


def test_a_declared_encoding_is_used(tmp_path: Path) -> None:
    text = WMT.replace("utf-8", "ISO-8859-1").replace("eins", "fünf")
    (tmp_path / "latin.xml").write_bytes(text.encode("latin-1"))
    assert next(iter(read_set(tmp_path / "latin.xml").source.values())).text == "fünf"


def test_sets_with_other_segments_do_not_fit(tmp_path: Path) -> None:
    (tmp_path / "src.sgm").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "ref.sgm").write_text(REFERENCES)
    (tmp_path / "wmt.xml").write_text(WMT)
    check_same_segments([tmp_path / "src.sgm", tmp_path / "ref.sgm", "-", tmp_path / "plain"])
    with pytest.raises(InputError, match=r"has 2 segments, but .*src.sgm has 4"):
        check_same_segments([tmp_path / "src.sgm", tmp_path / "wmt.xml"])
    (tmp_path / "other.xml").write_text(WMT.replace('"first"', '"other"'))
    with pytest.raises(InputError, match="segment number 1 is '1' of document 'other', but in"):
        check_same_segments([tmp_path / "src.sgm", tmp_path / "other.xml"])


words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"]), min_size=1)


@given(st.lists(st.lists(words, max_size=3).map(" ".join), min_size=4, max_size=4), words)
def test_an_output_is_well_formed_xml_and_reads_back(tmp_path_factory, texts: list[str], system: str) -> None:
    path = tmp_path_factory.mktemp("sets") / "out.sgm"
    write_output(parse_set(SOURCE, "src.sgm"), texts, path, system=system, target_language="en")
    root = ElementTree.parse(path).getroot()
    assert root.tag == "tstset"
    assert root.attrib == {"setid": "toy", "srclang": "any", "trglang": "en"}
    assert [segment.text or "" for segment in root.iter("seg")] == texts
    assert {document.attrib["sysid"] for document in root.iter("doc")} == {system}
    assert list(read_output(path)) == [" ".join(text.split()) for text in texts]


def test_commands_take_sets_where_they_take_texts(tmp_path: Path) -> None:
    (tmp_path / "src.sgm").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "ref.sgm").write_text(REFERENCES)
    (tmp_path / "out.txt").write_text("one\nTWO\nx\nfour\n")
    for number, line in enumerate(REFERENCES.split("<seg")[1:]):
        with (tmp_path / f"ref.{number // 4}").open("a") as stream:
            stream.write(line.partition(">")[2].partition("<")[0] + "\n")
    wrap = run("corpus", "wrap", "src.sgm", "out.txt", "--system", "mine", "-o", "out.sgm", folder=tmp_path)
    assert wrap.returncode == 0, wrap.stderr
    plain = run(
        "eval", "out.txt", "--references", "ref.0", "--references", "ref.1", "--json", folder=tmp_path
    )
    sets = run("eval", "out.sgm", "--references", "ref.sgm", "--json", folder=tmp_path)
    assert plain.returncode == sets.returncode == 0, sets.stderr
    assert json.loads(sets.stdout) == json.loads(plain.stdout)
    compared = run("compare", "out.sgm", "out.txt", "--references", "ref.sgm", folder=tmp_path)
    assert compared.returncode == 0, compared.stderr
    (tmp_path / "nbest").write_text("".join(f"{i} ||| x ||| A= 1 ||| 0\n" for i in range(4)))
    assert len(Pool.read(tmp_path / "nbest", references=[tmp_path / "ref.sgm"]).references) == 2
    refused = run("corpus", "wrap", "out.txt", "out.txt", "--system", "mine", folder=tmp_path)
    assert refused.returncode == 1
    assert "out.txt: is not an evaluation set" in refused.stderr
    short = run("corpus", "wrap", "src.sgm", "--system", "mine", folder=tmp_path, stdin="one\n")
    assert "there are 1 translations for 4 segments" in short.stderr


@pytest.mark.slow
def test_a_model_is_tuned_on_sets_as_on_texts(small_corpus: Path, small_model: Path, tmp_path: Path) -> None:
    sides = [(small_corpus / name).read_text().splitlines()[:12] for name in ("de", "en")]
    for name, kind, lines in (("src", "srcset", sides[0]), ("ref", "refset", sides[1])):
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
        segments = "".join(f'<seg id="{i}">{line}</seg>\n' for i, line in enumerate(lines))
        (tmp_path / f"{name}.sgm").write_text(f'<{kind}><doc docid="d">{segments}</doc></{kind}>')
    scores = []
    for suffix in ("txt", "sgm"):
        done = run(
            *("tune", "model", small_model, "--source", f"src.{suffix}", "--references", f"ref.{suffix}"),
            *("--method", "mira", "--iterations", 1, "--nbest", 5, "--quiet", "--json", "-o", suffix),
            folder=tmp_path,
        )
        assert done.returncode == 0, done.stderr
        scores.append(json.loads(done.stdout)["score"])
    assert scores[0] == scores[1]

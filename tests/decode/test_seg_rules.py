"""Rules that a `<seg>` of the input names or holds."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from tests.decode.sentence_rules import found, with_files

from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.input import read_requests
from tunesmith.decode.input.seg import Seg
from tunesmith.errors import InputError


def test_rules_on_the_input_line_are_those_of_a_file(escaped_model, escaped_sentences, tmp_path):
    requests = with_files(escaped_model, escaped_sentences, tmp_path, compression="none")
    lines = []
    for request, given in zip(requests, (tmp_path / "in.sgm").read_text().splitlines(), strict=True):
        words = given.partition(">")[2].removesuffix("</seg>")
        rules = request.grammar.read_text().splitlines()
        reference = "\tthe first|||the second" if len(lines) % 2 else ""
        lines.append("\t".join([f'<seg id="{request.id}"> {words} </seg>{reference}', *rules]))
    (tmp_path / "inline").write_text("".join(f"{line}\n" for line in lines))
    inline = list(itertools.chain(*read_requests(tmp_path / "inline")))
    assert [request.rules is None for request in inline] == [not sentence for sentence in escaped_sentences]
    assert found(ChartDecoder(escaped_model), inline) == found(ChartDecoder(escaped_model), requests)


def test_grammars_are_looked_for_here_then_beside_the_input(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    (tmp_path / "there" / "in").write_text('<seg grammar="g">das</seg>\n')
    (tmp_path / "there" / "g").write_text("")
    ((request,),) = read_requests(tmp_path / "there" / "in")
    assert request.grammar == tmp_path / "there" / "g"
    (tmp_path / "here" / "g").write_text("")
    ((request,),) = read_requests(tmp_path / "there" / "in")
    assert request.grammar == Path("g")


def test_lines_of_mr_mira_have_references_and_rules():
    rule, other = "[X] ||| das &#124; ||| the", "[X] ||| haus [X,1] ||| [1] house ||| a=1 ||| 0-1"
    request = Seg.parse(f'<seg id="1" delta="QUI=">das &#124; haus</seg>\tthe a|||the b\t{rule}\t{other}')
    assert (request.source, request.rules) == ("das | haus", f"{rule}\n{other}")
    assert request.attributes == {"delta": "QUI="}
    assert Seg.parse(f"<seg>das</seg>\t{rule}").rules == rule
    assert Seg.parse(f"<seg>das</seg> \t \t{rule}\t").rules == rule
    assert Seg.parse(f"<seg>das</seg> ||| the|||this\t{rule}").rules == rule
    assert Seg.parse("<seg>das &#124;</seg>\tthe a|||the b").rules is None
    assert Seg.parse("<seg>das &#124;</seg>\tthe a|||the b").source == "das &#124;"
    assert Seg.parse('<seg grammar="a&amp;b&quot;.gz">das</seg>').grammar == Path('a&b".gz')
    for line in (
        f"<seg>das</seg>\tref\t{rule}\tno rule",
        f"<seg>das</seg>\t{rule}\tno rule",
        "<seg>a</seg>\tb\tc",
    ):
        with pytest.raises(InputError, match="expected a rule such as"):
            Seg.parse(line)
    with pytest.raises(InputError, match="the grammar of a <seg> is empty"):
        Seg.parse('<seg grammar="">das</seg>')

"""Scripts without spaces between words are recognized, split into characters, and joined again."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from tunesmith.unspaced_scripts import join_characters, measure_unspaced, split_characters

CHINESE = ["我今天早上七点起床。", "他不喜欢喝咖啡，只喝茶。", "你明天去北京吗？"] * 10


@pytest.mark.parametrize(
    ("line", "split"),
    [
        ("我是17岁。", "我 是 17 岁 。"),
        ("Tom认识我，对吗？", "Tom 认 识 我 ， 对 吗 ？"),
        ("東京タワー", "東 京 タ ワ ー"),
        ("が゙ガバ", "が゙ ガ バ"),  # combining voiced marks stay with their letters
        ("ใช้ภาษา Python", "ใ ช้ ภ า ษ า Python"),
        ("ខ្មែរ ២០២០", "ខ្មែ រ ២០២០"),  # a letter below another is part of its character
        ("မြန်မာ", "မြ န် မာ"),
        ("plain words, 3.5", "plain words, 3.5"),
        ("한국어 문장", "한국어 문장"),  # Korean has spaces
        ("", ""),
    ],
)
def test_characters_become_tokens_and_other_words_stay_whole(line: str, split: str) -> None:
    assert split_characters(line) == split
    assert join_characters(split) == line


def test_words_of_other_scripts_keep_the_spaces_between_them() -> None:
    assert join_characters("我 认 识 Tom Smith 。 OK ?") == "我认识Tom Smith。OK ?"
    assert join_characters("ผ ม ใ ช้ Python ค รั บ") == "ผมใช้ Python ครับ"


def test_text_that_nothing_split_is_told_from_words_and_characters() -> None:
    found = measure_unspaced(CHINESE)
    assert found is not None
    assert (found.script, found.share, found.per_line) == ("Chinese", 1.0, 1.0)
    assert found.is_unsplit
    characters = measure_unspaced([split_characters(line) for line in CHINESE])
    assert characters is not None
    assert characters.per_token == 1.0
    assert not characters.is_unsplit
    for other in (["a plain English sentence ."] * 20, ["문장 은 한국어 입니다"] * 20):
        spaced = measure_unspaced(other)
        assert spaced is not None
        assert (spaced.script, spaced.share) == ("", 0.0)
        assert not spaced.is_unsplit
    assert measure_unspaced(["你好"]) is None
    thai = measure_unspaced(["ภาษาไทยเป็นภาษาที่ไม่เว้นวรรคระหว่างคำ"] * 10)
    assert thai is not None
    assert thai.script == "Thai"
    assert thai.is_unsplit


def test_real_chinese_and_japanese_are_told_from_their_segmented_text(shared_data: Path) -> None:
    def lines(name: str) -> list[str]:
        with lzma.open(shared_data / name, "rt", encoding="utf-8") as stream:
            return stream.read().splitlines()

    raw, words, japanese = (lines(f"{name}.xz") for name in ("zhen.dev.zh", "zhen.dev.seg.zh", "enja.dev.ja"))
    for text, script, unsplit in (
        (raw, "Chinese", True),
        (words, "Chinese", False),
        (japanese, "Japanese", False),
        ([line.replace(" ", "") for line in japanese], "Japanese", True),
    ):
        found = measure_unspaced(text)
        assert found is not None
        assert (found.script, found.is_unsplit) == (script, unsplit)
    same = [join_characters(split_characters(line)) == line for line in raw]
    assert sum(same) > 0.99 * len(same)

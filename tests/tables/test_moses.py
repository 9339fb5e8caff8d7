"""Moses' text tables: what is read, what is refused, and that they come back as they were."""

from __future__ import annotations

import gzip
import lzma
import random
import re
from pathlib import Path

import pytest
from tests.tables.toy_tables import build, phrase_lines, random_rows, reordering_lines, write

from tunesmith.errors import InputError
from tunesmith.tables import MOSES_SCORES, PhraseTable, filter_table, read_moses_table, write_moses_table

LINE = "ein mann ||| a man ||| 0.5 0.25 0.75 1 ||| 0-0 1-1 ||| 4 3 2 ||| |||"

SMAPS = Path("/proc/self/smaps")


def read(folder: Path, *lines: str, **options) -> PhraseTable:
    return read_moses_table(write(folder / "table.txt", list(lines)), folder / "table.bin", **options)


@pytest.mark.parametrize("seed", range(3))
def test_a_text_table_comes_back_line_for_line(seed: int, tmp_path: Path) -> None:
    rows = random_rows(seed, reordering=8)
    table = build(tmp_path, rows)
    write_moses_table(table, tmp_path / "again.gz", tmp_path / "reordering")
    assert gzip.decompress((tmp_path / "again.gz").read_bytes()).decode().splitlines() == phrase_lines(rows)
    assert (tmp_path / "reordering").read_text(encoding="utf-8").splitlines() == reordering_lines(rows)


def test_lines_are_sorted_by_their_bytes_as_moses_has_them(tmp_path: Path) -> None:
    pairs = ["a", "a b", "a ~", "a ! c", "ab", "~", "~ ~", "zz"]  # ~ sorts behind |||, letters before
    lines = sorted(
        (f"{s} ||| {t} ||| 0.5 |||  ||| 0 0 0 ||| |||" for s in pairs for t in pairs), key=str.encode
    )
    table = read(tmp_path, *lines)
    write_moses_table(table, tmp_path / "again")
    assert (tmp_path / "again").read_text().splitlines() == lines


def check_opened_without_reading(path: Path) -> None:
    """Opening takes no time because the file is mapped, and next to nothing of it is looked at."""
    if not SMAPS.exists():
        return
    before = mapped(path)
    table = PhraseTable.open(path)
    sizes = [sizes for address, sizes in mapped(path).items() if address not in before]
    assert sum(size for size, _ in sizes) >= path.stat().st_size
    assert sum(resident for _, resident in sizes) < path.stat().st_size / 20
    assert len(table) > 0


def mapped(path: Path) -> dict[str, tuple[int, int]]:
    """Return where a file is mapped in this process: the bytes of each mapping, and those in memory."""
    blocks = re.findall(
        r"^([0-9a-f]+)-\S+ .* (\S+)\nSize: +(\d+) kB\n(?:\w+: .*\n)*?Rss: +(\d+) kB", SMAPS.read_text(), re.M
    )
    return {
        address: (int(size) * 1024, int(rss) * 1024)
        for address, name, size, rss in blocks
        if name == str(path)
    }


@pytest.mark.slow
def test_the_multi30k_tables_of_moses_come_back_byte_for_byte(shared_data: Path, tmp_path: Path) -> None:
    moses = shared_data / "moses"
    names = ["phrase-table.full.xz", "reordering-table.hier-mslr-bidirectional-fe.full.xz"]
    table = read_moses_table(moses / names[0], tmp_path / "full.bin", reordering=moses / names[1])
    assert len(table) == 791_367
    assert table.reordering_models == (("hier-mslr-bidirectional-fe", 8),)
    check_opened_without_reading(tmp_path / "full.bin")
    write_moses_table(table, tmp_path / "phrases", tmp_path / "reordering")
    for name, written in zip(names, ["phrases", "reordering"], strict=True):
        assert (tmp_path / written).read_bytes() == lzma.decompress((moses / name).read_bytes())
    texts = ["val", "test_2016", "test_2017", "test_2017_coco"]
    lines = [lzma.decompress((shared_data / f"multi30k.{text}.de.xz").read_bytes()) for text in texts]
    filtered = filter_table(table, b"".join(lines).decode().splitlines(), tmp_path / "filtered.bin")
    write_moses_table(filtered, tmp_path / "phrases", tmp_path / "reordering")
    for name in ("phrase-table", "reordering-table"):
        expected = gzip.decompress((moses / f"{name}.val+tests.gz").read_bytes())
        assert (tmp_path / {"p": "phrases", "r": "reordering"}[name[0]]).read_bytes() == expected


def test_old_tables_stop_after_the_scores_and_have_a_fifth(tmp_path: Path) -> None:
    pair = read(tmp_path, "ein ||| a ||| 0.5 0.25 0.75 1 2.718").lookup("ein")[0]
    assert list(pair.scores) == [*MOSES_SCORES, "phrase_penalty"]
    assert pair.scores["phrase_penalty"] == pytest.approx(2.718)
    assert (pair.alignment, pair.source_count, pair.joint_count) == ((), 0, 0)


def test_a_probability_of_zero_is_kept_and_one_too_small_becomes_zero(tmp_path: Path) -> None:
    scores = read(tmp_path, LINE.replace("0.5 0.25", "0 1e-60")).lookup("ein mann")[0].scores
    assert scores["p(f|e)"] == 0
    assert scores["lex(f|e)"] == 0


def test_bars_in_words_are_escaped_where_they_are_written(tmp_path: Path) -> None:
    table = read(tmp_path, "a| ||| b|c ||| 1")
    write_moses_table(table, tmp_path / "again")
    assert (tmp_path / "again").read_text() == "a&#124; ||| b&#124;c ||| 1 |||  ||| 0 0 0 ||| |||\n"
    assert len(read_moses_table(tmp_path / "again", tmp_path / "again.bin")) == 1


def test_reordering_tables_join_in_any_order(tmp_path: Path) -> None:
    rows = random_rows(9, reordering=3)
    lines = reordering_lines(rows)
    random.Random(1).shuffle(lines)
    text = write(tmp_path / "t.txt", phrase_lines(rows))
    shuffled = write(tmp_path / "r.txt", [*lines, "not in ||| the table ||| 1 0 0"])
    by_source = sorted({f"{source} ||| {len(source) / 1000:g} 1" for source, _ in rows})
    sources = write(tmp_path / "f.txt", by_source)
    table = read_moses_table(
        text, tmp_path / "t", reordering=[shuffled, sources], reordering_types=["msd-fe", "x-f"]
    )
    assert table.reordering_columns == ((0, 3), (3, 5))
    for pair in table:
        expected = (*rows[pair.source, pair.target].reordering, len(pair.source) / 1000, 1)
        assert pair.reordering == pytest.approx(expected, rel=1e-6)


def test_a_pair_without_reordering_costs_nothing_and_is_counted(tmp_path: Path) -> None:
    said: list[str] = []
    path = write(tmp_path / "r.txt", ["ein mann ||| the man ||| 0.5 0.5"])
    table = read(tmp_path, LINE, reordering=path, progress=said.append)
    assert table.lookup("ein mann")[0].reordering == (1, 1)
    assert any("1 pairs are not in the reordering tables" in line for line in said)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "expected 'source ||| target ||| scores'"),
        ("nur text", "expected 'source ||| target ||| scores'"),
        ("ein ||| a", "expected 'source ||| target ||| scores'"),
        (" ||| a ||| 1 1 1 1", "source phrase is empty"),
        ("ein |||  ||| 1 1 1 1", "target phrase is empty"),
        ("ein ||| a ||| 1 1 1", "found 3 scores; expected 4"),
        ("ein ||| a ||| ", "found 0 scores; expected 4"),
        ("ein ||| a ||| 1 1 nan 1", "found 'nan'"),
        ("ein ||| a ||| 1 1 -0.5 1", "found '-0.5'"),
        ("ein ||| a ||| 1 1 inf 1", "found 'inf'"),
        ("ein ||| a ||| 1 1 1e39 1", "found '1e39'"),
        ("ein ||| a ||| 1 1 x 1", "found 'x'"),
        ("ein ||| a ||| 1 1 1 1 ||| 0-1", "link 0-1 for 1 source and 1 target words"),
        ("ein ||| a ||| 1 1 1 1 ||| 0:0", "expected a link"),
        ("ein ||| a ||| 1 1 1 1 ||| 0-0 ||| 1 2 3 4", "found 4 counts"),
        ("ein ||| a ||| 1 1 1 1 ||| 0-0 ||| 1 -2 3", "found '-2'"),
        (LINE, "duplicate phrase pair"),
        ("a ||| a ||| 1 1 1 1\nein mann ||| b ||| 1 1 1 1", "not adjacent"),
    ],
)
def test_lines_that_cannot_be_are_refused_with_their_number(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"table\.txt:[23]: ") as caught:
        read(tmp_path, LINE, *line.split("\n"))
    assert message in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["table.txt"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ein ||| a", "found 2 fields"),
        ("ein ||| a ||| 1 ||| 1", "found 4 fields"),
        (" ||| a ||| 1 1", "none of them empty"),
        ("ein ||| a ||| 1", "found 1 probabilities; expected 2"),
        ("ein ||| a ||| 1 nan", "found 'nan'"),
        ("ein mann ||| a man ||| 1 1", "duplicate phrase pair"),
    ],
)
def test_reordering_lines_that_cannot_be_are_refused(line: str, message: str, tmp_path: Path) -> None:
    path = write(tmp_path / "r.txt", ["ein mann ||| a man ||| 0.5 0.5", line])
    with pytest.raises(InputError, match=r"r\.txt:2: ") as caught:
        read(tmp_path, LINE, reordering=path)
    assert message in str(caught.value)


def test_tables_of_rules_empty_files_and_broken_compression_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="hierarchical rules"):
        read(tmp_path, "[X][X] mann [X] ||| [X][X] man [X] ||| 1 1 1 1 ||| 0-0 1-1")
    with pytest.raises(InputError, match="empty"):
        read(tmp_path)
    with pytest.raises(InputError, match="4 scores; 1 names"):
        read(tmp_path, LINE, scores=["p"])
    broken = tmp_path / "broken.gz"
    broken.write_bytes(gzip.compress(LINE.encode() * 100)[:-20])
    with pytest.raises(InputError, match="truncated"):
        read_moses_table(broken, tmp_path / "out")
    (tmp_path / "latin").write_bytes("größe ||| size ||| 1\n".encode("latin-1"))
    with pytest.raises(InputError, match="latin:1: not UTF-8"):
        read_moses_table(tmp_path / "latin", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_huge_line_is_a_line_like_any_other(tmp_path: Path) -> None:
    source, target = (" ".join(f"{side}{i}" for i in range(10_000)) for side in "st")
    links = " ".join(f"{i}-{i}" for i in range(10_000))
    table = read(tmp_path, f"{source} ||| {target} ||| 1 1 1 1 ||| {links} ||| 1 1 1")
    assert table.longest_source == 10_000
    pair = table.lookup(source)[0]
    assert pair.target == target
    assert pair.alignment[-1] == (9_999, 9_999)
    write_moses_table(table, tmp_path / "again")
    assert (tmp_path / "again").read_text().startswith(source + " ||| " + target + " ||| 1 1 1 1 ||| 0-0 1-1")


def test_writing_to_a_full_disk_is_an_error(tmp_path: Path) -> None:
    table = read(tmp_path, LINE)
    with pytest.raises(InputError, match="cannot write"):
        write_moses_table(table, "/dev/full")
    with pytest.raises(InputError, match="0 reordering models; 1 files"):
        write_moses_table(table, tmp_path / "again", tmp_path / "r")

"""Small phrase tables in text form, and what Python makes of them."""

from __future__ import annotations

import gzip
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tunesmith.tables import PhraseTable, read_moses_table

Key = tuple[str, str]

ARPA = "\\data\\\nngram 1=3\n\n\\1-grams:\n-1\t<unk>\n-1\t<s>\n-1\t</s>\n\n\\end\\\n"
INI = """[mapping]
0 T 0
[distortion-limit]
6
[stack]
100
[feature]
UnknownWordPenalty
WordPenalty
PhrasePenalty
PhraseDictionaryMemory name=TM0 num-features=4 path=phrase-table input-factor=0 output-factor=0 table-limit=7
LexicalReordering name=LR0 num-features=6 type=wbe-msd-bidirectional-fe-allff \
path=reordering-table.wbe-msd-bidirectional-fe
Distortion
KENLM name=LM0 factor=0 path=lm.arpa order=1
[weight]
WordPenalty0= -1
PhrasePenalty0= 0.2
TM0= 0.2 0.1 0.2 0.1
LR0= 0.3 0.3 0.3 0.3 0.3 0.3
Distortion0= 0.3
LM0= 0.5
"""


@dataclass(frozen=True)
class Row:
    """What a text table says about a pair."""

    scores: tuple[float, ...]
    alignment: tuple[tuple[int, int], ...] = ()
    counts: tuple[int, int, int] = (0, 0, 0)
    reordering: tuple[float, ...] = ()


def random_rows(seed: int, sources: int = 60, width: int = 4, reordering: int = 0) -> dict[Key, Row]:
    """Draw pairs over a few words, so that phrases share prefixes; probabilities have six digits."""
    rng = random.Random(seed)
    words = ["ein", "mann", "größe", "|", "&apos;s", "日本", "שלום", "a", "ab", "z"]
    rows = {}
    for _ in range(sources):
        source = [rng.choice(words) for _ in range(rng.randint(1, 5))]
        for _ in range(rng.randint(1, 6)):
            target = [rng.choice(words).replace("|", "pipe") for _ in range(rng.randint(1, 4))]
            links = {
                (rng.randrange(len(source)), rng.randrange(len(target))) for _ in range(rng.randint(0, 4))
            }
            joint = rng.randint(1, 5)
            rows[" ".join(source).replace("|", "bar"), " ".join(target)] = Row(
                tuple(
                    six_digits(rng.choice([1.0, 0.5, rng.random(), rng.random() * 1e-7]))
                    for _ in range(width)
                ),
                tuple(sorted(links)),
                (joint + rng.randint(0, 3), joint + rng.randint(0, 3), joint),
                tuple(six_digits(rng.random()) for _ in range(reordering)),
            )
    return rows


def six_digits(value: float) -> float:
    return float(f"{value:g}")


def phrase_lines(rows: Mapping[Key, Row]) -> list[str]:
    """Return Moses' lines, sorted as LC_ALL=C sort does."""
    lines = []
    for (source, target), row in rows.items():
        links = sorted(row.alignment, key=lambda link: (link[1], link[0]))
        fields = [
            source,
            target,
            " ".join(f"{score:g}" for score in row.scores),
            " ".join(f"{i}-{j}" for i, j in links),
            " ".join(str(count) for count in row.counts),
        ]
        lines.append(" ||| ".join(fields) + " ||| |||")
    return sorted(lines, key=lambda line: line.encode())


def reordering_lines(rows: Mapping[Key, Row]) -> list[str]:
    lines = [f"{s} ||| {t} ||| {' '.join(f'{p:g}' for p in row.reordering)}" for (s, t), row in rows.items()]
    return sorted(lines, key=lambda line: line.encode())


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def build(folder: Path, rows: Mapping[Key, Row], name: str = "table") -> PhraseTable:
    """Build the mapped table of the rows."""
    text = write(folder / f"{name}.txt", phrase_lines(rows))
    with_reordering = any(row.reordering for row in rows.values())
    path = write(folder / f"{name}.wbe-msd-fe.txt", reordering_lines(rows)) if with_reordering else None
    return read_moses_table(text, folder / f"{name}.bin", reordering=path)


def write_model(folder: Path) -> None:
    """Write a small model of Moses: the files that the documents speak of."""
    rows = random_rows(1, reordering=6)
    rows["ein mann", "a man"] = Row((0.5, 0.4, 0.75, 0.5), ((0, 0), (1, 1)), (3, 4, 3), (0.2,) * 6)
    files = {
        "phrase-table.gz": phrase_lines(rows),
        "reordering-table.wbe-msd-bidirectional-fe.gz": reordering_lines(rows),
    }
    for name, lines in files.items():
        (folder / name).write_bytes(gzip.compress("".join(line + "\n" for line in lines).encode()))
    (folder / "dev.de").write_text("ein mann a ab z .\n", encoding="utf-8")
    (folder / "lm.arpa").write_text(ARPA, encoding="utf-8")
    (folder / "moses.ini").write_text(INI, encoding="utf-8")


def as_rows(table: PhraseTable) -> dict[Key, Row]:
    """Return all pairs of a table, with the values that it holds."""
    rows = {}
    for pair in table:
        counts = int(pair.target_count), int(pair.source_count), int(pair.joint_count)
        rows[pair.source, pair.target] = Row(
            tuple(pair.scores.values()), pair.alignment, counts, pair.reordering
        )
    return rows


def as_float32(row: Row) -> Row:
    """Return the row with values as a table holds them."""
    scores, reordering = (tuple(np.float32(values).tolist()) for values in (row.scores, row.reordering))
    return Row(scores, row.alignment, row.counts, reordering)

"""Files of forests: bytes per edge against raw arrays and gzip, and edges per second, written and read.

    python -m benchmarks.forest_files

Random phrase lattices of the shape that a decoder with recombination makes: eight edges per node, 600 rules
with 7 features (four of them drawn once per rule), 3 features per edge: a score that never repeats, as of a
language model, one of six distances, one of sixty values. Processor time on one thread; text formats at
10,000 edges.
"""

from __future__ import annotations

import gzip
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tunesmith.forest import Forest, ForestFile, ForestWriter, read_forests, write_forests
from tunesmith.forest.build import from_arrays
from tunesmith.texts import Texts

RULES, WORDS, WIDTH = 600, 400, 8
ARRAYS = [
    "edge_offsets",
    "tail_offsets",
    "tails",
    "edge_rules",
    "spans",
    "edge_feature_offsets",
    "edge_feature_columns",
    "edge_feature_values",
    "source_offsets",
    "sources",
    "target_offsets",
    "targets",
    "link_offsets",
    "links",
    "rule_ids",
    "rule_feature_offsets",
    "rule_feature_columns",
    "rule_feature_values",
]


def lattice(edges: int, seed: int) -> Forest:
    """Return a lattice whose first node is the empty hypothesis."""
    random = np.random.default_rng(seed)
    counts = np.full(edges // WIDTH, WIDTH)
    counts[0] = 1
    heads = np.repeat(np.arange(len(counts)), counts)
    inner = heads > 0
    rules = np.where(inner, 1 + np.minimum(random.geometric(0.01, len(heads)), RULES - 2), 0)
    back = np.minimum(random.geometric(0.005, len(heads)), 400)
    lengths = random.integers(1, 4, RULES)
    targets = [[-1, *random.integers(0, WORDS, n).tolist()] for n in lengths]
    targets[0] = []
    penalties = np.stack([np.ones(RULES), np.full(RULES, 2.718), -lengths], axis=1)
    words = Texts.of(f"word{i}" for i in range(WORDS))
    names = Texts.of(f"Feature{i}" for i in range(10))
    own = [
        random.normal(-3, 2, len(heads)),
        -random.integers(0, 6, len(heads)),
        random.choice(random.normal(-1, 1, 60), len(heads)),
    ]
    return from_arrays(
        np.append(0, np.cumsum(counts)),
        (np.append(0, np.cumsum(inner)), np.maximum(0, heads - back)[inner]),
        rules,
        np.stack([rules // 20, rules // 20 + 1 + rules % 3], axis=1),
        (np.arange(len(heads) + 1) * 3, np.tile([0, 1, 2], len(heads)), np.stack(own, axis=1).ravel()),
        (np.arange(RULES + 1), np.arange(RULES) // 20),
        (np.append(0, np.cumsum([len(t) for t in targets])), [s for target in targets for s in target]),
        (
            np.maximum(np.arange(RULES + 1) - 1, 0),
            np.tile(np.array([[0, 1]], dtype=np.int32), (RULES - 1, 1)),
        ),
        (
            np.arange(RULES + 1) * 7,
            np.tile(np.arange(3, 10), RULES),
            np.concatenate([np.log(random.random((RULES, 4))), penalties], axis=1).ravel(),
        ),
        np.arange(RULES),
        (words.blob, words.offsets),
        (names.blob, names.offsets),
    )


def raw(forest: Forest) -> bytes:
    """Return all arrays of a forest, as they are in memory."""
    return b"".join(np.ascontiguousarray(getattr(forest.native, name)).tobytes() for name in ARRAYS)


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def write(path: Path, forests: list[Forest]) -> None:
    with ForestWriter(path) as writer:
        for forest in forests:
            writer.add(forest)


def measure_file(folder: Path, edges: int, count: int) -> None:
    forests = [lattice(edges, seed) for seed in range(count)]
    total = sum(forest.edge_count for forest in forests)
    path = folder / "f.bin"
    written = seconds(lambda: write(path, forests))
    read = seconds(lambda: [forest.edge_count for forest in ForestFile.open(path)])
    arrays = [raw(forest) for forest in forests]
    size, plain = path.stat().st_size, sum(map(len, arrays))
    zipped = sum(len(gzip.compress(data)) for data in arrays)
    print(
        f"| {count} x {edges:,} | {size / total:.1f} | {plain / size:.1f} | {zipped / size:.2f} "
        f"| {total / written / 1e6:.1f} | {total / read / 1e6:.1f} |"
    )


def measure_text(folder: Path, name: str) -> None:
    forest = lattice(10_000, 1)
    path = folder / "text"
    written = seconds(lambda: write_forests(path, [("0", forest)], format=name))
    read = seconds(lambda: list(read_forests(path)))
    size = path.stat().st_size
    edges = forest.edge_count
    print(f"| {name} | {size / edges:.0f} | {edges / written / 1e6:.2f} | {edges / read / 1e6:.2f} |")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print("| forests x edges | bytes per edge | raw / file | gzip / file | M edges/s written | read |")
        print("|---|---|---|---|---|---|")
        for edges, count in ((1_000, 200), (10_000, 20), (100_000, 3)):
            measure_file(folder, edges, count)
        print("\n| text format | bytes per edge | M edges/s written | read |")
        print("|---|---|---|---|")
        for text in ("moses-graph", "moses-hypergraph", "cdec-json"):
            measure_text(folder, text)


if __name__ == "__main__":
    main()

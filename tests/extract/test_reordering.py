from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.extract.collected import table_of
from tests.extract.reference import Pair, aligned_pairs, extract

from tunesmith.errors import OptionError
from tunesmith.extract import ReorderingSpec

CLASSES = {  # of monotone, swap, left, right, and global where it is told apart
    "monotonicity": (0, 1, 1, 1),
    "msd": (0, 1, 2, 2),
    "mslr": (0, 1, 2, 3),
    "leftright": (0, 1, 1, 0),
    "mslrg": (0, 1, 2, 3, 4),
}
names = st.builds(
    ReorderingSpec,
    st.just("hier"),
    st.sampled_from(sorted(CLASSES)),
    st.sampled_from(["backward", "forward", "bidirectional"]),
    st.sampled_from(["fe", "f"]),
) | st.builds(
    ReorderingSpec,
    st.sampled_from(["wbe", "phrase"]),
    st.sampled_from(["monotonicity", "msd", "mslr", "leftright"]),
    st.sampled_from(["backward", "forward", "bidirectional"]),
    st.sampled_from(["fe", "f"]),
)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80)
@given(st.lists(aligned_pairs(4), min_size=1, max_size=6), st.lists(names, min_size=1, max_size=3))
def test_probabilities_are_smoothed_counts_of_orientations(
    tmp_path: Path, pairs: list[Pair], specs: list[ReorderingSpec]
) -> None:
    seen: dict[tuple[str, ...], Counter[tuple[int, int]]] = defaultdict(Counter)
    for pair in pairs:
        for span, row in extract(pair, 7).items():
            source = " ".join(pair.source[span.sb : span.se])
            target = " ".join(pair.target[span.tb : span.te])
            for key in ((source, target), (source,)):
                seen[key].update(enumerate(row))
    for (source, target), row in table_of(pairs, tmp_path, reordering=specs).items():
        expected: list[float] = []
        for spec in specs:
            counts = seen[(source, target) if spec.condition == "fe" else (source,)]
            classes = CLASSES[spec.classes]
            for column, direction in enumerate(("backward", "forward")):
                if spec.direction not in (direction, "bidirectional"):
                    continue
                place = 2 * ("wbe", "phrase", "hier").index(spec.model) + column
                if spec.model == "hier" and spec.classes != "mslrg":
                    place += 2  # as Moses has them
                total = sum(counts[place, orientation] for orientation in range(5))
                for wanted in range(max(classes) + 1):
                    count = sum(counts[place, o] for o in range(len(classes)) if classes[o] == wanted)
                    expected.append((count + 0.5) / (total + 0.5 * (max(classes) + 1)))
        assert row.reordering == pytest.approx(expected, rel=1e-6)
        assert len(expected) == sum(len(spec.columns) for spec in specs)


def test_names_are_read_as_moses_writes_them() -> None:
    spec = ReorderingSpec.parse("hier-mslr-bidirectional-fe")
    assert spec == ReorderingSpec("hier", "mslr", "bidirectional", "fe")
    assert spec.name == "hier-mslr-bidirectional-fe"
    assert spec.columns[0] == "backward monotone"
    assert len(spec.columns) == 8
    assert ReorderingSpec.parse("msd-bidirectional-fe") == ReorderingSpec("wbe", "msd")


@pytest.mark.parametrize(
    "name", ["", "hier", "hier-msd-both-fe", "hier-mslr-backward-e", "wbe-mslrg-forward-f"]
)
def test_names_of_no_model_are_refused(name: str) -> None:
    with pytest.raises(OptionError):
        ReorderingSpec.parse(name)


def test_a_misspelt_name_is_corrected() -> None:
    with pytest.raises(OptionError, match="did you mean 'bidirectional'"):
        ReorderingSpec.parse("hier-mslr-bidirektional-fe")

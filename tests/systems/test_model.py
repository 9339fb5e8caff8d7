"""Our own decoders as a loop asks them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.candidates.compare import assert_identical
from tests.commands import run

from tunesmith.candidates import Pool
from tunesmith.decode import Lattice, SearchOptions, open_decoder
from tunesmith.errors import InputError, OptionError
from tunesmith.features import TEMPLATES
from tunesmith.forest import expand_context
from tunesmith.systems.model import ModelSystem
from tunesmith.weights import Weights


@pytest.mark.parametrize("kind", ["model", "hiero"])
def test_lists_are_those_of_the_decode_command(kind: str, loop_folder: Path) -> None:
    outputs = ("--nbest", 7, "--unique", "--nbest-output", "lists.jsonl", "-o", "out")
    assert run("decode", kind, "-i", "dev.de", *outputs, folder=loop_folder).returncode == 0
    written = Pool.read(loop_folder / "lists.jsonl")
    system = ModelSystem.open(loop_folder / kind, loop_folder / "dev.de", threads=2)
    pool = system.use(system.start).nbest(7)
    assert pool.ids == tuple(map(str, range(25)))
    parts = list(system.use(system.start).nbest_parts(7))
    assert_identical(Pool.merge(parts), Pool.merge([pool]))
    assert pool.texts == written.texts
    assert np.array_equal(pool.offsets, written.offsets)
    assert pool.features.dense[: len(system.start)].all()
    best = system.use(system.start).best()
    assert list(best) == (loop_folder / "out").read_text().splitlines()


@pytest.mark.parametrize("kind", ["model", "hiero"])
def test_forests_tell_the_boundary_words_apart_that_a_method_asks_for(kind: str, loop_folder: Path) -> None:
    system = ModelSystem.open(loop_folder / kind, loop_folder / "dev.de")
    start = system.start
    split = [expand_context(forest, 4) for forest in system.use(start).forests(3)]
    whole = list(system.use(start).forests(3))
    # Where three words are known already, nothing is left to split.
    assert [forest.node_count for forest in split] == [forest.node_count for forest in whole]
    loose = [expand_context(forest, 4).node_count for forest in system.use(start).forests(0)]
    assert sum(loose) > sum(forest.node_count for forest in system.use(start).forests(0))


def test_lists_are_numbered_whatever_the_ids_of_sentences(loop_folder: Path) -> None:
    lines = (loop_folder / "dev.de").read_text().splitlines()[:3]
    (loop_folder / "seg").write_text(
        "".join(f'<seg id="x{line[:1]}{i}">{line}</seg>\n' for i, line in enumerate(lines))
    )
    named = ModelSystem.open(loop_folder / "model", loop_folder / "seg")
    plain = ModelSystem.open(loop_folder / "model", lines)
    assert named.use(named.start).nbest(3).ids == ("0", "1", "2")
    assert named.use(named.start).best() == plain.use(plain.start).best()
    assert len(named) == 3


def test_lattices_are_decoded(loop_folder: Path) -> None:
    first, second = (loop_folder / "dev.de").read_text().split()[:2]
    lattice = Lattice(f"((('{first}',1,1),('{second}',1,1),),(('{second}',1,1),),)")
    system = ModelSystem.open(loop_folder / "model", [lattice])
    assert system.use(system.start).nbest(5).n_candidates > 1


def test_features_of_templates_are_in_lists_without_a_weight(loop_folder: Path) -> None:
    template = TEMPLATES["border-bigrams"]()
    lines = (loop_folder / "dev.de").read_text().splitlines()[:4]
    system = ModelSystem.open(loop_folder / "model", lines, templates=[template])
    names = system.use(system.start).nbest(3).feature_names
    assert names[: len(system.start)] == open_decoder(loop_folder / "model").feature_names
    sparse = [name for name in names if name not in system.start]
    assert sparse
    assert all(template.owns(name) for name in sparse)
    heavy = Weights({**system.start, **dict.fromkeys(sparse, -3.0)})
    assert system.use(heavy).best() != system.use(system.start).best()


def test_the_fingerprint_tells_what_translations_depend_on(loop_folder: Path) -> None:
    def fingerprint(model: str = "model", **options) -> str:
        return ModelSystem.open(loop_folder / model, loop_folder / "dev.de", **options).fingerprint

    same = {fingerprint(), fingerprint(threads=3), fingerprint(options=SearchOptions())}
    assert len(same) == 1
    others = {
        fingerprint("hiero"),
        fingerprint(options={"stack_size": 10}),
        fingerprint(templates=[TEMPLATES["phrase-length"]()]),
    }
    assert len(others | same) == 4


def test_bad_input_is_told_with_its_file_and_line(loop_folder: Path) -> None:
    (loop_folder / "bad").write_text("das\n((('das',0.5,1),),)\n")
    system = ModelSystem.open(loop_folder / "model", loop_folder / "bad")
    with pytest.raises(InputError, match=r"bad:2: .*InputFeature0"):
        system.use(system.start).nbest(2)
    (loop_folder / "empty").write_text("")
    with pytest.raises(InputError, match="empty: there are no sentences"):
        ModelSystem.open(loop_folder / "model", loop_folder / "empty")
    with pytest.raises(OptionError, match="cell_size is for hierarchical or ITG models"):
        ModelSystem.open(loop_folder / "model", ["das"], options={"cell_size": 3})

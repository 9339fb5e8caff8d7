"""Damaged binary files: what is read from them is what was written, or there is an error."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import pytest
from tests.damaged_containers import checksum, mutations, section_mutations, sections
from tests.fuzz.fuzz_folders import outcomes, prepared
from tests.small_containers import KINDS

from tunesmith import Decoding, decode_file
from tunesmith.container import container_kind
from tunesmith.decode import DecodeOutputs, open_decoder
from tunesmith.errors import InputError
from tunesmith.model import Model


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of each kind, named by it."""
    folder = tmp_path_factory.mktemp("kinds")
    for name, kind in KINDS.items():
        kind.make(folder / name)
    return folder


@pytest.mark.parametrize("name", KINDS)
def test_a_damaged_file_is_an_error_or_is_read_as_before(name: str, files: Path, tmp_path: Path) -> None:
    """One file is damaged in place, again and again within the resolution of its times."""
    read, whole, path = KINDS[name].read, (files / name).read_bytes(), tmp_path / "file"
    assert container_kind(files / name) == name
    before = read(files / name)
    refused = 0
    for damaged in mutations(whole, 200):
        path.write_bytes(damaged)
        try:
            found = read(path)
        except InputError as error:
            assert str(path) in str(error)
            refused += 1
        else:
            assert found == before, "damage was taken for data"
    assert refused > 120


@pytest.mark.parametrize("name", KINDS)
def test_damage_behind_the_checksums_is_an_error_or_can_be_used(
    name: str, files: Path, tmp_path: Path
) -> None:
    """A program that writes wrong values with right checksums may change what is read, but not crash."""
    path = tmp_path / "file"
    for _, damaged in section_mutations((files / name).read_bytes(), 40):
        path.write_bytes(damaged)
        try:
            KINDS[name].read(path)
        except InputError:
            continue


def test_checksums_are_those_of_their_definition(files: Path) -> None:
    """The checksums in files are those of a second implementation, in Python."""
    for name in KINDS:
        data = (files / name).read_bytes()
        for part in sections(data).values():
            assert checksum(data[part.start : part.stop]).to_bytes(8, "little") in data[part.stop :]


@pytest.mark.slow
def test_damaged_models_and_runs_end_with_a_result_or_an_error(tmp_path: Path) -> None:
    """Checksums of files and manifests fit in most cases: `python -m tests.fuzz.fuzz_folders` runs longer."""
    (tmp_path / "work").mkdir()
    cases = prepared(tmp_path)
    found = list(itertools.islice(outcomes(cases, tmp_path / "work", seed=1), 5 * len(cases)))
    assert {is_used for _, is_used in found} == {False, True}
    assert {name.partition("/")[0] for name, _ in found} >= {"phrases", "rules", "index", "run", *KINDS}


def test_no_damaged_file_of_a_model_changes_translations(small_model: Path, tmp_path: Path) -> None:
    shutil.copytree(small_model, tmp_path / "model")
    (tmp_path / "in").write_text("der hund sieht das haus .\nein kleines kind\n")

    def translations() -> str:
        decode_file(tmp_path / "model", tmp_path / "in", DecodeOutputs(tmp_path / "out"), Decoding(threads=1))
        return (tmp_path / "out").read_text()

    before = translations()
    refused = 0
    for path in sorted((tmp_path / "model").iterdir()):
        whole = path.read_bytes()
        for damaged in mutations(whole, 12) if whole else ():
            path.write_bytes(damaged)
            try:
                found = translations()
            except InputError:
                refused += 1
            else:
                assert found == before, f"damage of {path.name} was taken for data"
        path.write_bytes(whole)
    assert refused > 50
    assert translations() == before


def test_verifying_a_model_reads_all_of_its_files(small_model: Path, tmp_path: Path) -> None:
    shutil.copytree(small_model, tmp_path / "model")
    open_decoder(tmp_path / "model", verify=True)
    path = tmp_path / "model" / "phrases.bin"
    whole = bytearray(path.read_bytes())
    whole[max(part.stop for part in sections(bytes(whole)).values()) - 1] ^= 1
    path.write_bytes(whole)
    with pytest.raises(InputError, match=r"phrases\.bin: (differs from the manifest|is damaged)"):
        Model.open(tmp_path / "model", verify=True)

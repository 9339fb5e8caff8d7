"""Reading and writing moses.ini."""

from __future__ import annotations

from pathlib import Path

import pytest

from tunesmith.candidates import Pool
from tunesmith.errors import InputError
from tunesmith.model.moses_ini import MosesIni

INI = """# a comment
[mapping]
0 T 0

[distortion-limit]
6

[feature]
UnknownWordPenalty
WordPenalty
PhraseDictionaryMemory name=TM0 num-features=2 path=table#1.gz input-factor=0   # a table
KENLM name=LM0 path=lm.arpa order=3
KENLM path=other.arpa

[weight]
WordPenalty0= -1
TM0= 0.2 0.1
LM0= 0.5
KENLM1= 0.25
"""


def read(folder: Path, text: str) -> MosesIni:
    path = folder / "moses.ini"
    path.write_text(text, encoding="utf-8")
    return MosesIni.read(path)


def test_features_weights_and_other_sections_are_read(tmp_path: Path) -> None:
    ini = read(tmp_path, INI)
    assert [(feature.kind, feature.name) for feature in ini.features] == [
        ("UnknownWordPenalty", "UnknownWordPenalty0"),
        ("WordPenalty", "WordPenalty0"),
        ("PhraseDictionaryMemory", "TM0"),
        ("KENLM", "LM0"),
        ("KENLM", "KENLM1"),
    ]
    assert ini.features[2].arguments == {"num-features": "2", "path": "table#1.gz", "input-factor": "0"}
    assert ini.sections == {"mapping": ("0 T 0",), "distortion-limit": ("6",)}
    assert dict(ini.dense_weights()) == {
        "WordPenalty0": -1,
        "TM0_0": 0.2,
        "TM0_1": 0.1,
        "LM0": 0.5,
        "KENLM1": 0.25,
        "UnknownWordPenalty0": 1,
    }


def test_what_is_formatted_reads_back_as_it_was(tmp_path: Path) -> None:
    ini = read(tmp_path, INI)
    assert read(tmp_path, ini.format()) == ini


def test_features_and_weights_may_be_in_several_sections(tmp_path: Path) -> None:
    text = INI.replace("KENLM name=LM0", "[feature]\nKENLM name=LM0").replace("LM0= ", "[weight]\nLM0= ")
    text = text.replace(
        "[weight]\nWordPenalty0= -1\n", "[weight]\nWordPenalty0= -1\n[threads]\n2\n[weight]\n", 1
    )
    found, plain = read(tmp_path, text), read(tmp_path, INI)
    assert found.features == plain.features
    assert found.weights == plain.weights


def test_features_of_unknown_kinds_need_no_weights(tmp_path: Path) -> None:
    ini = read(tmp_path, INI.replace("WordPenalty\n", "WordPenalty\nTargetBigramFeature name=TB\n", 1))
    assert "TB" in {feature.name for feature in ini.features}
    assert "TB" not in ini.weights


@pytest.mark.parametrize("name", ["default", "mert", "mira", "pro"])
def test_weights_of_moses_have_the_names_of_its_nbest_lists(name: str, shared_data: Path) -> None:
    ini = MosesIni.read(shared_data / "moses" / f"moses.{name}.ini")
    names = set(ini.dense_weights())
    pool = Pool.read(shared_data / "moses" / "val.default.nbest100.gz")
    assert set(pool.features.names) == names - {"UnknownWordPenalty0"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[feature]", "[feature-functions]", "no section [feature]"),
        ("[mapping]", "[ttable-file]", "before Moses 1.0"),
        ("[mapping]", "", "3: expected a section"),
        ("[distortion-limit]", "[mapping]", "repeated section [mapping]"),
        ("name=LM0", "name=TM0", "repeated feature 'TM0'"),
        ("name=LM0", "name=../LM0", "found '../LM0'"),
        ("order=3", "order", "expected each key=value"),
        ("order=3", "path=3", "expected each key=value once"),
        ("WordPenalty0= -1", "WordPenalty= -1", "did you mean 'WordPenalty0'"),
        ("WordPenalty0= -1", "LM0= -1", "repeated weight 'LM0'"),
        ("WordPenalty0= -1", "", "'WordPenalty0' has no line in [weight]"),
        ("WordPenalty0= -1", "WordPenalty0=", "has 0 weights; expected 1"),
        ("WordPenalty0= -1", "WordPenalty0= x", "expected finite numbers"),
        ("WordPenalty0= -1", "WordPenalty0= nan", "expected finite numbers"),
        ("0.2 0.1", "0.2", "has 1 weights; expected 2"),
    ],
)
def test_an_ini_that_cannot_be_is_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"moses\.ini") as caught:
        read(tmp_path, INI.replace(old, new, 1))
    assert message in str(caught.value)

"""What commands import: start-up is fast because most of the library, and of what it uses, is not loaded."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import json, sys
from tunesmith.cli.main import main
try:
    main()
except SystemExit:
    pass
sys.stdout.flush()
sys.stderr.write("\\n" + json.dumps(sorted(sys.modules)))
"""


def modules(*arguments: str) -> set[str]:
    """Return the modules that are loaded after a command."""
    command = [sys.executable, "-c", PROGRAM, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr.rpartition("\n")[2]))


@pytest.mark.parametrize(
    ("arguments", "absent"),
    [
        (["--version"], {"typer", "rich", "numpy", "tunesmith._native"}),
        (["--help"], {"numpy", "tunesmith._native", "tunesmith.cli.align", "tunesmith.options"}),
        (["tune", "--help"], {"numpy", "tunesmith._native", "tunesmith.tuning"}),
        (
            ["tune", "nbest", "--candidates", "absent", "--method", "mira", "-o", "out"],
            {
                "scipy",
                "sacrebleu",
                "pydantic",
                "tunesmith.decode",
                "tunesmith.model",
                "tunesmith.tuning.methods.pl",
            },
        ),
    ],
)
def test_a_command_loads_only_what_it_needs(arguments: list[str], absent: set[str]) -> None:
    assert modules(*arguments) & absent == set()


def test_a_whole_run_of_mira_loads_no_scipy(tmp_path: Path) -> None:
    texts = ["the cat sat on the mat", "the cat sat", "a dog"]
    hypotheses = [{"text": text, "features": {"lm": -len(text) / 10}} for text in texts]
    lists = [{"id": str(i), "references": [texts[0]], "hypotheses": hypotheses} for i in range(6)]
    path = tmp_path / "lists.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in lists), encoding="utf-8")
    found = modules(
        "tune", "nbest", "--candidates", str(path), "--method", "mira", "-o", str(tmp_path / "w.json")
    )
    assert (tmp_path / "w.json").exists()
    assert not found & {"scipy", "sacrebleu", "urllib.request", "html.entities"}


def test_importing_the_package_loads_no_library() -> None:
    program = "import sys, tunesmith; dir(tunesmith); sys.exit('numpy' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)

"""The steps that write the glue grammar, or the rules of an ITG."""

from __future__ import annotations

from tunesmith.extract.glue import itg_grammar, sentence_glue
from tunesmith.files import open_write
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts.names import GLUE, ITG
from tunesmith.model.steps import BuildStep, Workshop

__all__ = ["write_glue", "write_itg"]


def write_glue() -> BuildStep:
    """Return the step that writes the glue grammar of hierarchical rules."""
    return _write("glue grammar", GLUE, sentence_glue())


def write_itg(options: TrainingOptions) -> BuildStep:
    """Return the step that writes the straight and inverted rules over phrase pairs."""
    return _write("itg grammar", ITG, itg_grammar(options.itg_form))


def _write(name: str, output: str, text: str) -> BuildStep:
    def run(shop: Workshop) -> None:
        with open_write(shop[output]) as stream:
            stream.write(text.encode())

    return BuildStep(name, (output,), run, options={"rules": text.splitlines()})

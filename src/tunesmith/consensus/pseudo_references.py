"""References of MBR other than the candidates themselves: samples of another system, say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from tunesmith.candidates import Pool
from tunesmith.consensus.lists import candidate_texts
from tunesmith.errors import InputError

__all__ = ["PseudoReferences", "references_by_list"]

PseudoReferences: TypeAlias = Pool | Sequence[Sequence[str]]
"""A pool with a list of the same id for each list, or the texts of each list in order."""


def references_by_list(pool: Pool, references: PseudoReferences) -> list[list[str]]:
    """Return the references of each list of the pool; a list without any is an InputError."""
    if isinstance(references, Pool):
        texts = list(candidate_texts(references))
        places = {name: place for place, name in enumerate(references.ids)}
        for name in pool.ids:
            if name not in places:
                raise InputError(
                    f"sentence {name!r} has no list of references; expected the ids of the lists"
                )
        lists = [(places[name], places[name] + 1) for name in pool.ids]
        return [texts[references.offsets[begin] : references.offsets[end]] for begin, end in lists]
    if len(references) != len(pool):
        raise InputError(f"references of {len(references)} sentences for {len(pool)} lists")
    for name, own in zip(pool.ids, references, strict=True):
        if isinstance(own, str) or len(own) == 0 or not all(isinstance(text, str) for text in own):
            raise InputError(f"the references of sentence {name!r} are not a list of at least one text")
    return [list(own) for own in references]

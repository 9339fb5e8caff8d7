"""The best derivations of sentences as a bitext with word alignments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tunesmith import _native
from tunesmith.corpus import Alignments, Bitext, Sentences, Vocabulary
from tunesmith.files import PathLike
from tunesmith.texts import Texts
from tunesmith.types import IntArray

__all__ = ["OracleText"]


@dataclass(frozen=True, eq=False)
class OracleText:
    """Source sentences, translations, and the links that the phrases of the derivations have.

    Both sides share one vocabulary. Sentences without a derivation are left out; `rows` are those of the
    others in the text.
    """

    bitext: Bitext
    alignments: Alignments
    rows: IntArray

    @classmethod
    def read(cls, files: Sequence[PathLike], *, untabled: bool = True) -> OracleText:
        """Read the best derivation of each sentence of files of derivations, in their order.

        Without `untabled`, phrases of no table are left out on both sides: unknown words, which are passed
        through with a link to themselves, and phrases that the input gave.
        """
        arrays = _native.oracle_text([str(path) for path in files], untabled)
        words = Vocabulary(Texts(arrays["blob"], arrays["offsets"]))
        source, target = (
            Sentences(arrays[side], arrays[f"{side}_offsets"], words) for side in ("source", "target")
        )
        alignments = Alignments(arrays["links"], arrays["link_offsets"])
        return cls(Bitext(source, target), alignments, arrays["sentences"].astype("int64"))

"""The learner's side of Mr. MIRA's protocol: sentences to a running decoder, lists from it."""

from __future__ import annotations

from collections.abc import Mapping

from tunesmith.errors import InputError
from tunesmith.files import PathLike, read_lines
from tunesmith.systems.external.dialogue import Dialogue
from tunesmith.systems.external.mira_lines import MiraCandidate, MiraSentence

__all__ = ["ask_mira", "read_mira_sentences"]


def read_mira_sentences(path: PathLike) -> list[MiraSentence]:
    """Read the sentences of a file; equal ids are an InputError."""
    sentences: list[MiraSentence] = []
    lines: dict[str, int] = {}
    for number, line in enumerate(read_lines(path)):
        try:
            sentence = MiraSentence.parse(line, number)
        except InputError as error:
            raise InputError(error.message, path=path, line=number + 1) from None
        if sentence.id in lines:
            other = lines[sentence.id] + 1
            raise InputError(
                f"duplicate id {sentence.id}: line {other} has it too", path=path, line=number + 1
            )
        lines[sentence.id] = number
        sentences.append(sentence)
    return sentences


def ask_mira(
    dialogue: Dialogue,
    sentence: MiraSentence,
    changes: Mapping[str, float],
    weights: Mapping[str, float] | None = None,
) -> list[MiraCandidate]:
    """Send a sentence and return the decoder's list; `weights` are the decoder's after the changes.

    Blank lines among the announced ones are no candidates: cdec announces k and fills shorter lists up.
    """
    if dialogue.has_more:
        raise InputError(
            f"the decoder wrote {dialogue.hear()[:60]!r} before it was asked for sentence {sentence.id};"
            f" expected nothing after its list{dialogue.said}"
        )
    dialogue.say(sentence.line(changes))
    count = dialogue.hear().strip()
    if not (count.isascii() and count.isdigit()):
        raise InputError(
            f"the decoder answered sentence {sentence.id} with {count[:60]!r};"
            f" expected the number of its candidates{dialogue.said}"
        )
    answer = []
    for number in range(1, int(count) + 1):
        where = f"candidate {number} of {count} of sentence {sentence.id}"
        line = dialogue.hear()
        if not line.strip():
            continue
        try:
            candidate = MiraCandidate.parse(line, weights)
        except InputError as error:
            raise InputError(f"{error.message} ({where})") from None
        if candidate.id != sentence.id:
            raise InputError(f"the decoder wrote the id {candidate.id[:60]!r} for {where}")
        answer.append(candidate)
    return answer

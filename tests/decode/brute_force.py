"""All derivations of short sentences, found without a search."""

from __future__ import annotations

from collections.abc import Iterator

from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.tables import PhraseTable

Derivation = tuple[tuple[int, int, str], ...]


class BruteForce:
    """Enumerates phrase by phrase, in the order of the target, all that a table allows."""

    def __init__(self, decoder: PhraseDecoder) -> None:
        self.decoder = decoder
        self.table: PhraseTable = decoder.model.phrase_table(0)

    def options(self, source: list[str]) -> dict[tuple[int, int], list[list[str]]]:
        found = {}
        for begin in range(len(source)):
            for end in range(begin + 1, len(source) + 1):
                pairs = self.table.lookup(" ".join(source[begin:end]))
                targets = [pair.target.split() for pair in pairs]
                if not targets and end == begin + 1:
                    targets = [[source[begin]]]  # an unknown word is passed
                found[begin, end] = targets
        return found

    def derivations(
        self, text: str, target: str, *, is_prefix: bool = False, limit: int | None = None
    ) -> Iterator[Derivation]:
        """Yield the derivations of the target, or of all that begins with it."""
        source, words = text.split(), target.split()
        options = self.options(source)

        def extend(covered: int, last: int, done: list[str], steps: Derivation) -> Iterator[Derivation]:
            if covered == (1 << len(source)) - 1:
                if done == words or (is_prefix and done[: len(words)] == words):
                    yield steps
                return
            for (begin, end), targets in options.items():
                span = ((1 << (end - begin)) - 1) << begin
                if covered & span or (limit is not None and abs(begin - last) > limit):
                    continue
                for phrase in targets:
                    more = done + phrase
                    common = min(len(more), len(words))
                    if more[:common] == words[:common] and (is_prefix or len(more) <= len(words)):
                        yield from extend(covered | span, end, more, (*steps, (begin, end, " ".join(phrase))))

        yield from extend(0, 0, [], ())

    def reaches(self, text: str, target: str) -> bool:
        """Whether some derivation yields the target; sets of (covered words, target words), no scores."""
        source, words = text.split(), target.split()
        options = [
            (((1 << (end - begin)) - 1) << begin, phrase)
            for (begin, end), targets in self.options(source).items()
            for phrase in targets
        ]
        seen, open_ = {(0, 0)}, [(0, 0)]
        while open_:
            covered, done = open_.pop()
            for span, phrase in options:
                after = covered | span, done + len(phrase)
                if not covered & span and words[done : after[1]] == phrase and after not in seen:
                    seen.add(after)
                    open_.append(after)
        return ((1 << len(source)) - 1, len(words)) in seen

    def score(self, text: str, derivation: Derivation) -> float:
        weights = self.decoder.weights
        steps = self.decoder.replay(text, derivation)
        return sum(weights[name] * value for step in steps for name, value in step.items())

    def best(
        self, text: str, target: str, *, is_prefix: bool = False, limit: int | None = None
    ) -> tuple[float, int] | None:
        """Return the best score and the number of derivations, or None where there is none."""
        found = list(self.derivations(text, target, is_prefix=is_prefix, limit=limit))
        return (max(self.score(text, each) for each in found), len(found)) if found else None

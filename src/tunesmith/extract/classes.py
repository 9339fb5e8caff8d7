"""Word classes by mutual information of neighbors (Brown clustering by exchange)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from tunesmith import _native
from tunesmith.corpus import Sentences, Vocabulary
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike, open_write, read_lines
from tunesmith.threads import thread_count

__all__ = ["WordClasses", "class_information", "train_classes"]

UNKNOWN = "<unk>"


@dataclass(frozen=True, eq=False)
class WordClasses(Mapping[str, int]):
    """The class of each word, a number from 0; training results are None for classes from a file."""

    classes: dict[str, int]
    mutual_information: float | None = None
    epochs: int | None = None
    converged: bool | None = None

    def __getitem__(self, word: str) -> int:
        return self.classes[word]

    def __iter__(self) -> Iterator[str]:
        return iter(self.classes)

    def __len__(self) -> int:
        return len(self.classes)

    @property
    def n_classes(self) -> int:
        """One more than the highest class."""
        return max(self.classes.values(), default=-1) + 1

    @classmethod
    def read(cls, path: PathLike) -> WordClasses:
        """Read lines of a word, a tab or a space, and its class."""
        classes: dict[str, int] = {}
        for number, line in enumerate(read_lines(path), 1):
            word, _, value = line.rpartition("\t" if "\t" in line else " ")
            if not word or not (value.isascii() and value.isdigit()):
                found = f"found {line[:60]!r}; expected a word, a tab and the number of its class"
                raise InputError(found, path=path, line=number)
            if word in classes:
                raise InputError(f"the word {word!r} has two classes", path=path, line=number)
            classes[word] = int(value)
        return cls(classes)

    def write(self, path: PathLike) -> None:
        """Write lines of a word, a tab and its class, by class and then by the order of training."""
        with open_write(path) as stream:
            for word, number in sorted(self.classes.items(), key=lambda entry: entry[1]):
                stream.write(f"{word}\t{number}\n".encode())

    def apply(self, sentences: Sentences) -> Sentences:
        """Return the sentences with words replaced by classes, `<unk>` for a word without a class.

        Classes are named by their numbers: training text of a class-based language model.
        """
        vocabulary = Vocabulary([*map(str, range(self.n_classes)), UNKNOWN])
        unknown = vocabulary.find(UNKNOWN)
        numbers = [self.classes.get(word, unknown) for word in sentences.vocabulary.words()]
        table = np.array([*numbers, unknown], dtype=np.int32)  # the last entry is for word number -1
        return Sentences(table[sentences.words], sentences.offsets, vocabulary)


def train_classes(
    sentences: Sentences,
    classes: int = 80,
    *,
    epochs: int = 30,
    threads: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> WordClasses:
    """Cluster words into classes of high mutual information between neighbors, by exchange.

    The criterion is Brown et al.'s (1992), the average mutual information of adjacent classes. From classes
    merged greedily, single words are moved to another class while that improves it (Martin, Liermann and Ney
    1998). Deterministic: the result depends only on the text. With fewer words than classes, each word has
    its own class.
    """
    for name, value in (("classes", classes), ("epochs", epochs)):
        if not (isinstance(value, int) and 1 <= value < 1 << 31):
            raise OptionError("{} must be a whole number of at least 1, not {value!r}", name, value=value)

    def report(number: int, moved: int, information: float) -> None:
        if progress is not None:
            progress(f"epoch {number}: {moved} words moved, mutual information {information:.5f}")

    size = len(sentences.vocabulary)
    found, information, done, moved = _native.exchange_classes(
        *sentences.arrays, size, min(classes, max(size, 1)), epochs, thread_count(threads), report
    )
    words = sentences.vocabulary.words()
    named = {word: int(number) for word, number in zip(words, found, strict=True) if number >= 0}
    return WordClasses(named, information, done, moved == 0)


def class_information(sentences: Sentences, classes: Mapping[str, int]) -> float:
    """Return the average mutual information of adjacent classes in nats; sentence borders are a class."""
    words = list(sentences.vocabulary.words())
    occurring = np.bincount(sentences.words[sentences.words >= 0], minlength=len(words)) > 0
    for word, occurs in zip(words, occurring, strict=True):
        if occurs and word not in classes:
            raise InputError(f"the word {word!r} has no class")
    _, numbers = np.unique([classes.get(word, -1) for word in words], return_inverse=True)
    return _native.mutual_information(*sentences.arrays, numbers.astype(np.int32))

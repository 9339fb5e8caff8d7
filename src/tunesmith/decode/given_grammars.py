"""Grammars given with requests: files, and rules beside the sentence."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from tunesmith import _native
from tunesmith.decode.request import Request
from tunesmith.errors import InputError, UnweightedFeatureWarning, nearest
from tunesmith.extract.grammar_file import GrammarFile
from tunesmith.extract.rule_features import MOSES_SCORES
from tunesmith.files import PathLike, parse_chunks, read_chunks, same_file
from tunesmith.named_files import check_regular, unquoted

__all__ = ["check_grammars_kept", "read_given_grammars", "warn_of_unweighted"]

_SCORES = [score.name for score in MOSES_SCORES]
"""Names of the scores in Moses' format; in cdec's format features have names."""

_UNNAMED = "PhraseModel_"
"""Prefix of the names of unnamed scores in cdec's format."""

_SHOWN = 8
"""Number of features named in a warning; the rest is counted."""


def read_given_grammars(
    requests: Sequence[Request], threads: int, mapped: dict[Path, GrammarFile] | None = None
) -> list[list[_native.MemoryGrammar]]:
    """Return the grammars of each request; each distinct file is read once, in parallel.

    Files of many grammars are added to `mapped`, and stay open.

    Words are unescaped (see `extract grammars`). Errors have the number of the request, from 1, as their
    line, and name the file and its line, or the number of the rule.
    """
    named = [(each.grammar, each.grammar_number) for each in requests]
    opened = {} if mapped is None else mapped
    given: list[list[_native.MemoryGrammar]] = []
    with ThreadPoolExecutor(threads) as pool:
        files = {
            (path, row): pool.submit(_read, path) if row is None else pool.submit(_row, path, row, opened)
            for path, row in dict.fromkeys(named)
            if path is not None
        }
        for number, request in enumerate(requests, 1):
            grammars = []
            if request.grammar is not None:
                grammars.append(_whole(files[request.grammar, request.grammar_number], number))
            if request.rules is not None:
                grammars.append(_parsed(request.rules, number))
            given.append(grammars)
    return given


def check_grammars_kept(
    batches: Iterable[list[Request]], outputs: Iterable[PathLike | None], path: PathLike
) -> Iterator[list[Request]]:
    """Yield batches of requests; one whose grammar is a file that an output would replace is an InputError.

    `path` is what errors call the input. Outputs appear when all is done, so that none is replaced before.
    """
    replaced = [each for each in outputs if each is not None and Path(each).is_file()]
    kept = set[Path]()
    for batch in batches:
        for request in batch if replaced else ():
            if request.grammar is None or request.grammar in kept:
                continue
            if any(same_file(request.grammar, each) for each in replaced):
                raise InputError(
                    f"the grammar {str(request.grammar)!r} is an output too;"
                    " choose another name for the output",
                    path=path,
                    line=request.line,
                )
            kept.add(request.grammar)
        yield batch


def warn_of_unweighted(grammars: Iterable[_native.MemoryGrammar], weighted: Collection[str]) -> bool:
    """Warn of features of rules without a weight, which are ignored; return whether there are any."""
    unknown = dict.fromkeys(name for each in grammars for name in each.feature_names if name not in weighted)
    if not unknown:
        return False
    shown = ", ".join(f"{name!r}{_hint(name, weighted)}" for name in list(unknown)[:_SHOWN])
    more = f", ... ({len(unknown)} in all)" if len(unknown) > _SHOWN else ""
    warnings.warn(
        f"rules of the input have features without a weight, which are ignored: {shown}{more}. Declare"
        " them as rule features, and give them weights",
        UnweightedFeatureWarning,
        stacklevel=2,
    )
    return True


def _hint(name: str, choices: Collection[str]) -> str:
    if name.startswith(_UNNAMED):
        return " (a score without a name)"
    near = nearest(name, choices).removeprefix("; ")
    return f" ({near})" if near else ""


def _read(path: Path) -> _native.MemoryGrammar:
    with unquoted("the input"):
        return parse_chunks(_parser(), read_chunks(path, regular=True), path)


def _row(path: Path, number: int, mapped: dict[Path, GrammarFile]) -> _native.MemoryGrammar:
    with unquoted("the input"):
        if path not in mapped:
            check_regular(path)
            mapped[path] = GrammarFile.open(path)
        return mapped[path].trie(number)


def _whole(file: Future[_native.MemoryGrammar], number: int) -> _native.MemoryGrammar:
    try:
        return file.result()
    except InputError as error:
        raise InputError(f"the grammar of the sentence, {error}", line=number) from None


def _parsed(rules: str, number: int) -> _native.MemoryGrammar:
    try:
        # A lone surrogate becomes bytes that the parser refuses.
        return parse_chunks(_parser(), [rules.encode(errors="surrogatepass")], None)
    except InputError as error:
        raise InputError(f"rule {error.line} of the sentence: {error.message}", line=number) from None


def _parser() -> _native.GrammarParser:
    return _native.GrammarParser(_SCORES, unescape=True)

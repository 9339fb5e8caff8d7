"""`tunesmith rerank` (candidates): Write the best candidate of each list, one per line.

Examples:

    tunesmith rerank --candidates test.nbest.gz --weights weights.json -o test.out

    tunesmith rerank --candidates test.nbest.gz --weights weights.json --consensus -o test.out

    tunesmith rerank --candidates nmt.jsonl --weight logprob=1 -o test.out

    tunesmith rerank --candidates nmt.jsonl --weight logprob=1 --consensus --consensus-scale 1

    tunesmith rerank --candidates samples.jsonl --consensus --consensus-rule mbr \\
      --consensus-metric chrf --consensus-scale 0

If all ids are whole numbers, they count lines from 0: lines are written in their order, and a sentence
without candidates is an error. Lists with other ids are written in the order of the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tunesmith.cli.consensus_options import ConsensusFlags
from tunesmith.cli.console import errors, print_json, reporting, warn
from tunesmith.cli.options import (
    Json,
    Quiet,
    SingleWeights,
    Threads,
    given_weights,
)
from tunesmith.cli.reader_options import ReaderFlags
from tunesmith.file_roles import Reads, Writes

if TYPE_CHECKING:
    from tunesmith.candidates import Pool


def run(
    *,
    candidates: Annotated[
        list[Path], typer.Option(help="Candidate lists; several files are merged, list by list."), Reads()
    ],
    weights: Annotated[
        Path | None,
        typer.Option(
            help="Weights written by `tune`, or lines 'name value'; consensus with scale 0 needs none.",
            show_default=False,
        ),
        Reads(),
    ] = None,
    weight: SingleWeights = None,
    output_file: Annotated[
        Path, typer.Option("-o", "--output", help="Where to write [default: standard output]."), Writes()
    ] = Path("-"),
    reader: ReaderFlags,
    consensus: ConsensusFlags,
    consensus_references: Annotated[
        Path | None,
        typer.Option(
            help="Rule mbr: candidate lists, such as samples of another system, that serve as"
            " pseudo-references in place of the candidates themselves; with the same ids.",
            show_default=False,
        ),
        Reads(),
    ] = None,
    threads: Threads = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write the best candidate of each list."""
    from tunesmith.candidates import rerank
    from tunesmith.consensus import MbrConsensus
    from tunesmith.errors import InputError, OptionError
    from tunesmith.files import check_single_lines, open_write
    from tunesmith.weights import Weights
    from tunesmith.weights.unused import unused_message

    rule = consensus.chosen(weights)
    if consensus_references is not None and not isinstance(rule, MbrConsensus):
        raise OptionError("--consensus-references needs --consensus --consensus-rule mbr")
    unweighted = rule is not None and (rule.scale == 0 or consensus_references is not None)
    if weights is None and not weight and not unweighted:
        raise OptionError(
            "--weights (or --weight) is missing; only --consensus with --consensus-scale 0 or with"
            " --consensus-references needs none"
        )
    pool, where = reader.read(candidates), ", ".join(map(str, candidates))
    if pool.texts is None:
        raise InputError("the candidates have no texts to write", path=where)
    writes_lines = not json_ or str(output_file) != "-"
    order = reader.line_order(pool, where) if writes_lines else ()
    given: Mapping[str, float] | None = None if weights is None else Weights.read(weights)
    if weight:
        given = {**(_zeros(pool, weight) if given is None else given), **given_weights(weight)}
    if consensus_references is not None and isinstance(rule, MbrConsensus):
        others = _texts_to_compare(consensus_references, reader.extra_keys)
        with reporting(quiet) as say:
            best = rule.over_pool(pool, given, references=others, threads=threads, progress=say)
    elif rule is not None:
        with reporting(quiet) as say:
            best = rule.over_pool(pool, given, threads=threads, progress=say)
    else:
        best = rerank(pool, given or {}, threads)
    if best.unused:
        warn(unused_message(best.unused, "because such features do not occur here", pool.feature_names))
    if writes_lines:
        check_single_lines(pool.ids, best.texts, where)
    if json_:
        chosen = zip(pool.ids, best.indices, best.rows, best.scores, best.texts, strict=True)
        print_json(
            [
                {
                    "id": name,
                    "index": int(index),
                    "score": float(score),
                    "text": text,
                    "scores": {column: float(values[row]) for column, values in pool.scores.items()},
                }
                for name, index, row, score, text in chosen
            ]
        )
    if writes_lines:
        with open_write(output_file) as stream:
            stream.write("".join(best.texts[number] + "\n" for number in order).encode("utf-8"))


def _texts_to_compare(path: Path, extra_keys: str | None) -> Pool:
    """Read lists of which only the texts count: missing values of features are no matter."""
    import warnings

    from tunesmith.errors import IgnoredInputWarning

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*missing values", category=IgnoredInputWarning)
        return ReaderFlags(extra_keys=extra_keys, allow_missing=True, missing="absent").read([path])


def _zeros(pool: Pool, texts: list[str]) -> dict[str, float]:
    """Return a weight of 0 for each feature without one on the command line; report these features."""
    from tunesmith.candidates.names import first_names

    known = given_weights(texts)
    others = [name for name in pool.feature_names if name not in known]
    if others:
        count = f"{len(others)} features have" if len(others) > 1 else "1 feature has"
        errors.print(f"{count} no --weight and count 0: {first_names(others)}", markup=False, soft_wrap=True)
    return dict.fromkeys(others, 0.0)

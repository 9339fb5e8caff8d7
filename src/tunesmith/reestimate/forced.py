"""Forced decoding of a text, and writing the derivations of its targets (Wuebker et al. 2010)."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tunesmith.corpus import Alignments
from tunesmith.decode.decoder_setup import DecoderSetup
from tunesmith.decode.forced import STAGES, ForcedOptions
from tunesmith.decode.made_by import made_by
from tunesmith.decode.opening import open_decoder
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.distribute import Executor
from tunesmith.distribute.waves import map_in_waves
from tunesmith.errors import InputError
from tunesmith.features.base import Template
from tunesmith.files import PathLike
from tunesmith.model.extracted import check_sentence_counts
from tunesmith.model.model import Model
from tunesmith.model.parts.names import ALIGNMENT
from tunesmith.model.steps import Progress
from tunesmith.options import check_options, option, same_option
from tunesmith.reestimate.block_counts import BlockCounts
from tunesmith.reestimate.counted_parts import phrase_decoder
from tunesmith.reestimate.derivation_text import DerivationText
from tunesmith.reestimate.forced_blocks import ForcedBlock, find_forced, force_block
from tunesmith.reestimate.oracles import PAUSE
from tunesmith.reestimate.store import KIND, DerivationStore, settings_of, store_record
from tunesmith.runs.store import StoreFolder
from tunesmith.threads import thread_count

__all__ = ["ForcedDerivationOptions", "WrittenForced", "check_leave_one_out", "write_forced"]


@dataclass(frozen=True)
class ForcedDerivationOptions:
    """Which derivations of the targets of the training text are found."""

    panels: ClassVar[Mapping[str, str | None]] = {"*": "With --method forced", "nbest": None, "restart": None}

    nbest: int = option(100, help="Derivations per sentence, all of the target.", least=1, most=10_000)
    leave_one_out: bool = option(
        True,
        help="Score each pair by all counts, also those of the sentence itself.",
        flag="--no-leave-one-out",
    )
    singleton: float = same_option(ForcedOptions, "singleton")
    drop_words: bool = same_option(ForcedOptions, "drop_words")
    stages: int = option(
        len(STAGES) - 1,
        help="Searches tried in turn: the first has the usual limits, others larger stacks and longer jumps,"
        " which take most of the time.",
        least=1,
        most=len(STAGES) - 1,
    )
    longest_free: int = option(
        40, help="Longest sentence, in words, that is searched with unlimited distortion.", least=0
    )
    restart: bool = option(
        False, help="Delete the derivations in the folder and start anew.", flag="--restart", matters=False
    )

    def __post_init__(self) -> None:
        check_options(self, "forced")

    @property
    def forced(self) -> ForcedOptions:
        """The options of forced decoding: all pairs of the table in each stage, as the target selects them.

        To find the best 20 of each source phrase by scores without one sentence takes longer than to search.
        """
        return ForcedOptions(
            stages=STAGES[1 : 1 + self.stages],
            longest_free=self.longest_free,
            drop_words=self.drop_words,
            leave_one_out=self.leave_one_out,
            singleton=self.singleton,
        )


@dataclass(frozen=True)
class WrittenForced:
    """A finished store, and what this run did for it; `store.counts` has the share of sentences reached."""

    store: DerivationStore
    resumed: int
    """Blocks that an earlier run had written."""
    seconds: float
    """Time of forced decoding in this run."""


def write_forced(
    model: PathLike,
    output: PathLike,
    *,
    options: ForcedDerivationOptions | None = None,
    weights: Mapping[str, float] | PathLike | None = None,
    source: PathLike | None = None,
    target: PathLike | None = None,
    alignments: PathLike | None = None,
    search: Mapping[str, Any] | None = None,
    templates: Sequence[Template] = (),
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress = lambda line: None,
    announce: Callable[[str], None] | None = None,
) -> WrittenForced:
    """Write the n best derivations of each target of a model's training text, or of other tokenized text.

    Limits are relaxed stage by stage until the target is reached (`tunesmith.decode.forced`). If one is left
    out, pairs are scored without the counts of the sentence itself, whose word alignment is that of the
    model, or `alignments` of other text. The files are those of `write_oracles`: blocks of 500 sentences,
    continued by the same call, and shards of an `executor` if there is one. All derivations of a sentence
    have one string; the value is the model score.
    """
    chosen = options or ForcedDerivationOptions()
    folder, directory = Path(output), Path(model).absolute()
    decoder = phrase_decoder(
        open_decoder(directory, weights, search, templates, announce=announce), directory
    )
    progress("reading the text")
    text = DerivationText.of(directory, source, target, jackknife=False)
    links = _links(text, decoder, alignments) if chosen.leave_one_out else None
    files = {} if alignments is None else {"alignment": alignments}
    made = made_by(decoder, text, settings_of(chosen), files=files)
    began = time.monotonic()
    with KIND.locked(folder):
        record = store_record("forced", decoder, text, made)
        store = StoreFolder(folder, KIND, record, restart=chosen.restart)
        if not store.state.complete:
            _write(decoder, text, links, store, chosen, thread_count(threads), executor, progress)
    return WrittenForced(DerivationStore.open(folder), store.resumed, time.monotonic() - began)


def _write(
    decoder: PhraseDecoder,
    text: DerivationText,
    links: Alignments | None,
    files: StoreFolder[BlockCounts],
    options: ForcedDerivationOptions,
    threads: int,
    executor: Executor | None,
    progress: Progress,
) -> None:
    shown = time.monotonic()
    left = [block for block in text.blocks() if block.number not in files.state.counts]

    def finished(number: int, counts: BlockCounts) -> None:
        nonlocal shown
        files.add(left[number].number, counts, left[number].fold)
        if time.monotonic() - shown >= PAUSE:
            shown = time.monotonic()
            total = files.state.total
            progress(f"{total.all_sentences:,} of {len(text):,} sentences, {100 * total.share:.1f}% reached")

    setup = None if executor is None else DecoderSetup.of(decoder, files.weights, executor)
    blocks = (
        ForcedBlock(
            setup,
            options.forced,
            options.nbest,
            *lines,
            None if links is None else links.take(block.rows),
            block.rows,
            files.file(block.number),
        )
        for block, lines in text.with_lines(left)
    )
    if executor is None:
        for number, block in enumerate(blocks):
            finished(number, force_block(decoder, block, threads))
    else:
        map_in_waves(executor, find_forced, blocks, finished)
    files.finish()


def check_leave_one_out(text: DerivationText, model: Model, alignments: PathLike | None) -> None:
    """Raise InputError unless the counts of a sentence can be subtracted from those of the model."""
    check_sentence_counts(model, "score pairs by all counts ({})")
    if alignments is None and text.is_other:
        raise InputError(
            "is not the training text of the model, so that leave-one-out needs its word alignment: name it"
            " by {}, or score pairs by all counts ({})",
            "alignments",
            "leave_one_out",
            path=text.source,
        )


def _links(text: DerivationText, decoder: PhraseDecoder, alignments: PathLike | None) -> Alignments:
    """Read the word alignment from which the phrases of the text were extracted."""
    check_leave_one_out(text, decoder.model, alignments)
    path = decoder.model.home / ALIGNMENT if alignments is None else Path(alignments)
    links = Alignments.read(path)
    lines = len(text) + text.empty
    if len(links) != lines:
        raise InputError(f"has {len(links)} lines, but {text.source} has {lines}", path=path)
    return links

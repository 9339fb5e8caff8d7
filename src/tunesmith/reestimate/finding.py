"""The derivations of a text by either method, found when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeAlias

from tunesmith.decode.made_by import made_by
from tunesmith.decode.opening import open_decoder
from tunesmith.errors import OptionError
from tunesmith.files import PathLike
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.model.steps import Progress
from tunesmith.reestimate.added import added_derivations, added_record, digests
from tunesmith.reestimate.counted_parts import phrase_decoder
from tunesmith.reestimate.derivation_text import DerivationText
from tunesmith.reestimate.forced import ForcedDerivationOptions, check_leave_one_out, write_forced
from tunesmith.reestimate.oracle_options import OracleOptions
from tunesmith.reestimate.oracles import check_least_count, fold_options, tuning_files, write_oracles
from tunesmith.reestimate.store import DerivationStore, settings_of

__all__ = ["METHODS", "DerivationFinder", "DerivationOptions", "FoundDerivations", "derivation_options"]

DerivationOptions: TypeAlias = OracleOptions | ForcedDerivationOptions
METHODS: dict[str, type[OracleOptions] | type[ForcedDerivationOptions]] = {
    "oracle": OracleOptions,
    "forced": ForcedDerivationOptions,
}


def derivation_options(method: str, given: Mapping[str, Any]) -> DerivationOptions:
    """Return the options of a method; an option of the other one alone is an OptionError."""
    if method not in METHODS:
        raise OptionError("{} must be oracle or forced, not {found!r}", "method", found=method[:40])
    owner = METHODS[method]
    known = {each.name for each in fields(owner)}
    for name in given:
        if (method, name) == ("forced", "jackknife"):
            raise _no_folds()
        if name not in known:
            (other,) = set(METHODS) - {method}
            raise OptionError(
                "{} is an option of {} {other}, not of {method}", name, "method", other=other, method=method
            )
    return owner(**given)


def _no_folds() -> OptionError:
    return OptionError(
        "{} forced scores each sentence without its own counts, and leaves out no folds: omit {}",
        "method",
        "jackknife",
    )


@dataclass(frozen=True)
class FoundDerivations:
    """A finished store of derivations; see `steps.Derivations`."""

    store: DerivationStore
    added: tuple[DerivationStore, ...] = ()
    """Others that are counted as well."""

    @property
    def files(self) -> list[Path]:
        """The files, in order."""
        return [path for store in (self.store, *self.added) for path in store.files]

    @property
    def record(self) -> dict[str, Any]:
        """What a report says about them."""
        counts, method = self.store.counts, str(self.store.record["method"])
        found: dict[str, Any] = {
            "method": method,
            "text_sentences": counts.all_sentences,
            "share": counts.share,
            "missing": counts.missing,
            "too_large": counts.too_large,
            "empty": self.store.record["text"]["empty"],
            "derivation_bytes": self.store.bytes,
        }
        if self.added:
            others = found["added"] = added_record(self.added)
            found["text_sentences"] += sum(each["text_sentences"] for each in others)
        if method == "forced":
            return found | {"stages": list(counts.stages)}
        return found | {
            "scale": self.store.record["background"]["scale"],
            "best_bleu": counts.bleu("best"),
            "oracle_bleu": counts.bleu("oracle"),
            "compared": counts.compared,
            "exact": counts.exact,
            "loss": counts.loss(),
            "value_loss": counts.value_loss / max(counts.exact, 1),
            "value_loss_of_all": counts.value_loss_of_all / max(counts.exact, 1),
            "beam_bleu": counts.bleu("beam_sums") if counts.exact else None,
            "exact_bleu": counts.bleu("exact_sums") if counts.exact else None,
        }


@dataclass(frozen=True)
class DerivationFinder:
    """Finds derivations into a folder when called, unless they are there; once per object.

    `tune` are the source and the references of the tuning text; `text` may name another text than the
    model's; `alignment` is the word alignment of that; `decoding` are weights, search options, templates,
    threads and executor, as `write_oracles` takes them. Derivations in the folders `added`, of the same model
    and weights, are counted as well.
    """

    model: Path
    folder: Path
    options: DerivationOptions
    tune: tuple[Path, ...]
    text: Mapping[str, PathLike | None] = field(default_factory=dict)
    alignment: PathLike | None = None
    jackknife: JackknifeOptions | None = None
    decoding: Mapping[str, Any] = field(default_factory=dict)
    announce: Callable[[str], None] | None = None
    added: tuple[Path, ...] = ()
    """Folders of finished derivations that are counted as well."""
    _found: list[FoundDerivations] = field(default_factory=list)

    def __call__(self, progress: Progress) -> FoundDerivations:
        """Return the derivations; a killed run is continued."""
        if not self._found:  # `restart` would delete what the first step has found
            store = self._find(progress)
            added = added_derivations(self.added, self.folder, store.record["made_by"])
            self._found.append(FoundDerivations(store, added))
        return self._found[0]

    def _find(self, progress: Progress) -> DerivationStore:
        shared: dict[str, Any] = {**self.text, **self.decoding, "progress": progress}
        if isinstance(self.options, ForcedDerivationOptions):
            forced = write_forced(
                self.model, self.folder, options=self.options, alignments=self.alignment, **shared
            )
            return forced.store
        source, *references = self.tune
        oracles = write_oracles(
            self.model,
            self.folder,
            tune_source=source,
            tune_references=references,
            options=self.options,
            jackknife=self.jackknife,
            **shared,
        )
        return oracles.store

    def made_by(self) -> dict[str, Any]:
        """Return all that the derivations depend on; what is wrong with the options is found here."""
        forced = isinstance(self.options, ForcedDerivationOptions)
        if forced and self.jackknife is not None:
            raise _no_folds()
        if not forced and self.alignment is not None:
            raise OptionError("{} is for {} forced only; omit it", "alignment", "method")
        weights, search = (self.decoding.get(name) for name in ("weights", "search"))
        templates = self.decoding.get("templates", ())
        decoder = open_decoder(self.model, weights, search, templates, announce=self.announce)
        folds = None
        if forced:
            phrase_decoder(decoder, self.model)
        if isinstance(self.options, OracleOptions):
            check_least_count(decoder.model, self.options)
            folds = fold_options(self.model, self.options, self.jackknife)
        if folds is not None:
            FoldModels.of(self.model, folds)
        sides = self.text.get("source"), self.text.get("target")
        text = DerivationText.of(self.model, *sides, jackknife=folds is not None)
        if isinstance(self.options, ForcedDerivationOptions) and self.options.leave_one_out:
            check_leave_one_out(text, decoder.model, self.alignment)
        files: dict[str, PathLike] = {} if self.alignment is None else {"alignment": self.alignment}
        if not forced:
            files = tuning_files(self.tune[0], self.tune[1:])
        made = made_by(decoder, text, settings_of(self.options), files=files, folds=folds)
        others = added_derivations(self.added, self.folder, made)
        return {
            "method": "forced" if forced else "oracle",
            **made,
            **({"added": digests(others)} if others else {}),
        }

"""The derivations of a text by either method, found when they are needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeAlias

from tunesmith.errors import OptionError
from tunesmith.files import PathLike
from tunesmith.model.steps import Progress
from tunesmith.passes.decoding import Decoding
from tunesmith.reestimate.added import added_derivations, added_record, digests
from tunesmith.reestimate.derivation_pass import DerivationPass
from tunesmith.reestimate.forced import ForcedDerivationOptions, forced_pass, no_folds
from tunesmith.reestimate.oracle_options import OracleOptions
from tunesmith.reestimate.oracles import oracle_pass
from tunesmith.reestimate.store import DerivationStore

__all__ = [
    "METHODS",
    "DerivationFinder",
    "DerivationOptions",
    "FoundDerivations",
    "derivation_options",
    "derivation_pass",
]

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
            raise no_folds()
        if name not in known:
            (other,) = set(METHODS) - {method}
            raise OptionError(
                "{} is an option of {} {other}, not of {method}", name, "method", other=other, method=method
            )
    return owner(**given)


def derivation_pass(
    model: PathLike,
    options: DerivationOptions,
    tuning: tuple[PathLike, Sequence[PathLike]],
    decoding: Decoding,
    source: PathLike | None = None,
    target: PathLike | None = None,
    alignment: PathLike | None = None,
) -> DerivationPass:
    """Return the pass by the method of the options; see `oracle_pass` and `forced_pass`."""
    if isinstance(options, ForcedDerivationOptions):
        return forced_pass(model, options, decoding, source, target, alignment)
    if alignment is not None:
        raise OptionError("{} is for {} forced only; omit it", "alignment", "method")
    return oracle_pass(model, tuning, options, decoding, source, target)


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


class DerivationFinder:
    """Finds derivations into a folder when called, unless they are there; once per object.

    Finished derivations in the folders `added`, of the same model and weights, are counted as well.
    """

    def __init__(self, folder: Path, search: DerivationPass, added: Sequence[Path] = ()) -> None:
        self.folder, self.added = folder, added
        self._search: DerivationPass | None = search
        self._found: FoundDerivations | None = None
        others = added_derivations(added, folder, search.made_by)
        self.made_by = {"method": search.method, **search.made_by}
        """All that the derivations depend on."""
        if others:
            self.made_by["added"] = digests(others)

    def __call__(self, progress: Progress) -> FoundDerivations:
        """Return the derivations; a killed run is continued."""
        if self._found is None:  # `restart` would delete what the first step has found
            assert self._search is not None
            store = self._search.write(self.folder, progress).store
            self._search = None  # the next steps need its memory
            added = added_derivations(self.added, self.folder, store.record["made_by"])
            self._found = FoundDerivations(store, added)
        return self._found

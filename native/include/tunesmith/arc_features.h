// What the arcs of a lattice add to a derivation: their values, and the features that they name.
#pragma once

#include <span>

#include "tunesmith/column_sink.h"
#include "tunesmith/weighted_model.h"
#include "tunesmith/word_lattice.h"

namespace tunesmith {

/// The score of an arc: the weight of Penalty::kInput times the arc's own score, and for each feature that it
/// names weight times value. The weight is that of the model's column of this name or, where it has none, the
/// one that goes by name.
float arc_score(const WeightedModel& model, const LatticeArc& arc);

/// The same, unweighted.
void arc_values(const DecoderModel& model, const LatticeArc& arc, ColumnSink& sink);

/// The sums of the values of some arcs, one a column.
void way_values(const DecoderModel& model, std::span<const LatticeArc* const> way, ColumnSink& sink);

}  // namespace tunesmith

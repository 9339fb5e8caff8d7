// What the arcs of a lattice add to a derivation: their values, and the features that they name.
#pragma once

#include <span>

#include "tunesmith/corpus/word_lattice.h"
#include "tunesmith/decode/column_sink.h"
#include "tunesmith/decode/weighted_model.h"

namespace tunesmith::decode {

/// The score of an arc: the weight of Penalty::kInput times the arc's own score, and for each feature that it
/// names weight times value. The weight is that of the model's column of this name or, where it has none, the
/// one that goes by name.
float arc_score(const WeightedModel& model, const corpus::LatticeArc& arc);

/// The same, unweighted.
void arc_values(const DecoderModel& model, const corpus::LatticeArc& arc, ColumnSink& sink);

/// The sums of the values of some arcs, one a column.
void way_values(const DecoderModel& model, std::span<const corpus::LatticeArc* const> way, ColumnSink& sink);

}  // namespace tunesmith::decode

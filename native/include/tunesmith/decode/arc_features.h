// Features of lattice arcs: the arc's own score, and the features that it names.
#pragma once

#include <span>

#include "tunesmith/corpus/word_lattice.h"
#include "tunesmith/decode/column_sink.h"
#include "tunesmith/decode/weighted_model.h"

namespace tunesmith::decode {

/// The weighted score of an arc: w(Penalty::kInput) * score + the sum over its named features of weight *
/// value. The weight is the model column's of this name if there is one, else the sparse weight.
float arc_score(const WeightedModel& model, const corpus::LatticeArc& arc);

/// The unweighted values of an arc.
void arc_values(const DecoderModel& model, const corpus::LatticeArc& arc, ModelSink& sink);

/// The sums of the values of the arcs of a path, one per column.
void path_values(const DecoderModel& model, std::span<const corpus::LatticeArc* const> path, ModelSink& sink);

}  // namespace tunesmith::decode

// The features of a derivation, recomputed from its phrases and places.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/decode/column_sink.h"
#include "tunesmith/decode/option_chart.h"

namespace tunesmith::decode {

/// An option at its place in a derivation.
struct PlacedOption {
  const Option* option;
  Range range;
  std::span<const corpus::LatticeArc* const> way = {};  // the arcs of a lattice that it goes over
};

/// What depends on an option's place and on what came before it: distortion, what the arcs of its way say,
/// and all features with states.
void placed_values(const DecoderModel& model, const corpus::WordLattice& input,
                   std::span<const std::unique_ptr<FeatureSession>> sessions,
                   std::span<const uint32_t> states, uint32_t last_end, const Step& step,
                   std::span<const corpus::LatticeArc* const> way, ColumnSink& sink);

/// What the end adds.
void end_values(const DecoderModel& model, std::span<const std::unique_ptr<FeatureSession>> sessions,
                std::span<const uint32_t> states, ColumnSink& sink);

/// A row a step, in target order, and one for the end; unweighted, by columns of the model. The sessions must
/// have begun the sentence.
Rows<FeatureValue> replay(const WeightedModel& model, const corpus::WordLattice& input,
                          std::span<const std::unique_ptr<FeatureSession>> sessions,
                          std::span<const PlacedOption> steps);

/// The score of a row.
double weighted_sum(const WeightedModel& model, std::span<const FeatureValue> row);

/// A phrase of a derivation that comes from elsewhere.
struct GivenPhrase {
  Range range;
  std::string target;
  std::optional<int64_t> rule = {};  // as in `Option`, where it is known
  float probability = 1;             // of a phrase that the input gave
};

/// Finds the options of the phrases and replays them. By its rule a phrase is the pair of one table, was
/// given by the input, or is a word that was passed through or dropped. Without a rule it is the pair of the
/// first table that has it, or an unknown word. What cannot be so is an InputError.
Rows<FeatureValue> replay_phrases(const WeightedModel& model, const corpus::WordLattice& input,
                                  std::span<const GivenPhrase> phrases);

}  // namespace tunesmith::decode

// Replay: the feature values of a derivation, recomputed from its phrases and their source ranges.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/decode/column_sink.h"
#include "tunesmith/decode/source_options.h"

namespace tunesmith::decode {

/// An option of a derivation, with the range that it translates.
struct PlacedOption {
  const Option* option;
  Range range;
  std::span<const corpus::LatticeArc* const> path = {};  // the lattice arcs that it translates
};

/// The values that depend on an option's range and on the options before it: distortion, the features of the
/// arcs of its path, and all stateful features.
void placed_values(const DecoderModel& model, const corpus::WordLattice& input,
                   std::span<const std::unique_ptr<FeatureSession>> sessions,
                   std::span<const uint32_t> states, uint32_t last_end, const Step& step,
                   std::span<const corpus::LatticeArc* const> path, ModelSink& sink);

/// The values of the end of the sentence.
void end_values(const DecoderModel& model, std::span<const std::unique_ptr<FeatureSession>> sessions,
                std::span<const uint32_t> states, ModelSink& sink);

/// Adds the unweighted values of the steps, in target order, and of the end; `close` is called after each of
/// them. The sessions must have begun the sentence, which `decoder_input` describes.
void replay(const WeightedModel& model, const corpus::WordLattice& input, const DecoderInput& decoder_input,
            std::span<const std::unique_ptr<FeatureSession>> sessions, std::span<const PlacedOption> steps,
            ModelSink& sink, const std::function<void()>& close);

/// One row per step, in target order, and one for the end; unweighted, by model column.
Rows<FeatureValue> replay(const WeightedModel& model, const corpus::WordLattice& input,
                          const DecoderInput& decoder_input,
                          std::span<const std::unique_ptr<FeatureSession>> sessions,
                          std::span<const PlacedOption> steps);

/// The weighted sum of a row.
double weighted_sum(const WeightedModel& model, std::span<const FeatureValue> row);

/// A phrase of a derivation to replay, which need not come from this decoder.
struct ReplayedPhrase {
  Range range;
  std::string target;
  std::optional<int64_t> rule = {};  // as in `Option`, if known
  float probability = 1;             // of a phrase that the input gave
};

/// Finds the options of the phrases and replays them. The rule identifies a phrase as a pair of one table, a
/// phrase given by the input, or a word that was passed through or dropped. Without a rule it is the pair of
/// the first table that has it, or an unknown word. A phrase that is none of these is an InputError.
Rows<FeatureValue> replay_phrases(const WeightedModel& model, const corpus::WordLattice& input,
                                  std::span<const ReplayedPhrase> phrases);

}  // namespace tunesmith::decode

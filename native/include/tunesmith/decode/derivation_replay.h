// Features of single derivations, after their search is gone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tunesmith/decode/named_sink.h"

namespace tunesmith::decode {

/// An option, and the columns that it covers, gaps included.
struct AppliedOption {
  const Option& option;
  Range range;
};

/// Holds the options of a sentence, but not its search. Used by one thread at a time; the model must outlive
/// it.
class DerivationReplay {
 public:
  virtual ~DerivationReplay() = default;
  /// The features of a derivation by name: dense and sparse, unweighted. O(length of the derivation).
  weights::FeatureVector features(const DecoderModel& model, std::span<const uint32_t> edges);
  /// Its dense features alone, by column.
  std::vector<double> dense_features(const DecoderModel& model, std::span<const uint32_t> edges);
  /// The rule of an edge of a chart, valid as long as this object; none for edges of a phrase search.
  virtual std::optional<AppliedOption> applied(uint32_t) const { return std::nullopt; }

 private:
  /// Adds the unweighted values of a derivation, given by edges of the search graph in preorder.
  virtual void add(std::span<const uint32_t> edges, ModelSink& sink) = 0;
};

}  // namespace tunesmith::decode

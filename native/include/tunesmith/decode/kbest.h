// The k best translations of a sentence, extracted from the forest of its search (Huang and Chiang 2005).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tunesmith/base/name_table.h"
#include "tunesmith/decode/scored_forest.h"
#include "tunesmith/forest/kbest.h"

namespace tunesmith::decode {

/// Derivations by decreasing score, the sum of the scores of its edges. Features are computed for the
/// derivations asked for, never for whole lists: online learners need those of two or three candidates out of
/// 500.
class Kbest {
 public:
  Kbest() = default;
  /// O(edges), and per derivation as LazyKbest. The forest is not kept.
  Kbest(ScoredForest forest, const forest::KbestOptions& options);

  size_t size() const { return scores_.size(); }
  const TextColumn& texts() const { return texts_; }
  const std::vector<double>& scores() const { return scores_; }
  /// The features of a derivation by name: dense and sparse, unweighted. O(length of the derivation).
  weights::FeatureVector features(const DecoderModel& model, size_t derivation) const;

 private:
  TextColumn texts_;
  std::vector<double> scores_;
  Rows<uint32_t> edges_;  // of derivations
  std::unique_ptr<DerivationReplay> replay_;
};

}  // namespace tunesmith::decode

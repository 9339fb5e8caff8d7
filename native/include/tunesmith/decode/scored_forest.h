// The forest of a search without features: every edge has its score, and features are computed for the
// derivations asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tunesmith/decode/derivation_replay.h"
#include "tunesmith/decode/search_graph.h"

namespace tunesmith::decode {

/// All derivations that a search kept. An edge's score is the one that the search computed: features times
/// weights up to the rounding of 32-bit sums. Learners with millions of sparse features search such a forest
/// for two or three derivations: the features of all edges, which `search_forest` has, would add up to the
/// time of the search itself, and a column of the model for every sparse name.
class ScoredForest {
 public:
  /// A forest without derivations.
  ScoredForest();
  /// O(edges).
  ScoredForest(SearchGraph graph, std::unique_ptr<DerivationReplay> replay);

  const std::shared_ptr<const forest::Forest>& forest() const { return forest_; }
  /// By edge.
  const std::vector<double>& scores() const { return scores_; }
  /// The features of a derivation, given by its edges in preorder. Throws InputError if they are none.
  weights::FeatureVector features(const DecoderModel& model, std::span<const uint32_t> edges) const;
  /// The dense ones, by column, of a derivation of this forest, which is not checked again.
  std::vector<double> dense_features(const DecoderModel& model, std::span<const uint32_t> edges) const {
    return replay_->dense_features(model, edges);
  }
  /// The rule of an edge of a chart, valid as long as the forest; none in forests of a phrase search.
  std::optional<AppliedOption> applied(uint32_t edge) const {
    return replay_ ? replay_->applied(edge) : std::nullopt;
  }
  /// What computes features, for lists that outlive the forest.
  std::unique_ptr<DerivationReplay> take_replay() { return std::move(replay_); }

 private:
  std::vector<double> scores_;
  std::shared_ptr<const forest::Forest> forest_;
  std::unique_ptr<DerivationReplay> replay_;
};

}  // namespace tunesmith::decode

#include "tunesmith/decode/scored_forest.h"

#include "tunesmith/base/errors.h"
#include "tunesmith/forest/derivation.h"

namespace tunesmith::decode {

ScoredForest::ScoredForest()
    : forest_(std::make_shared<forest::Forest>(forest::ForestArrays(),
                                               std::make_shared<forest::ForestNames>())) {}

ScoredForest::ScoredForest(SearchGraph graph, std::unique_ptr<DerivationReplay> replay)
    : scores_(graph.take_scores()),
      forest_(std::make_shared<forest::Forest>(graph.take())),
      replay_(std::move(replay)) {}

weights::FeatureVector ScoredForest::features(const DecoderModel& model,
                                              std::span<const uint32_t> edges) const {
  forest::DerivationTree(*forest_, edges);  // checks them
  if (!replay_) throw InputError("the forest has no derivations");
  return replay_->features(model, edges);
}

}  // namespace tunesmith::decode

#include "tunesmith/decode/kbest.h"

#include "tunesmith/base/errors.h"

namespace tunesmith::decode {

Kbest::Kbest(ScoredForest forest, const forest::KbestOptions& options) : replay_(forest.take_replay()) {
  forest::KbestTexts found(*forest.forest(), forest.scores(), options);
  while (const auto candidate = found.next()) {
    texts_.add(candidate->text);
    scores_.push_back(candidate->derivation.score);
    edges_.add(candidate->derivation.edges);
  }
}

weights::FeatureVector Kbest::features(const DecoderModel& model, size_t derivation) const {
  if (derivation >= size())
    throw InputError("there is no candidate " + std::to_string(derivation) + "; the list has " +
                     std::to_string(size()));
  return replay_->features(model, edges_[derivation]);
}

}  // namespace tunesmith::decode

#include "tunesmith/decode/kbest.h"

#include "tunesmith/base/errors.h"

namespace tunesmith::decode {

Kbest::Kbest(SearchGraph graph, const forest::KbestOptions& options, std::unique_ptr<DerivationReplay> replay)
    : replay_(std::move(replay)) {
  const std::vector<double> scores = graph.scores();
  const forest::Forest forest = graph.take();
  forest::KbestTexts found(forest, scores, options);
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
  weights::FeatureVector vector;
  NamedSink sink(model, vector);
  replay_->add(edges_[derivation], sink);
  sink.finish();
  return vector;
}

}  // namespace tunesmith::decode

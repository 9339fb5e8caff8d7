#include "tunesmith/decode/derivation_replay.h"

namespace tunesmith::decode {

weights::FeatureVector DerivationReplay::features(const DecoderModel& model,
                                                  std::span<const uint32_t> edges) {
  weights::FeatureVector vector;
  NamedSink sink(model, vector);
  add(edges, sink);
  sink.finish();
  return vector;
}

}  // namespace tunesmith::decode

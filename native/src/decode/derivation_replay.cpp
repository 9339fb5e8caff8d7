#include "tunesmith/decode/derivation_replay.h"

namespace tunesmith::decode {

namespace {

/// Sums the values of dense columns; those of sparse features are not looked at.
class DenseSink : public ModelSink {
 public:
  explicit DenseSink(size_t columns) : sums(columns) {}
  void add(size_t own, float value) override {
    if (column(own) < sums.size()) sums[column(own)] += double{value};
  }
  using FeatureSink::add;
  void add(const weights::FeatureName&, float) override {}

  std::vector<double> sums;
};

}  // namespace

weights::FeatureVector DerivationReplay::features(const DecoderModel& model,
                                                  std::span<const uint32_t> edges) {
  weights::FeatureVector vector;
  NamedSink sink(model, vector);
  add(edges, sink);
  sink.finish();
  return vector;
}

std::vector<double> DerivationReplay::dense_features(const DecoderModel& model,
                                                     std::span<const uint32_t> edges) {
  DenseSink sink(model.names().size());
  add(edges, sink);
  return std::move(sink.sums);
}

}  // namespace tunesmith::decode

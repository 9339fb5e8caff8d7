#include "tunesmith/context_feature.h"

#include <algorithm>

#include "tunesmith/sequence_pool.h"

namespace tunesmith {

namespace {

class ContextSession : public FeatureSession {
 public:
  explicit ContextSession(size_t size) : size_(size) {}

  void begin(const DecoderInput&) override { contexts_.clear(); }
  uint32_t start() override {
    words_.clear();
    return contexts_.intern(words_);
  }
  Transition apply(std::span<const uint32_t> tails, const Step& step) override {
    const auto before = contexts_[tails[0]], added = step.option.words;
    const size_t last = std::min(size_, added.size());
    const size_t first = std::min(size_ - last, before.size());
    words_.assign(before.end() - static_cast<std::ptrdiff_t>(first), before.end());
    words_.insert(words_.end(), added.end() - static_cast<std::ptrdiff_t>(last), added.end());
    return {0, contexts_.intern(words_)};
  }
  void values(std::span<const uint32_t>, const Step&, FeatureSink&) override {}

 private:
  size_t size_;
  SequencePool<int32_t> contexts_;
  std::vector<int32_t> words_;  // scratch
};

}  // namespace

std::unique_ptr<FeatureSession> ContextFeature::session(const FeatureWeights&, size_t) const {
  return std::make_unique<ContextSession>(size_);
}

}  // namespace tunesmith

#include "tunesmith/context_feature.h"

#include <algorithm>

#include "tunesmith/flat_map.h"
#include "tunesmith/text.h"

namespace tunesmith {

namespace {

class ContextSession : public FeatureSession {
 public:
  explicit ContextSession(size_t size) : size_(size) {}

  void begin(const DecoderInput&) override {
    contexts_.offsets.assign(1, 0);
    contexts_.values.clear();
    numbers_.clear();
  }
  uint32_t start() override {
    words_.clear();
    return intern();
  }
  Transition apply(std::span<const uint32_t> tails, const Step& step) override {
    const auto before = contexts_[tails[0]], added = step.option.words;
    const size_t last = std::min(size_, added.size());
    const size_t first = std::min(size_ - last, before.size());
    words_.assign(before.end() - static_cast<std::ptrdiff_t>(first), before.end());
    words_.insert(words_.end(), added.end() - static_cast<std::ptrdiff_t>(last), added.end());
    return {0, intern()};
  }
  void values(std::span<const uint32_t>, const Step&, FeatureSink&) override {}

 private:
  uint32_t intern() {
    uint64_t key = words_.size();
    for (const int32_t word : words_) key = mix(key, static_cast<uint32_t>(word));
    for (;; ++key) {
      const auto [number, is_new] = numbers_.insert(key, static_cast<uint32_t>(contexts_.size()));
      if (is_new) contexts_.add(words_);
      if (is_new || std::ranges::equal(contexts_[number], words_)) return number;
    }
  }

  size_t size_;
  Rows<int32_t> contexts_;
  FlatMap<uint32_t> numbers_;
  std::vector<int32_t> words_;  // scratch
};

}  // namespace

std::unique_ptr<FeatureSession> ContextFeature::session(const FeatureWeights&, size_t) const {
  return std::make_unique<ContextSession>(size_);
}

}  // namespace tunesmith

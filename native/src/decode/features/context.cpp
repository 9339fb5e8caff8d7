#include "tunesmith/decode/features/context.h"

#include <algorithm>

#include "tunesmith/base/sequence_pool.h"
#include "tunesmith/grammar/rule.h"

namespace tunesmith::decode::features {

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
  size_t bytes() const override { return contexts_.bytes(); }

 private:
  size_t size_;
  SequencePool<int32_t> contexts_;
  std::vector<int32_t> words_;  // scratch
};

/// The state of a sub-derivation is its first words followed by equally many last ones; of the one that
/// begins the sentence, kBeginning and its last words.
class ChartContextSession : public FeatureSession {
 public:
  explicit ChartContextSession(size_t size) : size_(size) {}

  void begin(const DecoderInput&) override { contexts_.clear(); }
  uint32_t start() override { return contexts_.intern(std::span(&kBeginning, 1)); }
  Transition apply(std::span<const uint32_t> tails, const Step& step) override {
    first_.clear();
    last_.clear();
    bool is_beginning = false;
    for (const grammar::Symbol& symbol : step.option.words) {
      if (!grammar::is_gap(symbol)) {
        add(std::span(&symbol, 1), std::span(&symbol, 1));
        continue;
      }
      const auto piece = contexts_[tails[grammar::gap_index(symbol)]];
      if (!piece.empty() && piece[0] == kBeginning) {
        is_beginning = true;
        add({}, piece.subspan(1));
      } else {
        add(piece.first(piece.size() / 2), piece.subspan(piece.size() / 2));
      }
    }
    if (is_beginning) first_.assign(1, kBeginning);
    const size_t kept = std::min(size_, last_.size());
    first_.insert(first_.end(), last_.end() - static_cast<std::ptrdiff_t>(kept), last_.end());
    return {0, contexts_.intern(first_)};
  }
  void values(std::span<const uint32_t>, const Step&, FeatureSink&) override {}
  size_t bytes() const override { return contexts_.bytes(); }

 private:
  static constexpr int32_t kBeginning = -1;  // not a word

  /// Of a tail with fewer than `size_` words both are its whole yield: no words between tails are lost.
  void add(std::span<const int32_t> first, std::span<const int32_t> last) {
    const size_t missing = std::min(size_ - first_.size(), first.size());
    first_.insert(first_.end(), first.begin(), first.begin() + static_cast<std::ptrdiff_t>(missing));
    last_.insert(last_.end(), last.begin(), last.end());
  }

  size_t size_;
  SequencePool<int32_t> contexts_;
  std::vector<int32_t> first_, last_;  // scratch
};

}  // namespace

std::unique_ptr<FeatureSession> ContextFeature::session(const FeatureWeights&, size_t) const {
  return std::make_unique<ContextSession>(size_);
}

std::unique_ptr<FeatureSession> ContextFeature::chart_session(const FeatureWeights&, size_t) const {
  return std::make_unique<ChartContextSession>(size_);
}

}  // namespace tunesmith::decode::features

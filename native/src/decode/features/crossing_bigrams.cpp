#include "tunesmith/decode/features/crossing_bigrams.h"

#include "tunesmith/base/flat_map.h"
#include "tunesmith/decode/model.h"
#include "tunesmith/grammar/rule.h"

namespace tunesmith::decode::features {

namespace {

constexpr uint32_t kBegin = UINT32_MAX, kEnd = UINT32_MAX - 1;  // in place of the number of a label
constexpr size_t kKeptBigrams = size_t{1} << 20;                // pairs in the cache that outlasts sentences

/// The bigrams of labels by number, with their weights.
class Bigrams {
 public:
  Bigrams(const CrossingBigramFeature& feature, const weights::WeightStore& weights)
      : feature_(feature), weights_(weights) {}

  void begin(const DecoderInput& input) {
    words_ = input.words;
    own_.clear();
    if (version_ == weights_.version() && lasting_.size() < kKeptBigrams) return;
    lasting_.clear();
    version_ = weights_.version();
  }
  uint32_t number(int32_t word) const { return feature_.labels().number(word, words_); }

  float weight(uint32_t first, uint32_t second) {
    const uint32_t lasting = feature_.labels().lasting();
    const bool is_own = (first >= lasting && first < kEnd) || (second >= lasting && second < kEnd);
    auto [weight, is_new] = (is_own ? own_ : lasting_).insert(uint64_t{first} << 32 | second, 0);
    if (is_new && has_name(first, second)) {
      const uint64_t key = name(first, second).key();
      if (admits(feature_.only(), key)) weight = weights_.weight_of(key);
    }
    return weight;
  }
  void add(uint32_t first, uint32_t second, FeatureSink& sink) const {
    if (has_name(first, second)) features::add(sink, feature_.only(), name(first, second).name());
  }
  size_t bytes() const { return own_.bytes() + lasting_.bytes(); }

 private:
  Label label(uint32_t number) const {
    static const Label kBeginLabel("<s>"), kEndLabel("</s>");
    if (number == kBegin) return kBeginLabel;
    return number == kEnd ? kEndLabel : feature_.labels().label_of(number, words_);
  }
  /// Words without a label have no features.
  bool has_name(uint32_t first, uint32_t second) const { return label(first) && label(second); }
  JoinedName name(uint32_t first, uint32_t second) const {
    static const Label kSeparator("_");
    JoinedName name(feature_.prefix());
    return ((name += label(first)) += kSeparator) += label(second);
  }

  const CrossingBigramFeature& feature_;
  const weights::WeightStore& weights_;
  TargetWords words_;
  FlatMap<float> own_;      // of words that only the sentence has
  FlatMap<float> lasting_;  // of the others, while the weights stay the same
  uint64_t version_ = UINT64_MAX;
};

/// The state is the number of the last label.
class CrossingSession : public FeatureSession {
 public:
  CrossingSession(const CrossingBigramFeature& feature, const weights::WeightStore& weights)
      : bigrams_(feature, weights) {}

  void begin(const DecoderInput& input) override { bigrams_.begin(input); }
  uint32_t start() override { return kBegin; }
  Transition apply(std::span<const uint32_t> tails, const Step& step) override {
    const auto words = step.option.words;
    if (words.empty()) return {0, tails[0]};
    return {lookahead(tails, step), bigrams_.number(words.back())};
  }
  float lookahead(std::span<const uint32_t> tails, const Step& step) override {
    const auto words = step.option.words;
    return words.empty() ? 0 : bigrams_.weight(tails[0], bigrams_.number(words.front()));
  }
  float finish(uint32_t state) override { return bigrams_.weight(state, kEnd); }
  void values(std::span<const uint32_t> tails, const Step& step, FeatureSink& sink) override {
    const auto words = step.option.words;
    if (!words.empty()) bigrams_.add(tails[0], bigrams_.number(words.front()), sink);
  }
  void final_values(uint32_t state, FeatureSink& sink) override { bigrams_.add(state, kEnd, sink); }
  size_t bytes() const override { return bigrams_.bytes(); }

 private:
  Bigrams bigrams_;
};

/// The state numbers the labels of the first and the last word.
class CrossingChartSession : public FeatureSession {
 public:
  CrossingChartSession(const CrossingBigramFeature& feature, const weights::WeightStore& weights)
      : bigrams_(feature, weights) {}

  void begin(const DecoderInput& input) override {
    bigrams_.begin(input);
    pieces_.clear();
    numbers_.clear();
    pieces_.push_back({});  // state 0: no words
  }
  uint32_t start() override { return intern({kBegin, kBegin}); }
  Transition apply(std::span<const uint32_t> tails, const Step& step) override {
    float score = 0;
    const Piece piece =
        join(tails, step, [&](uint32_t first, uint32_t second) { score += bigrams_.weight(first, second); });
    return {score, intern(piece)};
  }
  float lookahead(std::span<const uint32_t> tails, const Step& step) override {
    float score = 0;
    if (!tails.empty())
      join(tails, step, [&](uint32_t first, uint32_t second) { score += bigrams_.weight(first, second); });
    return score;
  }
  float finish(uint32_t state) override { return bigrams_.weight(pieces_[state].last, kEnd); }
  void values(std::span<const uint32_t> tails, const Step& step, FeatureSink& sink) override {
    join(tails, step, [&](uint32_t first, uint32_t second) { bigrams_.add(first, second, sink); });
  }
  void final_values(uint32_t state, FeatureSink& sink) override {
    bigrams_.add(pieces_[state].last, kEnd, sink);
  }
  size_t bytes() const override { return bigrams_.bytes() + numbers_.bytes(); }

 private:
  struct Piece {
    uint32_t first = kEnd, last = kEnd;  // kEnd: no words

    bool is_empty() const { return last == kEnd; }
  };

  /// Calls body(last, first) where a gap meets its neighbors, and returns the ends of the whole.
  template <class Body>
  Piece join(std::span<const uint32_t> tails, const Step& step, Body body) const {
    Piece whole;
    bool after_gap = false;
    for (const grammar::Symbol symbol : step.option.words) {
      const bool is_gap = grammar::is_gap(symbol);
      Piece piece;
      if (is_gap)
        piece = pieces_[tails[grammar::gap_index(symbol)]];
      else
        piece.first = piece.last = bigrams_.number(symbol);
      if (piece.is_empty()) continue;
      if (!whole.is_empty() && (is_gap || after_gap)) body(whole.last, piece.first);
      if (whole.is_empty()) whole.first = piece.first;
      whole.last = piece.last;
      after_gap = is_gap;
    }
    return whole;
  }
  uint32_t intern(const Piece& piece) {
    if (piece.is_empty()) return 0;
    const auto next = static_cast<uint32_t>(pieces_.size());
    const auto [number, is_new] = numbers_.insert(uint64_t{piece.first} << 32 | piece.last, next);
    if (is_new) pieces_.push_back(piece);
    return number;
  }

  Bigrams bigrams_;
  std::vector<Piece> pieces_;
  FlatMap<uint32_t> numbers_;
};

}  // namespace

void CrossingBigramFeature::attach(const DecoderModel& model) { labels_.attach(model.words()); }

std::unique_ptr<FeatureSession> CrossingBigramFeature::session(const FeatureWeights& weights, size_t) const {
  return std::make_unique<CrossingSession>(*this, weights.sparse);
}

std::unique_ptr<FeatureSession> CrossingBigramFeature::chart_session(const FeatureWeights& weights,
                                                                     size_t) const {
  return std::make_unique<CrossingChartSession>(*this, weights.sparse);
}

}  // namespace tunesmith::decode::features

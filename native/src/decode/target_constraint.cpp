#include "tunesmith/decode/target_constraint.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "tunesmith/base/errors.h"
#include "tunesmith/corpus/sentences.h"
#include "tunesmith/grammar/rule.h"

namespace tunesmith::decode {

namespace {

class ConstraintSession : public FeatureSession {
 public:
  explicit ConstraintSession(const DecoderModel& model) : model_(model) {}

  void begin(const DecoderInput& input) override {
    columns_ = input.columns;
    most_ = input.most_words;
    least_ = input.least_words;
    is_constrained_ = input.is_constrained;
    is_prefix_ = input.is_prefix;
    if (is_constrained_) target_.assign(model_, input.target, input.words.passed);
  }
  uint32_t start() override { return 0; }

  Transition apply(std::span<const uint32_t> tails, const Step& step) override {
    if (!is_constrained_) return {0, 0};
    const size_t end = std::min(tails[0] + step.option.words.size(), target_.size());
    return {lookahead(tails, step), static_cast<uint32_t>(end)};
  }
  float lookahead(std::span<const uint32_t> tails, const Step& step) override {
    if (!is_constrained_) return 0;
    const size_t end = tails[0] + step.option.words.size();
    if (end > target_.size() && !is_prefix_) return kForbiddenScore;
    if (!target_.goes_on(tails[0], step.option.words)) return kForbiddenScore;
    return can_end(end, columns_ - step.coverage.count - step.range.size()) ? 0 : kForbiddenScore;
  }
  float finish(uint32_t state) override {
    return is_constrained_ && state != target_.size() ? kForbiddenScore : 0;
  }
  void values(std::span<const uint32_t>, const Step&, FeatureSink&) override {}

 private:
  static constexpr double kRounding = 1e-6;  // of sums of shares

  /// Whether the target words from `end` on may come from `columns` columns.
  bool can_end(size_t end, uint32_t columns) const {
    if (end < target_.size() && columns == 0) return false;
    if (most_.empty()) return true;
    const auto rest = static_cast<double>(target_.size() - end);
    return rest <= most_[columns] + kRounding && rest >= least_[columns] - kRounding;
  }

  const DecoderModel& model_;
  uint32_t columns_ = 0;
  std::span<const double> most_, least_;
  bool is_constrained_ = false, is_prefix_ = false;
  RequiredTarget target_;
};

/// The first occurrence of a yield in the target. Beyond the end of a prefix, yields are cut.
struct Place {
  size_t begin;
  size_t length;
  bool is_fixed = false;  // the yield begins the sentence: only this occurrence counts
};

/// States encode a Place as a number, so that they need neither a table nor a copy of words.
class ChartConstraintSession : public FeatureSession {
 public:
  explicit ChartConstraintSession(const DecoderModel& model) : model_(model) {}

  void begin(const DecoderInput& input) override {
    is_constrained_ = input.is_constrained;
    is_prefix_ = input.is_prefix;
    target_.assign(model_, is_constrained_ ? input.target : std::string_view(), input.words.passed);
    if (target_.size() > kMostWords)
      throw InputError("a target of " + std::to_string(target_.size()) +
                       " words is required; a chart decoder takes at most " + std::to_string(kMostWords));
  }
  uint32_t start() override { return is_constrained_ ? number({0, 0, true}) : 0; }

  Transition apply(std::span<const uint32_t> tails, const Step& step) override {
    if (!is_constrained_) return {0, 0};
    const auto found = find(tails, step.option.words);
    return found ? Transition{0, number(*found)} : Transition{kForbiddenScore, 0};
  }
  float lookahead(std::span<const uint32_t> tails, const Step& step) override {
    return !is_constrained_ || find(tails, step.option.words) ? 0 : kForbiddenScore;
  }
  float finish(uint32_t state) override {
    if (!is_constrained_) return 0;
    const Place found = place(state);
    return found.begin == 0 && found.length == target_.size() ? 0 : kForbiddenScore;
  }
  void values(std::span<const uint32_t>, const Step&, FeatureSink&) override {}

 private:
  static constexpr size_t kMostWords = 65534;  // (kMostWords + 2) * (kMostWords + 1) states fit 32 bits

  uint32_t number(const Place& place) const {
    const size_t row = place.is_fixed ? target_.size() + 1 : place.begin;
    return static_cast<uint32_t>(row * (target_.size() + 1) + place.length);
  }
  Place place(uint32_t state) const {
    const size_t row = state / (target_.size() + 1), length = state % (target_.size() + 1);
    return row > target_.size() ? Place{0, length, true} : Place{row, length};
  }

  /// The first occurrence of a rule's yield, if any. O(occurrences of its first word * symbols) comparisons
  /// of words or tail yields, most of which fail at once.
  std::optional<Place> find(std::span<const uint32_t> tails, std::span<const grammar::Symbol> words) {
    tails_.clear();
    bool is_fixed = false;
    for (const uint32_t tail : tails) {
      tails_.push_back(place(tail));
      is_fixed = is_fixed || tails_.back().is_fixed;
    }
    for (size_t begin = is_fixed ? 0 : first(words);; begin = target_.next_place(begin)) {
      if (const auto end = follow(begin, words)) return Place{begin, *end - begin, is_fixed};
      if (is_fixed || begin == target_.size()) return std::nullopt;
    }
  }
  /// The first occurrence of the first word of a yield; 0 if it is empty.
  size_t first(std::span<const grammar::Symbol> words) const {
    for (const grammar::Symbol symbol : words) {
      if (!grammar::is_gap(symbol)) return target_.first_place(symbol);
      const Place& tail = tails_[grammar::gap_index(symbol)];
      if (tail.length > 0 || tail.begin > 0) return tail.begin;  // the prefix's end if beyond the prefix
    }
    return 0;
  }
  /// The end of a yield that begins at a position, if it matches there.
  std::optional<size_t> follow(size_t at, std::span<const grammar::Symbol> words) const {
    for (const grammar::Symbol symbol : words) {
      if (grammar::is_gap(symbol)) {
        const Place& tail = tails_[grammar::gap_index(symbol)];
        if (at < tail.begin) return std::nullopt;
        if (at != tail.begin && !target_.goes_on(at, target_.words().subspan(tail.begin, tail.length)))
          return std::nullopt;
        at += tail.length;
      } else {
        if (at < target_.size() && target_.words()[at] != symbol) return std::nullopt;
        ++at;
      }
      if (at > target_.size() && !is_prefix_) return std::nullopt;
      at = std::min(at, target_.size());
    }
    return at;
  }

  const DecoderModel& model_;
  bool is_constrained_ = false, is_prefix_ = false;
  RequiredTarget target_;
  std::vector<Place> tails_;  // scratch
};

}  // namespace

void RequiredTarget::assign(const DecoderModel& model, std::string_view text, const Texts& passed) {
  words_.clear();
  first_.clear();
  std::unordered_map<std::string_view, int32_t> first;
  for (size_t i = 0; i < passed.size(); ++i)
    first.emplace(passed[i], static_cast<int32_t>(model.words().size() + i));
  corpus::for_each_token(text, [&](std::string_view word) {
    const auto found = first.find(word);
    const int32_t known = model.find_word(word);
    const int32_t number = known == NameTable::kUnknown && found != first.end() ? found->second : known;
    words_.push_back(number);
  });
  const auto none = static_cast<uint32_t>(words_.size());
  next_.assign(words_.size(), none);
  for (uint32_t place = none; place-- > 0;) {
    if (words_[place] == kNowhere) continue;
    const auto [found, is_last] = first_.emplace(words_[place], place);
    if (!is_last) next_[place] = std::exchange(found->second, place);
  }
}

bool RequiredTarget::goes_on(size_t position, std::span<const int32_t> words) const {
  const size_t length = std::min(words.size(), words_.size() - position);
  return std::ranges::equal(std::span(words_).subspan(position, length), words.first(length));
}

std::unique_ptr<FeatureSession> TargetConstraint::session(const FeatureWeights&, size_t) const {
  return std::make_unique<ConstraintSession>(model_);
}

std::unique_ptr<FeatureSession> TargetConstraint::chart_session(const FeatureWeights&, size_t) const {
  return std::make_unique<ChartConstraintSession>(model_);
}

}  // namespace tunesmith::decode

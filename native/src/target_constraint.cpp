#include "tunesmith/target_constraint.h"

#include <algorithm>

#include "tunesmith/sentences.h"

namespace tunesmith {

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
    return {foresee(tails, step), static_cast<uint32_t>(end)};
  }
  float foresee(std::span<const uint32_t> tails, const Step& step) override {
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

  /// Whether the rest of the target may come from so many columns.
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

}  // namespace

void RequiredTarget::assign(const DecoderModel& model, std::string_view text, const Texts& passed) {
  words_.clear();
  places_.clear();
  std::unordered_map<std::string_view, int32_t> first;
  for (size_t i = 0; i < passed.size(); ++i)
    first.emplace(passed[i], static_cast<int32_t>(model.words().size() + i));
  for_each_token(text, [&](std::string_view word) {
    const auto found = first.find(word);
    const int32_t known = model.find_word(word);
    const int32_t number = known == NameTable::kUnknown && found != first.end() ? found->second : known;
    if (number != kNowhere) places_[number].push_back(static_cast<uint32_t>(words_.size()));
    words_.push_back(number);
  });
}

bool RequiredTarget::goes_on(size_t position, std::span<const int32_t> words) const {
  const size_t length = std::min(words.size(), words_.size() - position);
  return std::ranges::equal(std::span(words_).subspan(position, length), words.first(length));
}

std::unique_ptr<FeatureSession> TargetConstraint::session(const FeatureWeights&, size_t) const {
  return std::make_unique<ConstraintSession>(model_);
}

}  // namespace tunesmith

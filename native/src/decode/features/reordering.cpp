#include "tunesmith/decode/features/reordering.h"

#include <algorithm>

#include "tunesmith/decode/features/lexical_orientations.h"

namespace tunesmith::decode::features {

namespace {

class ReorderingSession : public FeatureSession {
 public:
  ReorderingSession(const ReorderingFeature& feature, size_t offset)
      : lexical_(feature, offset), states_(lexical_.use()) {}

  void begin(const DecoderInput& input) override { states_.begin(input); }
  uint32_t start() override { return states_.start(); }

  float lookahead(std::span<const uint32_t> tails, const Step& step) override {
    const auto& state = states_[tails[0]];
    const auto beside =
        lexical_.reads_blocks() ? states_.beside_block(state, step.range) : tables::Orientation();
    return lexical_.score(states_, state, state.last, step, beside);
  }
  Transition apply(std::span<const uint32_t> tails, const Step& step) override {
    const LastOption last = lexical_.is_forward() ? LastOption::of(step.option) : LastOption();
    const float score = lookahead(tails, step);  // before states may move
    return {score, states_.next(tails[0], step.range, last)};
  }
  void values(std::span<const uint32_t> tails, const Step& step, FeatureSink& sink) override {
    const auto& state = states_[tails[0]];
    lexical_.values(states_, state, state.last, step,
                    [&](size_t column, float value) { sink.add(column, value); });
  }
  size_t bytes() const override { return states_.bytes(); }

 private:
  LexicalOrientations lexical_;
  OrientationStates<LastOption> states_;
};

}  // namespace

ReorderingFeature::ReorderingFeature(const tables::ReorderingModel& model, std::string name,
                                     size_t first_column)
    : model_(model), name_(std::move(name)), first_column_(first_column) {}

std::vector<std::string> ReorderingFeature::names() const {
  std::vector<std::string> result;
  for (int i = 0; i < tables::column_count(model_); ++i) result.push_back(name_ + "_" + std::to_string(i));
  return result;
}

float ReorderingFeature::prepare(const Option& option, const TargetWords&, const FeatureWeights& weights,
                                 std::span<float> out) const {
  if (option.reordering.empty()) return 0;
  for (size_t i = 0; i < out.size(); ++i)
    out[i] = weights.dense[i] * tables::log_score(option.reordering[first_column_ + i]);
  // The estimate is an upper bound: the best orientation in each direction.
  const auto classes = static_cast<size_t>(tables::class_count(model_.classes));
  float best = 0;
  for (size_t i = 0; i < out.size(); i += classes)
    best += *std::max_element(out.begin() + static_cast<std::ptrdiff_t>(i),
                              out.begin() + static_cast<std::ptrdiff_t>(i + classes));
  return best;
}

std::unique_ptr<FeatureSession> ReorderingFeature::session(const FeatureWeights&, size_t offset) const {
  return std::make_unique<ReorderingSession>(*this, offset);
}

}  // namespace tunesmith::decode::features

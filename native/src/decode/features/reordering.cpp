#include "tunesmith/decode/features/reordering.h"

#include <algorithm>

#include "tunesmith/decode/orientation_states.h"
#include "tunesmith/tables/phrase_table.h"

namespace tunesmith::decode::features {

namespace {

/// The forward scores of the last option.
struct LastOption {
  uint32_t row = kNoNumber;
  const float* scores = nullptr;  // weighted
  std::span<const float> probability;

  bool operator==(const LastOption& other) const { return row == other.row; }
  uint64_t hash() const { return row; }
};

OrientationUse use_of(const tables::ReorderingModel& model) {
  const bool has_blocks = model.model == tables::OrientationModel::kHierarchical;
  return {model.model, model.classes, has_blocks && model.backward, !has_blocks || model.forward};
}

class ReorderingSession : public FeatureSession {
 public:
  ReorderingSession(const ReorderingFeature& feature, size_t offset)
      : model_(feature.model()),
        classes_(static_cast<size_t>(tables::class_count(model_.classes))),
        first_column_(feature.first_column()),
        offset_(offset),
        forward_(model_.backward ? classes_ : 0),
        states_(use_of(model_)) {}

  void begin(const DecoderInput& input) override { states_.begin(input); }
  uint32_t start() override { return states_.start(); }

  float lookahead(std::span<const uint32_t> tails, const Step& step) override {
    const auto& state = states_[tails[0]];
    float score = 0;
    if (model_.backward && !step.option.reordering.empty())
      score += step.option.prepared[offset_ + states_.backward_class(state, step.range)];
    if (model_.forward && state.last.scores != nullptr)
      score += state.last.scores[states_.forward_class(state, step)];
    return score;
  }
  Transition apply(std::span<const uint32_t> tails, const Step& step) override {
    LastOption last;
    if (model_.forward && !step.option.reordering.empty())
      last = {step.option.reordering_row, step.option.prepared.data() + offset_ + forward_,
              step.option.reordering.subspan(first_column_ + forward_, classes_)};
    const float score = lookahead(tails, step);  // before states may move
    return {score, states_.next(tails[0], step.range, last)};
  }
  void values(std::span<const uint32_t> tails, const Step& step, FeatureSink& sink) override {
    const auto& state = states_[tails[0]];
    if (model_.backward && !step.option.reordering.empty()) {
      const size_t found = states_.backward_class(state, step.range);
      sink.add(found, tables::log_score(step.option.reordering[first_column_ + found]));
    }
    if (model_.forward && state.last.scores != nullptr) {
      const size_t found = states_.forward_class(state, step);
      sink.add(forward_ + found, tables::log_score(state.last.probability[found]));
    }
  }
  size_t bytes() const override { return states_.bytes(); }

 private:
  tables::ReorderingModel model_;
  size_t classes_, first_column_, offset_, forward_;
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

#include "tunesmith/decode/features/reordering.h"

#include <algorithm>
#include <limits>

#include "tunesmith/base/interner.h"
#include "tunesmith/base/text.h"
#include "tunesmith/decode/blocks.h"
#include "tunesmith/tables/phrase_table.h"

namespace tunesmith::decode::features {

namespace {

/// The context of orientations: the last option or, in hierarchical models, the stack.
struct ReorderingState {
  uint32_t stack;
  Range before;
  uint32_t row;                        // of the last option
  const float* scores = nullptr;       // weighted forward scores of the last option
  std::span<const float> probability;  // forward probabilities of the last option

  bool operator==(const ReorderingState& other) const {
    return stack == other.stack && before == other.before && row == other.row;
  }
};

class ReorderingSession : public FeatureSession {
 public:
  ReorderingSession(const ReorderingFeature& feature, size_t offset)
      : model_(feature.model()),
        classes_(static_cast<size_t>(tables::class_count(model_.classes))),
        first_column_(feature.first_column()),
        offset_(offset),
        forward_(model_.backward ? classes_ : 0),
        blocks_(model_.model == tables::OrientationModel::kHierarchical) {}

  void begin(const DecoderInput& input) override {
    columns_ = input.columns;
    stacks_.clear();
    states_.clear();
  }
  uint32_t start() override { return intern({BlockStacks::kEmpty, {0, 0}, kNoNumber, nullptr, {}}); }

  float lookahead(std::span<const uint32_t> tails, const Step& step) override {
    const ReorderingState& state = states_[tails[0]];
    float score = 0;
    if (model_.backward && !step.option.reordering.empty())
      score += step.option.prepared[offset_ + backward_class(state, step)];
    if (model_.forward && state.scores != nullptr) score += state.scores[forward_class(state, step)];
    return score;
  }
  Transition apply(std::span<const uint32_t> tails, const Step& step) override {
    const ReorderingState& state = states_[tails[0]];
    ReorderingState next{BlockStacks::kEmpty, {0, 0}, kNoNumber, nullptr, {}};
    if (blocks_ && model_.backward) next.stack = stacks_.push(state.stack, step.range);
    if (!blocks_ || model_.forward) next.before = step.range;
    if (model_.forward && !step.option.reordering.empty()) {
      next.row = step.option.reordering_row;
      next.scores = step.option.prepared.data() + offset_ + forward_;
      next.probability = step.option.reordering.subspan(first_column_ + forward_, classes_);
    }
    const float score = lookahead(tails, step);  // before states may move
    return {score, intern(next)};
  }
  void values(std::span<const uint32_t> tails, const Step& step, FeatureSink& sink) override {
    const ReorderingState& state = states_[tails[0]];
    if (model_.backward && !step.option.reordering.empty()) {
      const size_t found = backward_class(state, step);
      sink.add(found, tables::log_score(step.option.reordering[first_column_ + found]));
    }
    if (model_.forward && state.scores != nullptr) {
      const size_t found = forward_class(state, step);
      sink.add(forward_ + found, tables::log_score(state.probability[found]));
    }
  }
  size_t bytes() const override { return stacks_.bytes() + states_.bytes(); }

 private:
  size_t backward_class(const ReorderingState& state, const Step& step) const {
    const tables::Orientation found =
        blocks_ ? stacks_.orientation(state.stack, step.range) : orientation_beside(state.before, step.range);
    return static_cast<size_t>(tables::class_of(model_.classes, found));
  }
  size_t forward_class(const ReorderingState& state, const Step& step) const {
    tables::Orientation found = blocks_ ? forward_orientation(state.before, step.range, step.coverage)
                                        : orientation_beside(state.before, step.range);
    if (model_.classes == tables::OrientationClasses::kFive &&
        rest_follows(state.before, step.coverage, columns_))
      found = tables::with_global(found);
    return static_cast<size_t>(tables::class_of(model_.classes, found));
  }
  uint32_t intern(const ReorderingState& state) {
    const uint64_t before = uint64_t{state.before.begin} << 32 | state.before.end;
    return states_.number(state, mix(mix(state.stack, state.row), before));
  }

  tables::ReorderingModel model_;
  size_t classes_, first_column_, offset_, forward_;
  bool blocks_;
  uint32_t columns_ = 0;
  BlockStacks stacks_;
  Interner<ReorderingState> states_;
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

#include "tunesmith/decode/features/length_group.h"

#include <algorithm>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/decode/column_sink.h"

namespace tunesmith::decode::features {

namespace {

/// A range of lengths [low, high], and its part of a feature name.
struct LengthRange {
  size_t low, high;
  std::string text;
};

std::vector<LengthRange> ranges_within(size_t longest, char side) {
  std::vector<LengthRange> ranges;
  for (size_t low = 1; low <= longest; ++low)
    for (size_t high = low; high <= longest; ++high)
      ranges.push_back({low, high, side + std::to_string(low) + "-" + std::to_string(high) + "_"});
  return ranges;
}

/// One range of all lengths, for a side that is not grouped.
std::vector<LengthRange> any_length(size_t longest) { return {{0, longest, ""}}; }

class WeightedGroups : public WeightedScores {
 public:
  WeightedGroups(const LengthGroups& groups, const DecoderModel& model, const weights::WeightStore& weights)
      : model_(model), longest_(groups.longest) {
    find_scores(groups);
    weights_.resize((longest_ + 1) * (longest_ + 1) * scores_.size());
    columns_.resize((longest_ + 1) * (longest_ + 1));
    const bool by_source = groups.sides != GroupedSides::kTarget;
    const bool by_target = groups.sides != GroupedSides::kSource;
    const auto targets = by_target ? ranges_within(longest_, 't') : any_length(longest_);
    for (const auto& source : by_source ? ranges_within(longest_, 's') : any_length(longest_))
      for (const auto& target : targets) add_group(groups.name, source, target);
    reweight(weights);
  }

  /// O(groups) look-ups, and O(longest^2) per group with a weight.
  void reweight(const weights::WeightStore& weights) override {
    std::ranges::fill(weights_, 0.0F);
    for (const Group& group : groups_) {
      const float weight = weights.weight_of(group.key);
      if (weight == 0) continue;
      for (size_t s = group.source_low; s <= group.source_high; ++s)
        for (size_t t = group.target_low; t <= group.target_high; ++t)
          weights_[(s * (longest_ + 1) + t) * scores_.size() + group.score] += weight;
    }
  }

  float score(const Option& option) const override {
    const float* weights = &weights_[cell_of(option) * scores_.size()];
    float sum = 0;
    for_each_score(option, [&](size_t score, float value) { sum += weights[score] * value; });
    return sum;
  }

  void values(const Option& option, ModelSink& sink) const override {
    const std::vector<uint32_t>& columns = columns_[cell_of(option)];  // by range, then by score
    for_each_score(option, [&](size_t score, float value) {
      for (size_t i = score; i < columns.size(); i += scores_.size()) sink.add(columns[i], value);
    });
  }

 private:
  struct Score {
    std::string name;
    uint32_t column;
  };
  /// A score within ranges of lengths: a feature.
  struct Group {
    uint64_t key;
    size_t source_low, source_high, target_low, target_high, score;
  };

  void find_scores(const LengthGroups& groups) {
    for (const std::string& name : groups.scores) {
      if (const auto column = model_.score_column(name))
        scores_.push_back({name, *column});
      else if (groups.needs_all)
        throw InputError("the feature template " + quoted(groups.name) + " groups the score " + quoted(name) +
                         ", which rules and phrase pairs of this model do not have");
    }
    if (!scores_.empty()) return;
    throw InputError("the feature template " + quoted(groups.name) +
                     " finds no score to group: the model has none of its scores, such as " +
                     quoted(groups.scores.empty() ? "" : groups.scores[0]));
  }

  void add_group(const std::string& name, const LengthRange& source, const LengthRange& target) {
    for (size_t i = 0; i < scores_.size(); ++i) {
      const std::string group = name + "_" + source.text + target.text + scores_[i].name;
      const uint32_t column = model_.sparse_column(group);
      groups_.push_back({weights::key_of(group), source.low, source.high, target.low, target.high, i});
      for (size_t s = source.low; s <= source.high; ++s)
        for (size_t t = target.low; t <= target.high; ++t) columns_[s * (longest_ + 1) + t].push_back(column);
    }
  }

  size_t cell_of(const Option& option) const {
    return std::min(option.source.size(), longest_) * (longest_ + 1) +
           std::min(option.words.size(), longest_);
  }

  /// Table pairs have probabilities; grammar rules have values by column.
  template <class Body>
  void for_each_score(const Option& option, Body body) const {
    for (size_t score = 0; score < scores_.size(); ++score) {
      const uint32_t column = scores_[score].column;
      if (!option.scores.empty()) {
        const size_t first = model_.tables()[static_cast<size_t>(option.rule >> 32)].first;
        if (column >= first && column - first < option.scores.size())
          body(score, tables::log_score(option.scores[column - first]));
      }
      const auto found = std::ranges::find(option.pair_values, column, &FeatureValue::column);
      if (found != option.pair_values.end()) body(score, found->value);
    }
  }

  const DecoderModel& model_;
  size_t longest_;
  std::vector<Score> scores_;
  std::vector<Group> groups_;
  std::vector<float> weights_;                  // by cell (source length, target length) and score
  std::vector<std::vector<uint32_t>> columns_;  // by cell: of all its groups, all scores of each
};

}  // namespace

LengthGroupFeature::LengthGroupFeature(LengthGroups groups) : groups_(std::move(groups)) {
  if (groups_.longest < 1 || groups_.longest > kMostLengths)
    throw InputError("the longest length of a group is " + std::to_string(groups_.longest) +
                     "; expected 1 to " + std::to_string(kMostLengths));
}

std::unique_ptr<WeightedScores> LengthGroupFeature::under(const DecoderModel& model,
                                                          const weights::WeightStore& weights) const {
  return std::make_unique<WeightedGroups>(groups_, model, weights);
}

}  // namespace tunesmith::decode::features

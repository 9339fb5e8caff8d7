#include "tunesmith/weighted_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tunesmith/errors.h"

namespace tunesmith {

namespace {

/// Adds up weighted values.
class WeightedSum : public FeatureSink {
 public:
  explicit WeightedSum(const FeatureWeights& weights) : weights_(weights) {}
  void add(size_t column, float value) override { sum_ += weights_.dense[column] * value; }
  void add(std::string_view name, float value) override { sum_ += weights_.sparse[name] * value; }
  float sum() const { return sum_; }

 private:
  FeatureWeights weights_;
  float sum_ = 0;
};

/// Notes the values of a feature of pairs under the columns of the model, and adds them up.
class PairValues : public FeatureSink {
 public:
  PairValues(const WeightedModel& model, size_t first, std::vector<FeatureValue>& values)
      : model_(model), first_(first), values_(values) {}
  void add(size_t column, float value) override {
    values_.push_back({static_cast<uint32_t>(first_ + column), value});
    sum_ += model_.weight(first_ + column) * value;
  }
  void add(std::string_view name, float value) override {
    values_.push_back({model_.model().sparse_column(name), value});
    sum_ += model_.sparse()[name] * value;
  }
  float sum() const { return sum_; }

 private:
  const WeightedModel& model_;
  size_t first_;
  std::vector<FeatureValue>& values_;
  float sum_ = 0;
};

/// Copies the chosen options into a list that owns what they view.
void keep(const std::vector<Option>& options, const std::vector<uint32_t>& chosen,
          const Rows<int32_t>& renamed, const Rows<FeatureValue>& values, OptionList& list) {
  const bool rename = renamed.size() > 0;
  for (const uint32_t i : chosen) {
    list.options.push_back(options[i]);
    list.prepared.insert(list.prepared.end(), options[i].prepared.begin(), options[i].prepared.end());
    if (rename) list.words.insert(list.words.end(), renamed[i].begin(), renamed[i].end());
    list.pair_values.insert(list.pair_values.end(), values[i].begin(), values[i].end());
  }
  size_t word = 0, value = 0;  // views are taken when nothing moves any more
  for (size_t k = 0; k < chosen.size(); ++k) {
    Option& option = list.options[k];
    option.prepared = std::span(list.prepared).subspan(k * option.prepared.size(), option.prepared.size());
    if (rename) option.words = std::span(list.words).subspan(word, option.words.size());
    word += option.words.size();
    option.pair_values = std::span(list.pair_values).subspan(value, values[chosen[k]].size());
    value += option.pair_values.size();
  }
}

}  // namespace

WeightedModel::WeightedModel(std::shared_ptr<const DecoderModel> model, std::vector<float> weights,
                             SparseWeights sparse)
    : model_(std::move(model)), weights_(std::move(weights)), sparse_(std::move(sparse)) {
  if (weights_.size() != model_->names().size())
    throw InputError(std::to_string(weights_.size()) + " weights for " +
                     std::to_string(model_->names().size()) + " features");
}

void WeightedModel::penalties_and_scores(const Option& option, FeatureSink& sink) const {
  if (const auto column = model_->column(Penalty::kWord))
    sink.add(*column, -static_cast<float>(option.words.size()));
  if (const auto column = model_->column(Penalty::kPhrase)) sink.add(*column, 1);
  if (option.rule == Option::kUnknownWord) {
    if (const auto column = model_->column(Penalty::kUnknownWord)) sink.add(*column, kUnknownWordScore);
    return;
  }
  const size_t number = option.rule == Option::kGiven ? 0 : static_cast<size_t>(option.rule >> 32);
  const DecoderModel::Table& table = model_->tables()[number];
  for (size_t i = 0; i < option.scores.size(); ++i) sink.add(table.first + i, log_score(option.scores[i]));
}

void WeightedModel::pair_values(const Option& option, FeatureSink& sink) const {
  penalties_and_scores(option, sink);
  for (const FeatureValue& value : option.pair_values) {
    if (value.column < model_->names().size())
      sink.add(value.column, value.value);
    else
      sink.add(model_->column_name(value.column), value.value);
  }
}

/// The score of a pair without context, and what features that need context expect; what features of pairs
/// say is appended to `values`.
void WeightedModel::score_pair(Option& option, const TargetWords& names,
                               std::vector<FeatureValue>& values) const {
  WeightedSum sum({weights_, sparse_});
  penalties_and_scores(option, sum);
  option.score = sum.sum();
  if (option.rule >= 0 && !model_->pair_features().empty()) {
    std::vector<std::string_view> source;
    for (const Symbol word : option.source) source.push_back(model_->source_word(option, word));
    for (const auto& feature : model_->pair_features()) {
      PairValues sink(*this, feature.first, values);
      feature.feature->values(option, source, names, sink);
      option.score += sink.sum();
    }
  }
  option.lead = option.estimate = option.score;
  for (const auto& feature : model_->features()) {
    const auto prepared = option.prepared.subspan(feature.prepared, feature.feature->prepared_size());
    const float expected = feature.feature->prepare(option, names, weights(feature), prepared);
    if (!feature.feature->foresees()) option.lead += expected;
    option.estimate += expected;
  }
}

/// Makes a list of one option that comes from no table.
void WeightedModel::keep_alone(Option option, OptionList& list, const TargetWords& names) const {
  list.prepared.resize(model_->prepared_size());
  option.prepared = list.prepared;
  score_pair(option, names, list.pair_values);
  list.options.push_back(option);
}

std::shared_ptr<OptionList> WeightedModel::score(size_t number, uint32_t node, size_t limit) const {
  const PairRange range = model_->tables()[number].table->pairs(node);
  std::vector<uint32_t> pairs(range.size());
  std::iota(pairs.begin(), pairs.end(), range.begin);
  return score(number, node, pairs, limit);
}

std::shared_ptr<OptionList> WeightedModel::score(size_t number, uint32_t node,
                                                 std::span<const uint32_t> pairs, size_t limit) const {
  const DecoderModel::Table& use = model_->tables()[number];
  const PhraseTable& table = *use.table;
  const TargetWords names{model_->words(), {}};
  auto list = std::make_shared<OptionList>();
  list->source = table.source(node);
  std::vector<Option> options(pairs.size());
  std::vector<float> prepared(pairs.size() * model_->prepared_size());
  Rows<int32_t> renamed;
  Rows<FeatureValue> values;
  if (!use.words.empty())
    for (const uint32_t pair : pairs) {
      for (const int32_t word : table.target_phrase(table.target(pair)))
        renamed.values.push_back(use.words[static_cast<size_t>(word)]);
      renamed.close();
    }
  for (size_t i = 0; i < pairs.size(); ++i) {
    Option& option = options[i];
    const uint32_t pair = pairs[i];
    const ScoredPhrase phrase = table.pair(pair, list->source.size());
    option.rule = static_cast<int64_t>(number) << 32 | pair;
    option.source = list->source;
    option.words = use.words.empty() ? phrase.target : renamed[i];
    option.alignment = phrase.alignment;
    option.scores = phrase.scores;
    option.reordering = phrase.reordering;
    option.phrase = use.first_phrase + table.target(pair);
    option.reordering_row = use.first_row + table.reordering_row(pair);
    option.prepared = std::span(prepared).subspan(i * model_->prepared_size(), model_->prepared_size());
    score_pair(option, names, values.values);
    values.close();
  }
  std::vector<uint32_t> order(options.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) { return options[a].lead > options[b].lead; });
  if (limit > 0 && order.size() > limit) order.resize(limit);
  keep(options, order, renamed, values, *list);
  return list;
}

std::shared_ptr<const OptionList> WeightedModel::options(size_t table, uint32_t node) const {
  const uint64_t key = uint64_t{table} << 32 | node;
  Shard& shard = shards_[node % kShards];
  {
    const std::scoped_lock lock(shard.mutex);
    if (const auto found = shard.lists.find(key); found != shard.lists.end()) return found->second;
  }
  auto list = score(table, node, model_->tables()[table].limit);
  const std::scoped_lock lock(shard.mutex);
  if (shard.options > kKeptOptions) {
    shard.lists.clear();
    shard.options = 0;
  }
  shard.options += list->options.size();
  return shard.lists.emplace(key, std::move(list)).first->second;
}

std::shared_ptr<const OptionList> WeightedModel::unknown_word(std::span<const int32_t> words, uint32_t phrase,
                                                              const TargetWords& names) const {
  auto list = std::make_shared<OptionList>();
  list->words.assign(words.begin(), words.end());
  Option option;
  option.words = list->words;
  option.phrase = phrase;
  keep_alone(option, *list, names);
  return list;
}

std::shared_ptr<const OptionList> WeightedModel::given_phrase(std::span<const int32_t> words,
                                                              float probability, uint32_t phrase,
                                                              const TargetWords& names) const {
  auto list = std::make_shared<OptionList>();
  list->words.assign(words.begin(), words.end());
  const size_t width = model_->tables().at(0).table->score_count();
  list->scores.assign(width, std::pow(probability, 1.0F / static_cast<float>(width)));
  Option option;
  option.rule = Option::kGiven;
  option.words = list->words;
  option.scores = list->scores;
  option.phrase = phrase;
  keep_alone(option, *list, names);
  return list;
}

}  // namespace tunesmith

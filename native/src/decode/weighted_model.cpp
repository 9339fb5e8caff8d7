#include "tunesmith/decode/weighted_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tunesmith/base/errors.h"
#include "tunesmith/decode/column_sink.h"
#include "tunesmith/decode/option_drafts.h"
#include "tunesmith/decode/weighted_sum.h"

namespace tunesmith::decode {

namespace {

/// Records the values of a pair feature by model column, and sums them weighted.
class PairValues : public FeatureSink {
 public:
  PairValues(const WeightedModel& model, size_t first, std::vector<FeatureValue>& values)
      : model_(model), first_(first), values_(values) {}
  void add(size_t column, float value) override {
    values_.push_back({static_cast<uint32_t>(first_ + column), value});
    sum_ += model_.weight(first_ + column) * value;
  }
  void add(const weights::FeatureName& name, float value) override {
    values_.push_back({model_.model().sparse_column(name), value});
    sum_ += model_.sparse().weight_of(name.key) * value;
  }
  float sum() const { return sum_; }

 private:
  const WeightedModel& model_;
  size_t first_;
  std::vector<FeatureValue>& values_;
  float sum_ = 0;
};

size_t count_words(std::span<const int32_t> symbols) {
  return static_cast<size_t>(
      std::ranges::count_if(symbols, [](int32_t symbol) { return !grammar::is_gap(symbol); }));
}

/// Whether an option is a pair of a table or a rule of a grammar: not a passed word, a given phrase, or a
/// rule of sentence markers.
bool has_scores(const Option& option) { return option.rule >= 0 && option.border == grammar::Border::kNone; }

/// Whether a pair feature is computed for an option.
bool applies(const PairFeature& feature, const Option& option) {
  if (option.border != grammar::Border::kNone) return false;  // sentence markers are not words
  return option.rule >= 0 || feature.sees_unknown_words();
}

std::vector<uint32_t> distinct(std::vector<uint32_t> values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace

WeightedModel::WeightedModel(std::shared_ptr<const DecoderModel> model, std::vector<float> weights,
                             std::shared_ptr<const weights::WeightStore> sparse)
    : model_(std::move(model)), weights_(std::move(weights)), sparse_(std::move(sparse)) {
  if (!sparse_) sparse_ = std::make_shared<const weights::WeightStore>();
  if (weights_.size() != model_->names().size())
    throw InputError(std::to_string(weights_.size()) + " weights for " +
                     std::to_string(model_->names().size()) + " features");
  read_weights();
}

WeightedModel::WeightedModel(std::shared_ptr<const DecoderModel> model,
                             std::shared_ptr<const weights::WeightStore> store)
    : model_(std::move(model)), weights_(model_->names().size()), sparse_(std::move(store)) {
  for (const std::string& name : model_->names()) keys_.push_back(weights::key_of(name));
  read_weights();
}

void WeightedModel::refresh() {
  if (sparse_->version() == version_) return;
  read_weights();
  drop_lists();
}

void WeightedModel::drop_lists() {
  options_.clear();
  rules_.clear();
}

void WeightedModel::read_weights() {
  version_ = sparse_->version();
  for (size_t i = 0; i < keys_.size(); ++i) weights_[i] = sparse_->weight_of(keys_[i]);
  for (const auto& each : scores_) each->reweight(*sparse_);
  if (scores_.empty())
    for (const auto& feature : model_->score_features()) scores_.push_back(feature->under(*model_, *sparse_));
  table_sparse_.clear();
  for (const DecoderModel::Table& table : model_->tables()) {
    auto& own = table_sparse_.emplace_back();
    for (uint32_t score = 0; score < table.sparse.size(); ++score)
      own.push_back(sparse_->weight_of(model_->column_key(model_->sparse_score_column(table, score))));
  }
  if (fact_columns_.scores.empty()) fact_columns_ = model_->fact_columns();
  score_weights_.clear();
  for (const uint32_t column : fact_columns_.scores) score_weights_.push_back(weights_[column]);
  estimate_weights_.clear();
  for (const uint32_t column : fact_columns_.estimates) estimate_weights_.push_back(weights_[column]);
  needs_options_ = !scores_.empty() || std::ranges::any_of(model_->features(), [](const auto& part) {
    return !part.feature->has_lookahead() && !part.feature->has_estimate_values();
  });
}

void WeightedModel::penalties_and_scores(const Option& option, FeatureSink& sink) const {
  const auto add = [&](Penalty penalty, float value) {
    if (const auto column = model_->column(penalty)) sink.add(*column, value);
  };
  const size_t words = count_words(option.words), gaps = option.words.size() - words;
  const bool has_mark = option.border != grammar::Border::kNone && option.is_counted;
  add(Penalty::kWord, -static_cast<float>(words + (has_mark ? 1 : 0)));
  if (option.is_counted) {
    add(Penalty::kPhrase, 1);
    if (gaps == 0) add(Penalty::kArity0, 1);
    if (gaps == 1) add(Penalty::kArity1, 1);
    if (gaps == 2) add(Penalty::kArity2, 1);
  }
  const bool is_unknown = option.rule == Option::kUnknownWord;
  const size_t own =
      option.border == grammar::Border::kNone ? count_words(option.source) : 0;  // markers are not words
  add(Penalty::kSourceWord, static_cast<float>(is_unknown ? 1 : own));
  if (is_unknown) {
    add(Penalty::kUnknownWord, kUnknownWordScore);
    add(Penalty::kPassThrough, 1);
    return;
  }
  if (option.scores.empty()) return;
  const size_t number = option.rule == Option::kGiven ? 0 : static_cast<size_t>(option.rule >> 32);
  const DecoderModel::Table& table = model_->tables()[number];
  for (size_t i = 0; i < option.scores.size(); ++i)
    sink.add(table.first + i, tables::log_score(option.scores[i]));
}

void WeightedModel::pair_values(const Option& option, const TargetWords& names, ModelSink& sink) const {
  sink.begin(0);
  penalties_and_scores(option, sink);
  for (const FeatureValue& value : option.pair_values) sink.add(value.column, value.value);
  std::vector<std::string_view> source;
  for (const auto& feature : model_->pair_features()) {
    if (feature.feature->is_stored() || !applies(*feature.feature, option)) continue;
    if (source.empty()) source = source_texts(option);
    sink.begin(feature.first);
    feature.feature->values(option, source, names, sink);
  }
  sink.begin(0);
  if (!has_scores(option)) return;
  for (const auto& each : scores_) each->values(option, sink);
}

float WeightedModel::score_of_scores(const Option& option) const {
  float sum = 0;
  if (!has_scores(option)) return sum;
  for (const auto& each : scores_) sum += each->score(option);
  return sum;
}

float WeightedModel::weight_of(const FeatureValue& value) const {
  return value.column < weights_.size() ? weights_[value.column]
                                        : sparse_->weight_of(model_->column_key(value.column));
}

/// Appends the values of a pair's sparse scores by model column, and returns their weighted sum.
float WeightedModel::sparse_scores(size_t number, std::span<const tables::SparseScore> scores,
                                   std::vector<FeatureValue>& values) const {
  float sum = 0;
  for (const tables::SparseScore& score : scores) {
    values.push_back({model_->sparse_score_column(model_->tables()[number], score.name), score.value});
    sum += table_sparse_[number][score.name] * score.value;
  }
  return sum;
}

/// The texts of an option's source words, if any feature needs them.
std::vector<std::string_view> WeightedModel::source_texts(const Option& option) const {
  std::vector<std::string_view> texts;
  if (!model_->pair_features().empty() && option.rule >= 0)
    for (const int32_t word : option.source) texts.push_back(model_->source_word(option, word));
  return texts;
}

/// Sets the context-free score of an option. Values of pair features are appended to `values`; a grammar's
/// own values are in `option.pair_values` already.
void WeightedModel::score_pair(Option& option, std::span<const std::string_view> source,
                               const TargetWords& names, std::vector<FeatureValue>& values) const {
  WeightedSum sum({weights_, *sparse_});
  penalties_and_scores(option, sum);
  option.score = sum.sum();
  for (const FeatureValue& value : option.pair_values) option.score += weight_of(value) * value.value;
  option.score += score_of_scores(option);
  for (const auto& feature : model_->pair_features()) {
    if (!applies(*feature.feature, option)) continue;
    if (feature.feature->is_stored()) {
      PairValues sink(*this, feature.first, values);
      feature.feature->values(option, source, names, sink);
      option.score += sink.sum();
    } else {
      WeightedSum sink(weights(feature));
      feature.feature->values(option, source, names, sink);
      option.score += sink.sum();
    }
  }
}

/// Sets `sort_score` and `estimate` by the context-free estimates of stateful features.
void WeightedModel::expect(Option& option, const TargetWords& names) const {
  option.sort_score = option.estimate = option.score;
  if (option.border != grammar::Border::kNone) return;  // sentence markers are not words
  for (const auto& feature : model_->features()) {
    const auto prepared = option.prepared.subspan(feature.prepared, feature.feature->prepared_size());
    const float expected = feature.feature->prepare(option, names, weights(feature), prepared);
    if (!feature.feature->has_lookahead()) option.sort_score += expected;
    option.estimate += expected;
  }
}

/// Scores an option that comes from no table and makes it the only one of a list.
void WeightedModel::keep_alone(Option option, OptionList& list, const TargetWords& names) const {
  list.prepared.resize(model_->prepared_size());
  option.prepared = list.prepared;
  score_pair(option, {}, names, list.pair_values);
  expect(option, names);
  option.pair_values = list.pair_values;
  list.options.push_back(option);
}

float WeightedModel::most_expected() const {
  float most = 0;
  for (const auto& part : model_->features())
    if (!part.feature->has_lookahead()) most += part.feature->most_expected(weights(part));
  return most;
}

std::shared_ptr<OptionList> WeightedModel::score(size_t number, uint32_t node, size_t limit) const {
  const tables::PairRange range = model_->tables()[number].table->pairs(node);
  std::vector<uint32_t> pairs(range.size());
  std::iota(pairs.begin(), pairs.end(), range.begin);
  return score(number, node, pairs, limit);
}

/// Options that are not yet scored; they view the source.
OptionDrafts WeightedModel::draft_pairs(size_t number, std::span<const uint32_t> pairs,
                                        std::span<const int32_t> source) const {
  const DecoderModel::Table& use = model_->tables()[number];
  const tables::PhraseTable& table = *use.table;
  OptionDrafts drafts(pairs.size(), model_->prepared_size());
  if (!use.words.empty())
    for (const uint32_t pair : pairs) {
      for (const int32_t word : table.target_phrase(table.target(pair)))
        drafts.words.values.push_back(use.words[static_cast<size_t>(word)]);
      drafts.words.close();
    }
  for (size_t i = 0; i < pairs.size(); ++i) {
    Option& option = drafts.options[i];
    const uint32_t pair = pairs[i];
    const tables::ScoredPhrase phrase = table.pair(pair, source.size());
    option.rule = static_cast<int64_t>(number) << 32 | pair;
    option.source = source;
    option.words = use.words.empty() ? phrase.target : drafts.words[i];
    option.alignment = phrase.alignment;
    option.scores = phrase.scores;
    option.reordering = phrase.reordering;
    option.phrase = use.first_phrase + table.target(pair);
    option.reordering_row = use.first_row + table.reordering_row(pair);
  }
  return drafts;
}

std::shared_ptr<OptionList> WeightedModel::score(size_t number, uint32_t node,
                                                 std::span<const uint32_t> pairs, size_t limit) const {
  const tables::PhraseTable& table = *model_->tables()[number].table;
  const TargetWords names{model_->words(), {}};
  auto list = std::make_shared<OptionList>();
  list->source = table.source(node);
  OptionDrafts drafts = draft_pairs(number, pairs, list->source);
  std::vector<std::string_view> source;
  for (size_t i = 0; i < pairs.size(); ++i) {
    Option& option = drafts.options[i];
    if (i == 0) source = source_texts(option);
    score_pair(option, source, names, drafts.values.values);
    if (!table_sparse_[number].empty())
      option.score +=
          sparse_scores(number, table.pair(pairs[i], list->source.size()).sparse, drafts.values.values);
    drafts.values.close();
  }
  std::vector<uint32_t> order(pairs.size());
  std::iota(order.begin(), order.end(), 0);
  drafts.choose(order, limit, most_expected(), [&](Option& option) { expect(option, names); });
  drafts.keep(order, *list);
  return list;
}

std::shared_ptr<const OptionList> WeightedModel::options(size_t table, uint32_t node) const {
  const DecoderModel::Table& use = model_->tables()[table];
  return options_.get(uint64_t{table} << 32 | node, [&] {
    return use.breadth > 0 ? score_facts(table, node) : score(table, node, use.limit);
  });
}

std::shared_ptr<const RuleLists> WeightedModel::rules(size_t number, uint32_t node) const {
  const grammar::GrammarUse& use = model_->grammars()[number];
  return rules_.get(uint64_t{number} << 32 | node, [&] {
    return use.limits.breadth > 0 ? score_rule_facts(number, node)
                                  : score_rules(use, node, {model_->words(), {}});
  });
}

/// Options that are not yet scored; they view the source and the rows.
OptionDrafts WeightedModel::draft_rules(const grammar::GrammarUse& use,
                                        std::span<const grammar::Symbol> source,
                                        const grammar::RuleRows& rows) const {
  OptionDrafts drafts(rows.size(), model_->prepared_size());
  for (size_t i = 0; i < rows.size(); ++i) {
    Option& option = drafts.options[i];
    option.rule = use.first_rule + rows.numbers[i];
    option.grammar = use.trie.get();
    option.source = source;
    option.words = rows.targets[i];
    option.alignment = rows.links[i];
    option.phrase = use.first_phrase + rows.numbers[i];
    option.border = rows.borders[i];
    option.is_counted = use.limits.is_counted;
  }
  return drafts;
}

std::shared_ptr<const RuleLists> WeightedModel::score_rules(const grammar::GrammarUse& use, uint32_t node,
                                                            const TargetWords& names) const {
  grammar::RuleRows rows = use.rules(node);
  const std::vector<grammar::Symbol> source = use.trie->source(node);
  OptionDrafts drafts = draft_rules(use, source, rows);
  std::vector<std::string_view> texts;
  for (size_t i = 0; i < rows.size(); ++i) {
    Option& option = drafts.options[i];
    option.pair_values = rows.values[i];
    if (i == 0) texts = source_texts(option);
    drafts.values.values.insert(drafts.values.values.end(), rows.values[i].begin(), rows.values[i].end());
    score_pair(option, texts, names, drafts.values.values);
    drafts.values.close();
  }
  drafts.words = std::move(rows.targets);
  drafts.links = std::move(rows.links);
  const std::vector<uint32_t> categories = distinct(rows.categories);
  const float most = most_expected();
  auto lists = std::make_shared<RuleLists>();
  lists->made.reserve(categories.size());  // lists must not move: options view their arrays
  for (const uint32_t category : categories) {
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < rows.size(); ++i)
      if (rows.categories[i] == category) order.push_back(i);
    drafts.choose(order, use.limits.rules, most, [&](Option& option) { expect(option, names); });
    lists->made.push_back({category, {}});
    OptionList& list = lists->made.back().list;
    list.source = source;
    drafts.keep(order, list);
  }
  return lists;
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

}  // namespace tunesmith::decode

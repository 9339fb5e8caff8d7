// Options of tables and grammars that are cut to a breadth: facts are computed once, and scored under the
// weights at hand. Of all options only the best are made.
#include <algorithm>
#include <numeric>

#include "tunesmith/decode/option_drafts.h"
#include "tunesmith/decode/weighted_model.h"

namespace tunesmith::decode {

namespace {

/// Adds values to facts, and stores them by model column, too.
class StoringSink : public FeatureSink {
 public:
  StoringSink(const DecoderModel& model, size_t first, FactSink& sink, std::vector<FeatureValue>& stored)
      : model_(model), first_(static_cast<uint32_t>(first)), sink_(sink), stored_(stored) {}
  void add(size_t column, float value) override {
    sink_.add(column, value);
    stored_.push_back({first_ + static_cast<uint32_t>(column), value});
  }
  void add(const weights::FeatureName& name, float value) override {
    sink_.add(name, value);
    stored_.push_back({model_.sparse_column(name), value});
  }

 private:
  const DecoderModel& model_;
  uint32_t first_;
  FactSink& sink_;
  std::vector<FeatureValue>& stored_;
};

float product(std::span<const float> weights, const float* values) {
  float sum = 0;
  for (size_t i = 0; i < weights.size(); ++i) sum += weights[i] * values[i];
  return sum;
}

}  // namespace

/// The facts of an option, except for the values that its grammar gives.
void WeightedModel::add_facts(const Option& option, std::span<const std::string_view> source,
                              const TargetWords& names, FactSink& sink, OptionFacts& facts) const {
  sink.begin(0, false);
  penalties_and_scores(option, sink);
  if (option.border != grammar::Border::kNone) return;  // sentence markers are not words
  for (const auto& part : model_->pair_features()) {
    sink.begin(part.first, false);
    if (part.feature->is_stored()) {
      StoringSink stored(*model_, part.first, sink, facts.stored.values);
      part.feature->values(option, source, names, stored);
    } else {
      part.feature->values(option, source, names, sink);
    }
  }
  for (const auto& part : model_->features()) {
    sink.begin(part.first, true);
    if (part.feature->has_estimate_values()) part.feature->estimate_values(option, names, sink);
  }
}

std::shared_ptr<const OptionFacts> WeightedModel::table_facts(size_t number, uint32_t node) const {
  const DecoderModel::Table& use = model_->tables()[number];
  const tables::PairRange range = use.pairs(node);
  auto facts = std::make_shared<OptionFacts>();
  facts->pairs.resize(range.size());
  std::iota(facts->pairs.begin(), facts->pairs.end(), range.begin);
  facts->source = use.table->source(node);
  const OptionDrafts drafts = draft_pairs(number, facts->pairs, facts->source);
  const TargetWords names{model_->words(), {}};
  const auto source =
      drafts.options.empty() ? std::vector<std::string_view>() : source_texts(drafts.options[0]);
  FactSink sink(fact_columns_, *facts);
  for (size_t i = 0; i < drafts.options.size(); ++i) {
    sink.begin_option();
    add_facts(drafts.options[i], source, names, sink, *facts);
    if (!use.sparse.empty()) {
      sink.begin(0, false);
      for (const tables::SparseScore& score : use.table->pair(facts->pairs[i], facts->source.size()).sparse) {
        const uint32_t column = model_->sparse_score_column(use, score.name);
        sink.add_key(model_->column_key(column), score.value);
        facts->stored.values.push_back({column, score.value});
      }
    }
    sink.end_option();
  }
  return facts;
}

std::shared_ptr<const OptionFacts> WeightedModel::rule_facts(const grammar::GrammarUse& use,
                                                             uint32_t node) const {
  auto facts = std::make_shared<OptionFacts>();
  facts->source = use.trie->source(node);
  facts->rules = use.rules(node);
  const Rows<FeatureValue> values = std::move(facts->rules.values);
  facts->rules.values = {};
  const OptionDrafts drafts = draft_rules(use, facts->source, facts->rules);
  const TargetWords names{model_->words(), {}};
  const auto source =
      drafts.options.empty() ? std::vector<std::string_view>() : source_texts(drafts.options[0]);
  FactSink sink(fact_columns_, *facts);
  for (size_t i = 0; i < drafts.options.size(); ++i) {
    sink.begin_option();
    sink.begin(0, false);
    for (const FeatureValue& value : values[i]) {
      if (value.column < model_->names().size())
        sink.add(value.column, value.value);
      else
        sink.add_key(model_->column_key(value.column), value.value);
      facts->stored.values.push_back(value);
    }
    add_facts(drafts.options[i], source, names, sink, *facts);
    sink.end_option();
  }
  return facts;
}

/// Adds the weighted sum of each row. Rows lie one after another, so that keys are known ahead of their use.
void WeightedModel::add_weighted(const Rows<KeyedValue>& rows, std::vector<float>& sums) const {
  constexpr size_t kAhead = 16;
  const std::vector<KeyedValue>& values = rows.values;
  for (size_t i = 0; i < std::min(kAhead, values.size()); ++i) sparse_->prefetch(values[i].key);
  size_t at = 0;
  for (size_t row = 0; row < rows.size(); ++row) {
    float sum = 0;
    for (; at < rows.offsets[row + 1]; ++at) {
      if (at + kAhead < values.size()) sparse_->prefetch(values[at + kAhead].key);
      sum += sparse_->weight_of(values[at].key) * values[at].value;
    }
    sums[row] += sum;
  }
}

/// The scores of all options by their facts. O(values).
std::vector<WeightedModel::Candidate> WeightedModel::candidates(const OptionFacts& facts) const {
  std::vector<float> scores(facts.count()), estimates(facts.count());
  const size_t width = score_weights_.size(), estimate_width = estimate_weights_.size();
  for (size_t i = 0; i < facts.count(); ++i) {
    scores[i] = product(score_weights_, facts.scores.data() + i * width);
    estimates[i] = product(estimate_weights_, facts.estimates.data() + i * estimate_width);
  }
  add_weighted(facts.sparse, scores);
  add_weighted(facts.sparse_estimates, estimates);
  std::vector<Candidate> result;
  result.reserve(facts.count());
  for (uint32_t i = 0; i < facts.count(); ++i) result.push_back({scores[i], scores[i] + estimates[i], i});
  return result;
}

/// Reduces candidates to those that may be among the best: if facts say all, to the best. Their order stays.
void WeightedModel::keep_likely(std::vector<Candidate>& candidates, size_t limit) const {
  if (needs_options_ || limit == 0 || candidates.size() <= limit) return;
  std::ranges::nth_element(candidates, candidates.begin() + static_cast<std::ptrdiff_t>(limit),
                           [](const Candidate& a, const Candidate& b) {
                             return a.sort_score != b.sort_score ? a.sort_score > b.sort_score
                                                                 : a.number < b.number;
                           });
  candidates.resize(limit);
  std::ranges::sort(candidates, {}, &Candidate::number);  // ties stay in the original order
}

/// Scores options that were made of candidates, and keeps the best of them in a list.
void WeightedModel::keep_best(const OptionFacts& facts, std::span<const Candidate> candidates, size_t limit,
                              OptionDrafts& drafts, const TargetWords& names, OptionList& list) const {
  const auto prepare = [&](const auto& part, Option& option) {
    const auto prepared = option.prepared.subspan(part.prepared, part.feature->prepared_size());
    return part.feature->prepare(option, names, weights(part), prepared);
  };
  for (size_t i = 0; i < candidates.size(); ++i) {
    Option& option = drafts.options[i];
    option.score = candidates[i].score;
    option.sort_score = candidates[i].sort_score;
    drafts.values.add(facts.stored[candidates[i].number]);
    option.pair_values = facts.stored[candidates[i].number];
    if (!needs_options_ || option.border != grammar::Border::kNone) continue;
    const float more = score_of_scores(option);
    option.score += more;
    option.sort_score += more;
    for (const auto& part : model_->features())
      if (!part.feature->has_lookahead() && !part.feature->has_estimate_values())
        option.sort_score += prepare(part, option);
  }
  std::vector<uint32_t> order(candidates.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) {
    return drafts.options[a].sort_score > drafts.options[b].sort_score;
  });
  if (limit > 0 && order.size() > limit) order.resize(limit);
  for (const uint32_t i : order) {
    Option& option = drafts.options[i];
    option.estimate = option.sort_score;
    if (option.border != grammar::Border::kNone) continue;
    for (const auto& part : model_->features())
      if (part.feature->has_lookahead()) option.estimate += prepare(part, option);
  }
  drafts.keep(order, list);
}

std::shared_ptr<OptionList> WeightedModel::score_facts(size_t number, uint32_t node) const {
  const auto facts =
      model_->facts().get(uint64_t{number} << 32 | node, [&] { return table_facts(number, node); });
  const size_t limit = model_->tables()[number].limit;
  std::vector<Candidate> found = candidates(*facts);
  keep_likely(found, limit);
  std::vector<uint32_t> pairs;
  for (const Candidate& candidate : found) pairs.push_back(facts->pairs[candidate.number]);
  auto list = std::make_shared<OptionList>();
  list->source = facts->source;
  OptionDrafts drafts = draft_pairs(number, pairs, list->source);
  keep_best(*facts, found, limit, drafts, {model_->words(), {}}, *list);
  return list;
}

std::shared_ptr<const RuleLists> WeightedModel::score_rule_facts(size_t number, uint32_t node) const {
  const grammar::GrammarUse& use = model_->grammars()[number];
  const uint64_t key = uint64_t{model_->tables().size() + number} << 32 | node;
  const auto facts = model_->facts().get(key, [&] { return rule_facts(use, node); });
  const std::vector<Candidate> found = candidates(*facts);
  std::vector<uint32_t> categories = facts->rules.categories;
  std::ranges::sort(categories);
  categories.erase(std::unique(categories.begin(), categories.end()), categories.end());
  auto lists = std::make_shared<RuleLists>();
  lists->made.reserve(categories.size());  // lists must not move: options view their arrays
  for (const uint32_t category : categories) {
    std::vector<Candidate> own;
    std::ranges::copy_if(found, std::back_inserter(own), [&](const Candidate& candidate) {
      return facts->rules.categories[candidate.number] == category;
    });
    keep_likely(own, use.limits.rules);
    grammar::RuleRows rows;
    std::vector<uint32_t> numbers;
    for (const Candidate& candidate : own) numbers.push_back(candidate.number);
    rows = grammar::chosen_rows(facts->rules, numbers);
    lists->made.push_back({category, {}});
    OptionList& list = lists->made.back().list;
    list.source = facts->source;
    OptionDrafts drafts = draft_rules(use, list.source, rows);
    drafts.words = std::move(rows.targets);
    drafts.links = std::move(rows.links);
    keep_best(*facts, own, use.limits.rules, drafts, {model_->words(), {}}, list);
  }
  return lists;
}

}  // namespace tunesmith::decode

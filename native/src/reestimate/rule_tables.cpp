#include "tunesmith/reestimate/rule_tables.h"

#include <algorithm>
#include <cmath>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/base/sequence_pool.h"
#include "tunesmith/grammar/rule_table_builder.h"
#include "tunesmith/grammar/rule_text.h"

namespace tunesmith::reestimate {

using grammar::RuleTable;
using grammar::Symbol;

namespace {

/// -log10 of no probability, as in grammars of cdec.
constexpr double kNoProbability = 99;

double probability_of(double stored, RuleScore kind) {
  if (kind == RuleScore::kLog) return stored <= grammar::kLeastRuleLog ? 0 : std::exp(stored);
  return stored >= kNoProbability ? 0 : std::pow(10.0, -stored);
}

float stored_as(double probability, RuleScore kind) {
  if (kind == RuleScore::kLog)
    return static_cast<float>(std::max(std::log(probability), grammar::kLeastRuleLog));
  return static_cast<float>(probability > 0 ? 0.0 - std::log10(probability) : kNoProbability);
}

/// The numbers of the words of one vocabulary in another; -1 if it lacks them.
std::vector<int32_t> numbers_in(const corpus::VocabularyView& words, const corpus::VocabularyView& other) {
  std::vector<int32_t> numbers;
  for (size_t i = 0; i < words.size(); ++i) numbers.push_back(other.find(words.words()[i]));
  return numbers;
}

/// Calls body(node, source side) for each node with rules, by the length of source sides.
template <class Body>
void for_each_side(const RuleTable& table, Body body) {
  std::vector<Symbol> side;
  for (uint32_t node = 1; node < table.nodes(); ++node) {
    const auto [first, last] = table.rules_of(node);
    if (first == last) continue;
    side.clear();
    for (uint32_t at = node; at != RuleTable::kRoot; at = table.parent(at)) side.push_back(table.symbol(at));
    std::ranges::reverse(side);
    body(node, std::span<const Symbol>(side));
  }
}

/// Copies rules of tables into a new one, whose words are those that its rules have.
class RuleCopy {
 public:
  explicit RuleCopy(const RuleTable& table)
      : table_(table), sources_(table.source_words().size(), -1), targets_(table.target_words().size(), -1) {
    for (size_t i = 0; i < table.feature_names().size(); ++i)
      columns_.push_back(builder_.names.intern(table.feature_names()[i]));
  }

  /// Adds a rule of the table with other values and counts.
  void add(std::span<const Symbol> side, uint64_t rule, std::span<const float> values,
           std::span<const float> counts) {
    renumber(side, table_.source_words(), sources_, builder_.source_words, source_);
    renumber(table_.target(rule), table_.target_words(), targets_, builder_.target_words, target_);
    links_.clear();
    for (const grammar::PackedLink link : table_.links(rule)) links_.push_back({link.source, link.target});
    builder_.add({source_, target_, links_}, columns_, values, counts);
  }
  uint64_t size() const { return builder_.size(); }
  void write(const std::string& path, const std::string& meta) const { builder_.write(path, meta); }

 private:
  static void renumber(std::span<const Symbol> side, const corpus::VocabularyView& words,
                       std::vector<int32_t>& numbers, corpus::Vocabulary& own, std::vector<Symbol>& out) {
    out.clear();
    for (const Symbol symbol : side) {
      if (grammar::is_gap(symbol)) {
        out.push_back(symbol);
        continue;
      }
      int32_t& number = numbers[static_cast<size_t>(symbol)];
      if (number < 0) number = own.intern(words.word(symbol));
      out.push_back(number);
    }
  }

  const RuleTable& table_;
  grammar::RuleTableBuilder builder_;
  std::vector<int32_t> sources_, targets_, columns_;
  std::vector<Symbol> source_, target_;
  std::vector<corpus::Link> links_;
};

/// The counts that a table has of source sides, and of target sides regardless of which gap is which, found
/// by the words of another table.
class SideCounts {
 public:
  SideCounts(const RuleTable& table, const RuleTable& other) {
    const auto sources = numbers_in(table.source_words(), other.source_words());
    const auto targets = numbers_in(table.target_words(), other.target_words());
    for_each_side(table, [&](uint32_t node, std::span<const Symbol> side) {
      const auto [first, last] = table.rules_of(node);
      for (uint64_t rule = first; rule < last; ++rule) {
        const auto counts = table.counts(rule);
        if (counts.empty()) return;
        add(side, sources, counts[1], sources_, source_counts_);
        add(table.target(rule), targets, counts[0], targets_, target_counts_);
      }
    });
  }
  float of_source(std::span<const Symbol> side) { return count(side, sources_, source_counts_); }
  float of_target(std::span<const Symbol> side) { return count(side, targets_, target_counts_); }

 private:
  void add(std::span<const Symbol> side, const std::vector<int32_t>& numbers, float counted,
           SequencePool<Symbol>& pool, std::vector<float>& counts) {
    key_.clear();
    for (const Symbol symbol : side)
      key_.push_back(grammar::is_gap(symbol) ? grammar::gap_symbol(0) : numbers[static_cast<size_t>(symbol)]);
    if (pool.intern(key_) == counts.size()) counts.push_back(counted);
  }
  float count(std::span<const Symbol> side, const SequencePool<Symbol>& pool,
              const std::vector<float>& counts) {
    key_.clear();
    for (const Symbol symbol : side)
      key_.push_back(grammar::is_gap(symbol) ? grammar::gap_symbol(0) : symbol);
    const uint32_t number = pool.find(key_);
    return number == SequencePool<Symbol>::kUnknown ? 0 : counts[number];
  }

  SequencePool<Symbol> sources_, targets_;
  std::vector<float> source_counts_, target_counts_;
  std::vector<Symbol> key_;
};

std::string shown_side(std::span<const Symbol> side, const corpus::VocabularyView& words) {
  std::string text;
  for (const Symbol symbol : side) {
    if (!text.empty()) text += ' ';
    text += grammar::is_gap(symbol) ? "[X," + std::to_string(-symbol) + "]" : std::string(words.word(symbol));
  }
  return text;
}

}  // namespace

std::vector<uint64_t> find_rules(const RuleTable& table, const RuleTable& other) {
  const auto sources = numbers_in(table.source_words(), other.source_words());
  const auto targets = numbers_in(other.target_words(), table.target_words());
  std::vector<uint64_t> found(table.rules(), kNoRuleSource), numbers;
  SequencePool<Symbol> sides;
  std::vector<Symbol> side;
  for_each_side(table, [&](uint32_t node, std::span<const Symbol> source) {
    uint32_t there = RuleTable::kRoot;
    for (const Symbol symbol : source) {
      const Symbol number = grammar::is_gap(symbol) ? symbol : sources[static_cast<size_t>(symbol)];
      const bool is_known = grammar::is_gap(symbol) || number >= 0;
      there = is_known ? other.child(there, number) : RuleTable::kNoNode;
      if (there == RuleTable::kNoNode) return;
    }
    const auto [first, last] = other.rules_of(there);
    if (first == last) return;
    sides.clear();
    numbers.clear();
    for (uint64_t rule = first; rule < last; ++rule) {
      side.clear();
      bool is_known = true;
      for (const Symbol symbol : other.target(rule)) {
        side.push_back(grammar::is_gap(symbol) ? symbol : targets[static_cast<size_t>(symbol)]);
        is_known = is_known && (grammar::is_gap(symbol) || side.back() >= 0);
      }
      if (is_known && sides.intern(side) == numbers.size()) numbers.push_back(rule);
    }
    const auto [begin, end] = table.rules_of(node);
    for (uint64_t rule = begin; rule < end; ++rule) {
      const uint32_t number = sides.find(table.target(rule));
      found[rule] = number == SequencePool<Symbol>::kUnknown ? kNoRule : numbers[number];
    }
  });
  return found;
}

uint64_t write_frequent_rules(const RuleTable& table, double least_count, const std::string& path,
                              const std::string& meta) {
  RuleCopy copy(table);
  for_each_side(table, [&](uint32_t node, std::span<const Symbol> side) {
    const auto [first, last] = table.rules_of(node);
    for (uint64_t rule = first; rule < last; ++rule) {
      const auto counts = table.counts(rule);
      if (counts.empty())
        throw InputError("has no counts of its rules, so that rare ones cannot be removed",
                         table.container().path());
      if (counts[2] >= least_count) copy.add(side, rule, table.features(rule), counts);
    }
  });
  copy.write(path, meta);
  return copy.size();
}

void write_reestimated_rules(const RuleTable& uses, const RuleTable& baseline,
                             std::span<const int32_t> columns, const std::string& path,
                             const std::string& meta) {
  const auto used = find_rules(baseline, uses);
  std::vector<uint8_t> is_found(uses.rules(), 0);
  RuleCopy copy(baseline);
  std::vector<float> values;
  for_each_side(baseline, [&](uint32_t node, std::span<const Symbol> side) {
    const auto [first, last] = baseline.rules_of(node);
    for (uint64_t rule = first; rule < last; ++rule) {
      if (used[rule] >= kNoRuleSource) continue;
      is_found[used[rule]] = 1;
      const auto kept = baseline.features(rule), fresh = uses.features(used[rule]);
      values.assign(kept.begin(), kept.end());
      for (size_t i = 0; i < values.size(); ++i)
        if (columns[i] >= 0) values[i] = fresh[static_cast<size_t>(columns[i])];
      copy.add(side, rule, values, uses.counts(used[rule]));
    }
  });
  for_each_side(uses, [&](uint32_t node, std::span<const Symbol> side) {
    const auto [first, last] = uses.rules_of(node);
    for (uint64_t rule = first; rule < last; ++rule)
      if (!is_found[rule])
        throw InputError(
            "has no rule " + quoted(shown_side(side, uses.source_words())) + " ||| " +
                quoted(shown_side(uses.target(rule), uses.target_words())) +
                ", which a derivation uses; expected the model that the derivations were made with",
            baseline.container().path());
  });
  copy.write(path, meta);
}

void interpolate_rules(const RuleTable& reestimated, const RuleTable& baseline, double weight,
                       std::span<const RuleScore> kinds, const std::string& path, const std::string& meta) {
  const auto found = find_rules(baseline, reestimated);
  SideCounts added(reestimated, baseline);
  RuleCopy copy(baseline);
  std::vector<float> values, counts;
  for_each_side(baseline, [&](uint32_t node, std::span<const Symbol> side) {
    const auto [first, last] = baseline.rules_of(node);
    for (uint64_t rule = first; rule < last; ++rule) {
      const auto kept = baseline.features(rule), counted = baseline.counts(rule);
      const bool is_new = found[rule] < kNoRuleSource;
      values.assign(kept.begin(), kept.end());
      counts.assign(counted.begin(), counted.end());
      for (size_t i = 0; i < values.size(); ++i) {
        if (kinds[i] == RuleScore::kOther) continue;
        const double fresh = is_new ? probability_of(reestimated.features(found[rule])[i], kinds[i]) : 0;
        values[i] = stored_as(weight * fresh + (1 - weight) * probability_of(kept[i], kinds[i]), kinds[i]);
      }
      if (!counts.empty()) {
        counts[0] += added.of_target(baseline.target(rule));
        counts[1] += added.of_source(side);
        // A use does not show that another sentence has the rule: what was seen once stays so.
        if (is_new && counts[2] > 1 && !reestimated.counts(found[rule]).empty())
          counts[2] += reestimated.counts(found[rule])[2];
      }
      copy.add(side, rule, values, counts);
    }
  });
  copy.write(path, meta);
}

std::vector<double> matched_rule_scores(const RuleTable& rules, std::span<const RuleTable* const> among,
                                        size_t column, RuleScore kind) {
  const size_t width = among.size() + 1;
  std::vector<double> rows(rules.rules() * width);
  for (uint64_t rule = 0; rule < rules.rules(); ++rule)
    rows[rule * width] = rules.counts(rule).empty() ? 1 : rules.counts(rule)[2];
  for (size_t i = 0; i < among.size(); ++i) {
    const auto found = find_rules(rules, *among[i]);
    for (uint64_t rule = 0; rule < rules.rules(); ++rule) {
      double& value = rows[rule * width + i + 1];
      if (found[rule] < kNoRuleSource)
        value = probability_of(among[i]->features(found[rule])[column], kind);
      else if (found[rule] == kNoRuleSource)
        value = -1;
    }
  }
  return rows;
}

}  // namespace tunesmith::reestimate

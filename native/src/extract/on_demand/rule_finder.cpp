#include "tunesmith/extract/on_demand/rule_finder.h"

#include <algorithm>

namespace tunesmith::extract::on_demand {

namespace {

bool any_of(std::span<const int64_t> excluded, const std::vector<uint32_t>& sentences) {
  return std::any_of(excluded.begin(), excluded.end(), [&](int64_t sentence) {
    return std::binary_search(sentences.begin(), sentences.end(), static_cast<uint32_t>(sentence));
  });
}

}  // namespace

RuleFinder::RuleFinder(const SuffixIndex& index, const rules::LinkLexicon& lexicon, PatternSide side,
                       const FinderOptions& options, std::span<const int64_t> excluded)
    : index_(index),
      lexicon_(lexicon),
      side_(side),
      here_(side == PatternSide::kSource ? index.source() : index.target()),
      options_(options),
      excluded_(here_.starts, excluded),
      cache_(options.cache_bytes) {
  give_back(borrow());  // so that invalid limits throw here, not at the first sentence
}

std::unique_ptr<RuleFinder::Worker> RuleFinder::borrow() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto worker = std::move(idle_.back());
      idle_.pop_back();
      return worker;
    }
  }
  const rules::RuleLimits limits =
      side_ == PatternSide::kSource ? options_.limits : turned_limits(options_.limits);
  return std::make_unique<Worker>(
      PatternIndex(here_, limits, options_.samples, options_.scan_limit),
      PatternRuleExtractor(index_, lexicon_, options_.limits, side_, options_.breadth));
}

void RuleFinder::give_back(std::unique_ptr<Worker> worker) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(worker));
}

std::vector<RuleFinder::Rules> RuleFinder::find(std::span<const Pattern> patterns,
                                                std::span<const int64_t> excluded) {
  std::vector<Rules> rules(patterns.size());
  std::vector<size_t> missing;
  for (size_t p = 0; p < patterns.size(); ++p) {
    rules[p] = cache_.find(patterns[p]);
    if (rules[p] == nullptr) missing.push_back(p);
  }
  extract(patterns, missing, excluded_, rules);
  for (const size_t p : missing) cache_.put(patterns[p], rules[p]);
  if (excluded.empty()) return rules;

  // Samples without occurrences in the excluded sentences remain valid; see Sample.
  const ExcludedText all = excluded_.joined(ExcludedText(here_.starts, excluded));
  std::vector<size_t> stale;
  for (size_t p = 0; p < patterns.size(); ++p)
    if (any_of(excluded, rules[p]->sentences)) stale.push_back(p);
  extract(patterns, stale, all, rules);
  return rules;
}

void RuleFinder::extract(std::span<const Pattern> patterns, std::span<const size_t> rows,
                         const ExcludedText& excluded, std::vector<Rules>& rules) {
  if (rows.empty()) return;
  std::vector<Pattern> requested;
  for (const size_t row : rows) requested.push_back(patterns[row]);
  auto worker = borrow();
  std::vector<std::vector<Occurrence>> samples;
  worker->patterns.find(requested, excluded, samples);
  for (size_t i = 0; i < rows.size(); ++i)
    rules[rows[i]] = std::make_shared<const PatternRules>(worker->rules.extract(requested[i], samples[i]));
  give_back(std::move(worker));
}

}  // namespace tunesmith::extract::on_demand

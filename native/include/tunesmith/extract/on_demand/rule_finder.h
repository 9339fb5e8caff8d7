// Cached look-up of the rules of patterns.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "tunesmith/extract/on_demand/pattern_cache.h"
#include "tunesmith/extract/on_demand/pattern_rules.h"
#include "tunesmith/extract/rules/limits.h"

namespace tunesmith::extract::on_demand {

struct FinderOptions {
  rules::RuleLimits limits;
  size_t samples = 300;  // sampled occurrences per pattern; 0: all
  size_t cache_bytes = size_t{1} << 30;
  size_t scan_limit = 0;  // occurrences scanned of the rarest chunk of a pattern with gaps; 0: all
  size_t breadth = 0;     // see PatternRuleExtractor
};

/// Finds the rules of patterns of one side. Results depend only on the index, the options and the pattern,
/// not on earlier calls. Thread-safe.
class RuleFinder {
 public:
  using Rules = std::shared_ptr<const PatternRules>;

  /// The index and the lexicon must outlive it. Rules are not extracted from the excluded sentences of the
  /// bitext.
  RuleFinder(const SuffixIndex& index, const rules::LinkLexicon& lexicon, PatternSide side,
             const FinderOptions& options, std::span<const int64_t> excluded);

  /// The rules of each pattern; excludes the sentences `excluded` too.
  std::vector<Rules> find(std::span<const Pattern> patterns, std::span<const int64_t> excluded);

 private:
  struct Worker {
    PatternIndex patterns;
    PatternRuleExtractor rules;
  };
  std::unique_ptr<Worker> borrow();
  void give_back(std::unique_ptr<Worker> worker);
  void extract(std::span<const Pattern> patterns, std::span<const size_t> rows, const ExcludedText& excluded,
               std::vector<Rules>& rules);

  const SuffixIndex& index_;
  const rules::LinkLexicon& lexicon_;
  const PatternSide side_;
  const IndexSide& here_;
  FinderOptions options_;
  ExcludedText excluded_;
  PatternCache cache_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace tunesmith::extract::on_demand

// On-demand extraction of per-sentence grammars from samples of a suffix-array-indexed bitext (Lopez 2007).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tunesmith/extract/on_demand/grammar.h"
#include "tunesmith/extract/on_demand/rule_finder.h"
#include "tunesmith/extract/on_demand/sentence_patterns.h"
#include "tunesmith/extract/rules/limits.h"

namespace tunesmith::extract::on_demand {

struct GrammarOptions {
  rules::RuleLimits limits;
  size_t samples = 300;         // sampled occurrences per source pattern; 0: all
  bool target_counts = false;   // look up target sides too, for p(f|e)
  size_t target_samples = 100;  // sampled occurrences per target pattern; 0: all
  size_t breadth = 0;           // target sides kept per source side, see PatternRuleExtractor; 0: all
  size_t cache_bytes = size_t{1} << 30;
};

/// Extracts grammars of sentences, with a cache of rules by pattern. A grammar depends only on the index, the
/// options and its own sentence: not on other sentences, threads or the cache.
class GrammarExtractor {
 public:
  /// The index must outlive it, and have both sides if target counts are requested. Neither rules nor lexical
  /// costs come from the excluded sentences of the bitext; if there are any, the links of all others are
  /// counted again, O(links log links).
  GrammarExtractor(const SuffixIndex& index, const GrammarOptions& options,
                   std::span<const int64_t> excluded = {});

  /// The grammar of a sentence, given by numbers of the source vocabulary (-1 for unknown words); excludes
  /// the sentences `excluded` too, but their links count in lexical costs. Thread-safe.
  Grammar extract(std::span<const int32_t> words, std::span<const int64_t> excluded = {});

  const SuffixIndex& index() const { return index_; }
  /// Of the sentences that are not excluded.
  const rules::LinkLexicon& lexicon() const { return own_slots_.empty() ? index_.lexicon() : own_lexicon_; }

 private:
  const SuffixIndex& index_;
  GrammarOptions options_;
  std::vector<rules::LinkLexicon::Entry> own_slots_;  // empty if nothing is excluded
  rules::LinkLexicon own_lexicon_;
  RuleFinder sources_;
  std::unique_ptr<RuleFinder> targets_;
};

/// The grammars of sentences, in parallel; excluded[i], unless `excluded` is empty, lists the sentences to
/// exclude for sentence i.
std::vector<Grammar> extract_grammars(GrammarExtractor& extractor, const corpus::Sentences& sentences,
                                      std::span<const std::vector<int64_t>> excluded, int threads);

}  // namespace tunesmith::extract::on_demand

// Grammars on demand: the rules that can translate one sentence, from a sample of the bitext (Lopez 2007).
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "tunesmith/grammar.h"
#include "tunesmith/pattern_cache.h"
#include "tunesmith/sentence_patterns.h"

namespace tunesmith {

struct GrammarOptions {
  RuleLimits limits;
  size_t samples = 300;  // places of a pattern that are looked at; 0 is all
  size_t cache_bytes = size_t{1} << 30;
};

/// Extracts grammars of sentences. Rules of patterns are kept for the next sentence that has them. A grammar
/// depends on the index, the options and its own sentence only: not on other sentences, threads or the cache.
class GrammarExtractor {
 public:
  /// The index must outlive it. Nothing is learned from the excluded sentences of the bitext.
  GrammarExtractor(const SuffixIndex& index, const GrammarOptions& options,
                   std::span<const int64_t> excluded = {});

  /// The grammar of a sentence of words of the source vocabulary, -1 for others; nothing is learned from the
  /// sentences `excluded` either.
  Grammar extract(std::span<const int32_t> words, std::span<const int64_t> excluded = {});

 private:
  struct Worker {
    PatternIndex patterns;
    PatternRuleExtractor rules;
  };
  using Rules = std::shared_ptr<const PatternRules>;

  std::unique_ptr<Worker> borrow();
  void give_back(std::unique_ptr<Worker> worker);
  std::vector<Rules> rules_of(std::span<const SentencePattern> round, std::span<const int64_t> excluded,
                              Worker& worker);
  void extract_missing(std::span<const SentencePattern> round, std::span<const size_t> missing,
                       const ExcludedText& excluded, Worker& worker, std::vector<Rules>& rules);

  const SuffixIndex& index_;
  GrammarOptions options_;
  ExcludedText excluded_;
  PatternCache cache_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> idle_;
};

/// The grammars of sentences, on threads; excluded[i], if there are any, holds what sentence i excludes.
std::vector<Grammar> extract_grammars(GrammarExtractor& extractor, const Sentences& sentences,
                                      std::span<const std::vector<int64_t>> excluded, int threads);

}  // namespace tunesmith

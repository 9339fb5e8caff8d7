// Grammars on demand: the rules that can translate one sentence, from a sample of the bitext (Lopez 2007).
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
  size_t samples = 300;         // places of a source pattern that are looked at; 0 is all
  bool target_counts = false;   // look up target sides too, for p(f|e)
  size_t target_samples = 100;  // places of a target pattern; 0 is all
  size_t cache_bytes = size_t{1} << 30;
};

/// Extracts grammars of sentences. Rules of patterns are kept for the next sentence that has them. A grammar
/// depends on the index, the options and its own sentence only: not on other sentences, threads or the cache.
class GrammarExtractor {
 public:
  /// The index must outlive it, and have both sides where target counts are asked for. Nothing is learned
  /// from the excluded sentences of the bitext.
  GrammarExtractor(const SuffixIndex& index, const GrammarOptions& options,
                   std::span<const int64_t> excluded = {});

  /// The grammar of a sentence of words of the source vocabulary, -1 for others; nothing is learned from the
  /// sentences `excluded` either. May be called by threads at once.
  Grammar extract(std::span<const int32_t> words, std::span<const int64_t> excluded = {});

 private:
  const SuffixIndex& index_;
  GrammarOptions options_;
  RuleFinder sources_;
  std::unique_ptr<RuleFinder> targets_;
};

/// The grammars of sentences, on threads; excluded[i], if there are any, holds what sentence i excludes.
std::vector<Grammar> extract_grammars(GrammarExtractor& extractor, const corpus::Sentences& sentences,
                                      std::span<const std::vector<int64_t>> excluded, int threads);

}  // namespace tunesmith::extract::on_demand

#include "tunesmith/grammar_extraction.h"

#include <algorithm>

#include "tunesmith/errors.h"
#include "tunesmith/parallel.h"

namespace tunesmith {

namespace {

bool any_of(std::span<const int64_t> excluded, const std::vector<uint32_t>& sentences) {
  return std::any_of(excluded.begin(), excluded.end(), [&](int64_t sentence) {
    return std::binary_search(sentences.begin(), sentences.end(), static_cast<uint32_t>(sentence));
  });
}

}  // namespace

GrammarExtractor::GrammarExtractor(const SuffixIndex& index, const GrammarOptions& options,
                                   std::span<const int64_t> excluded)
    : index_(index),
      options_(options),
      excluded_(index.source().starts, excluded),
      cache_(options.cache_bytes) {
  give_back(borrow());  // bad limits throw here, not at the first sentence
}

std::unique_ptr<GrammarExtractor::Worker> GrammarExtractor::borrow() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto worker = std::move(idle_.back());
      idle_.pop_back();
      return worker;
    }
  }
  return std::make_unique<Worker>(PatternIndex(index_.source(), options_.limits, options_.samples),
                                  PatternRuleExtractor(index_, options_.limits));
}

void GrammarExtractor::give_back(std::unique_ptr<Worker> worker) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(worker));
}

Grammar GrammarExtractor::extract(std::span<const int32_t> words, std::span<const int64_t> excluded) {
  auto worker = borrow();
  SentencePatterns patterns(index_.source(), options_.limits, words);
  Grammar grammar;
  for (int chunks = 1; chunks <= options_.limits.max_gaps + 1; ++chunks) {
    const auto round = patterns.of_chunks(chunks);
    const auto rules = rules_of(round, excluded, *worker);
    for (size_t p = 0; p < round.size(); ++p) {
      if (chunks == 2 && rules[p]->occurs) patterns.note(round[p].pattern);
      const Grammar& found = rules[p]->grammar;
      for (size_t side = 0; side < found.sides(); ++side)
        if ((round[p].sides >> side & 1) != 0 && found.rules[side] < found.rules[side + 1])
          grammar.append(found, side);
    }
  }
  give_back(std::move(worker));
  return grammar;
}

std::vector<GrammarExtractor::Rules> GrammarExtractor::rules_of(std::span<const SentencePattern> round,
                                                                std::span<const int64_t> excluded,
                                                                Worker& worker) {
  std::vector<Rules> rules(round.size());
  std::vector<size_t> missing;
  for (size_t p = 0; p < round.size(); ++p) {
    rules[p] = cache_.find(round[p].pattern);
    if (rules[p] == nullptr) missing.push_back(p);
  }
  extract_missing(round, missing, excluded_, worker, rules);
  for (const size_t p : missing) cache_.put(round[p].pattern, rules[p]);
  if (excluded.empty()) return rules;

  // A sample without any place in the excluded sentences is the sample without those sentences.
  std::vector<size_t> stale;
  for (size_t p = 0; p < round.size(); ++p)
    if (any_of(excluded, rules[p]->sentences)) stale.push_back(p);
  const ExcludedText all = excluded_.joined(ExcludedText(index_.source().starts, excluded));
  extract_missing(round, stale, all, worker, rules);
  return rules;
}

void GrammarExtractor::extract_missing(std::span<const SentencePattern> round,
                                       std::span<const size_t> missing, const ExcludedText& excluded,
                                       Worker& worker, std::vector<Rules>& rules) {
  std::vector<Pattern> patterns;
  for (const size_t p : missing) patterns.push_back(round[p].pattern);
  std::vector<std::vector<Occurrence>> samples;
  worker.patterns.find(patterns, excluded, samples);
  for (size_t i = 0; i < missing.size(); ++i)
    rules[missing[i]] = std::make_shared<const PatternRules>(worker.rules.extract(patterns[i], samples[i]));
}

std::vector<Grammar> extract_grammars(GrammarExtractor& extractor, const Sentences& sentences,
                                      std::span<const std::vector<int64_t>> excluded, int threads) {
  if (!excluded.empty() && excluded.size() != sentences.size())
    throw InputError("found " + std::to_string(excluded.size()) + " lists of excluded sentences for " +
                     std::to_string(sentences.size()) + " sentences; expected one for each");
  std::vector<Grammar> grammars(sentences.size());
  parallel_chunks(sentences.size(), 1, threads, [&](size_t i, size_t, size_t) {
    grammars[i] =
        extractor.extract(sentences[i], excluded.empty() ? std::span<const int64_t>() : excluded[i]);
  });
  return grammars;
}

}  // namespace tunesmith

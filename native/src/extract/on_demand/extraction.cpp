#include "tunesmith/extract/on_demand/extraction.h"

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/extract/on_demand/target_counts.h"

namespace tunesmith::extract::on_demand {

namespace {

/// Occurrences scanned of the rarest chunk, per sample of a target pattern with gaps: target sides are many,
/// and all are known to occur, so that missing a rare one only affects an estimate.
constexpr size_t kScansPerSample = 100;

/// The slots of the lexicon of the sentences that are not excluded; none if all are included.
std::vector<rules::LinkLexicon::Entry> remaining_slots(const SuffixIndex& index,
                                                       std::span<const int64_t> excluded) {
  if (excluded.empty()) return {};
  const ExcludedText left_out(index.source().starts, excluded);
  rules::LinkCounter counter(index.alignments().links.size());
  for (size_t i = 0; i < index.size(); ++i)
    if (!left_out.contains(index.source().starts[i]))
      counter.add(index.source().sentence(i), index.target().sentence(i), index.alignments()[i]);
  return counter.slots(index.source().vocabulary.size(), index.target().vocabulary.size());
}

}  // namespace

GrammarExtractor::GrammarExtractor(const SuffixIndex& index, const GrammarOptions& options,
                                   std::span<const int64_t> excluded)
    : index_(index),
      options_(options),
      own_slots_(remaining_slots(index, excluded)),
      own_lexicon_(own_slots_.empty() ? rules::LinkLexicon() : rules::LinkLexicon(own_slots_)),
      sources_(index, lexicon(), PatternSide::kSource,
               FinderOptions{options.limits, options.samples, options.cache_bytes, 0, options.breadth},
               excluded) {
  if (!options.target_counts) return;
  if (!index.both_sides())
    throw InputError(index.path() +
                     ": has no suffix array of the target side, which p(f|e) needs; build it with "
                     "both sides");
  targets_ =
      std::make_unique<RuleFinder>(index, lexicon(), PatternSide::kTarget,
                                   FinderOptions{options.limits, options.target_samples, options.cache_bytes,
                                                 kScansPerSample * options.target_samples},
                                   excluded);
}

Grammar GrammarExtractor::extract(std::span<const int32_t> words, std::span<const int64_t> excluded) {
  SentencePatterns patterns(index_.source(), options_.limits, words);
  Grammar grammar;
  for (int chunks = 1; chunks <= options_.limits.max_gaps + 1; ++chunks) {
    const auto round = patterns.of_chunks(chunks);
    const auto rules = sources_.find(round.patterns, excluded);
    for (size_t p = 0; p < rules.size(); ++p) {
      if (chunks == 2 && rules[p]->occurs) patterns.note(round.patterns[p]);
      const Grammar& found = rules[p]->grammar;
      for (size_t side = 0; side < found.sides(); ++side)
        if ((round.sides[p] >> side & 1) != 0 && found.rules[side] < found.rules[side + 1])
          grammar.append(found, side);
    }
  }
  if (targets_ != nullptr) count_targets(*targets_, options_.limits, excluded, grammar);
  return grammar;
}

std::vector<Grammar> extract_grammars(GrammarExtractor& extractor, const corpus::Sentences& sentences,
                                      std::span<const std::vector<int64_t>> excluded, int threads) {
  if (excluded.size() != sentences.size())
    throw InputError("found " + std::to_string(excluded.size()) + " lists of excluded sentences for " +
                     std::to_string(sentences.size()) + " sentences; expected one per sentence");
  std::vector<Grammar> grammars(sentences.size());
  parallel_chunks(sentences.size(), 1, threads, [&](size_t i, size_t, size_t) {
    grammars[i] = extractor.extract(sentences[i], excluded[i]);
  });
  return grammars;
}

}  // namespace tunesmith::extract::on_demand

#include "tunesmith/reestimate/reestimated_table.h"

#include <algorithm>
#include <string>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/base/sequence_pool.h"
#include "tunesmith/tables/filter.h"

namespace tunesmith::reestimate {

using tables::PairRange;
using tables::PhraseTable;

namespace {

std::string joined(std::span<const int32_t> words, const corpus::VocabularyView& vocabulary) {
  std::string text;
  for (const int32_t word : words) {
    if (!text.empty()) text += ' ';
    text += vocabulary.word(word);
  }
  return text;
}

[[noreturn]] void throw_missing(const PhraseTable& table, std::span<const int32_t> source, uint32_t pair,
                                const PhraseTable& baseline) {
  const auto target = table.target_phrase(table.target(pair));
  throw InputError("has no pair " + quoted(joined(source, table.source_words())) + " ||| " +
                       quoted(joined(target, table.target_words())) +
                       ", which a derivation uses; expected the model that the derivations were made with",
                   baseline.path());
}

}  // namespace

std::vector<uint32_t> find_pairs(const PhraseTable& table, const PhraseTable& other) {
  const auto source_numbers = tables::translate_words(table.source_words().words(), other.source_words());
  const auto target_numbers = tables::translate_words(other.target_words().words(), table.target_words());
  std::vector<uint32_t> found(table.pair_count(), PhraseTable::kNone);
  SequencePool<int32_t> targets;
  std::vector<uint32_t> numbers;  // in the other table, of each phrase of `targets`
  std::vector<int32_t> words;
  for (uint32_t node = 1; node < table.node_count(); ++node) {
    const PairRange own = table.pairs(node);
    if (own.empty()) continue;
    words = table.source(node);
    for (int32_t& word : words) word = source_numbers[static_cast<size_t>(word)];
    const PairRange there = other.find(words);
    if (there.empty()) std::fill(found.begin() + own.begin, found.begin() + own.end, kNoSource);
    targets.clear();
    numbers.clear();
    for (uint32_t pair = there.begin; pair < there.end; ++pair) {
      words.clear();
      for (const int32_t word : other.target_phrase(other.target(pair)))
        words.push_back(target_numbers[static_cast<size_t>(word)]);
      if (targets.intern(words) == numbers.size()) numbers.push_back(pair);
    }
    for (uint32_t pair = own.begin; pair < own.end; ++pair) {
      const uint32_t number = targets.find(table.target_phrase(table.target(pair)));
      if (number != SequencePool<int32_t>::kUnknown) found[pair] = numbers[number];
    }
  }
  return found;
}

void write_reestimated(const TableParts& parts, tables::PhraseSink& sink) {
  const PhraseTable &uses = parts.uses, &baseline = parts.baseline, &oriented = parts.orientations;
  if (baseline.sparse_names().size() > 0)
    throw InputError("has sparse scores, which cannot be re-estimated", baseline.path());
  if (parts.replaced.size() != baseline.score_count() || parts.unseen.size() != oriented.reordering_count())
    throw InputError("the columns of a re-estimated table do not fit its parts");
  const auto in_baseline = find_pairs(uses, baseline);
  const auto in_oriented = &oriented == &uses ? std::vector<uint32_t>() : find_pairs(uses, oriented);
  std::vector<float> scores(baseline.score_count());
  for (uint32_t node = 1; node < uses.node_count(); ++node) {
    const PairRange pairs = uses.pairs(node);
    if (pairs.empty()) continue;
    const auto source = uses.source(node);
    sink.begin_source(source);
    for (uint32_t pair = pairs.begin; pair < pairs.end; ++pair) {
      if (in_baseline[pair] >= kNoSource) throw_missing(uses, source, pair, baseline);
      tables::ScoredPhrase phrase = uses.pair(pair, source.size());
      const tables::ScoredPhrase kept = baseline.pair(in_baseline[pair], source.size());
      for (size_t i = 0; i < scores.size(); ++i)
        scores[i] =
            parts.replaced[i] < 0 ? kept.scores[i] : phrase.scores[static_cast<size_t>(parts.replaced[i])];
      const uint32_t there = in_oriented.empty() ? pair : in_oriented[pair];
      phrase.reordering = there >= kNoSource ? parts.unseen : oriented.pair(there, source.size()).reordering;
      phrase.scores = scores;
      phrase.alignment = kept.alignment;
      sink.add(phrase);
    }
  }
}

}  // namespace tunesmith::reestimate

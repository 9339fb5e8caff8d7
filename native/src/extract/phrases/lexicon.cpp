#include "tunesmith/extract/phrases/lexicon.h"

#include <algorithm>
#include <bit>
#include <string>
#include <tuple>
#include <unordered_map>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"

namespace tunesmith::extract::phrases {

namespace {

constexpr size_t kLexiconChunk = 1 << 14;

struct WordPair {
  int32_t source, target, fold;
  int64_t count;

  auto key() const { return std::tie(source, target, fold); }
};

void sort_and_sum(std::vector<WordPair>& pairs) {
  std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.key() < b.key(); });
  size_t kept = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (kept > 0 && pairs[kept - 1].key() == pairs[i].key())
      pairs[kept - 1].count += pairs[i].count;
    else
      pairs[kept++] = pairs[i];
  }
  pairs.resize(kept);
}

void add_sentence(std::span<const int32_t> source, std::span<const int32_t> target,
                  std::span<const corpus::Link> links, int32_t fold, int64_t weight,
                  std::vector<WordPair>& pairs) {
  std::vector<bool> source_linked(source.size()), target_linked(target.size());
  for (const corpus::Link& link : links) {
    const auto i = static_cast<size_t>(link.source), j = static_cast<size_t>(link.target);
    source_linked[i] = target_linked[j] = true;
    pairs.push_back({source[i], target[j], fold, weight});
  }
  for (size_t i = 0; i < source.size(); ++i)
    if (!source_linked[i]) pairs.push_back({source[i], kNullWord, fold, weight});
  for (size_t j = 0; j < target.size(); ++j)
    if (!target_linked[j]) pairs.push_back({kNullWord, target[j], fold, weight});
}

}  // namespace

LexiconCounts count_words(const corpus::Sentences& source, const corpus::Sentences& target,
                          const corpus::Alignments& alignments, std::span<const int32_t> folds, int threads,
                          std::span<const int64_t> weights) {
  if (source.size() != target.size() || (!folds.empty() && folds.size() != source.size()))
    throw InputError("found " + std::to_string(source.size()) + " source sentences, " +
                     std::to_string(target.size()) + " target sentences and " + std::to_string(folds.size()) +
                     " fold numbers; expected the same number of each, or no folds");
  if (!weights.empty() && weights.size() != source.size())
    throw InputError("there are " + std::to_string(weights.size()) + " weights for " +
                     std::to_string(source.size()) + " sentence pairs");
  corpus::check_alignments(alignments, source, target);
  std::vector<std::vector<WordPair>> parts(chunk_count(source.size(), kLexiconChunk));
  parallel_chunks(source.size(), kLexiconChunk, threads, [&](size_t chunk, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      add_sentence(source[i], target[i], alignments[i], folds.empty() ? 0 : folds[i],
                   weights.empty() ? 1 : weights[i], parts[chunk]);
    sort_and_sum(parts[chunk]);
  });
  std::vector<WordPair> all;
  for (auto& part : parts) {
    all.insert(all.end(), part.begin(), part.end());
    part = {};
  }
  sort_and_sum(all);
  LexiconCounts result;
  for (const WordPair& pair : all) {
    result.sources.push_back(pair.source);
    result.targets.push_back(pair.target);
    result.folds.push_back(pair.fold);
    result.counts.push_back(pair.count);
  }
  return result;
}

Lexicon::Lexicon(std::span<const int32_t> sources, std::span<const int32_t> targets,
                 std::span<const int32_t> folds, std::span<const int64_t> counts, int32_t exclude_fold) {
  if (targets.size() != sources.size() || folds.size() != sources.size() || counts.size() != sources.size())
    throw InputError("the columns of a lexicon have different lengths");
  std::unordered_map<int32_t, double> source_totals, target_totals;
  for (size_t i = 0; i < sources.size(); ++i) {
    if (folds[i] == exclude_fold) continue;
    const auto count = static_cast<double>(counts[i]);
    if (!(count > 0))
      throw InputError("a lexicon has the count " + std::to_string(counts[i]) + "; expected counts above 0");
    // source_given_target holds the count until the totals are known.
    if (!entries_.empty() && entries_.back().source == sources[i] && entries_.back().target == targets[i])
      entries_.back().source_given_target += count;
    else
      entries_.push_back({sources[i], targets[i], count, 0});
    source_totals[sources[i]] += count;
    target_totals[targets[i]] += count;
  }
  for (Entry& entry : entries_) {
    const double count = entry.source_given_target;
    entry.source_given_target = count / target_totals[entry.target];
    entry.target_given_source = count / source_totals[entry.source];
  }
  index();
}

Lexicon::Lexicon(std::vector<Entry> entries) : entries_(std::move(entries)) { index(); }

void Lexicon::index() {
  std::vector<size_t> partners;
  for (const Entry& entry : entries_) {
    if (entry.source < kNullWord)
      throw InputError("a lexicon has the source word " + std::to_string(entry.source) +
                       "; expected -1 (NULL) or more");
    const auto row = static_cast<size_t>(entry.source) + 1;
    if (partners.size() <= row) partners.resize(row + 1);
    ++partners[row];
  }
  rows_.push_back(0);
  for (size_t count : partners) rows_.push_back(rows_.back() + (count == 0 ? 0 : std::bit_ceil(2 * count)));
  slots_.assign(rows_.back(), -1);
  for (size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    const auto row = static_cast<size_t>(entry.source) + 1;
    const size_t mask = rows_[row + 1] - rows_[row] - 1;
    size_t slot = hash(entry.target) & mask;
    while (slots_[rows_[row] + slot] >= 0) slot = (slot + 1) & mask;
    slots_[rows_[row] + slot] = static_cast<int32_t>(i);
  }
}

}  // namespace tunesmith::extract::phrases

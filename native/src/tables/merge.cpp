#include "tunesmith/tables/merge.h"

#include <algorithm>
#include <numbers>
#include <numeric>
#include <utility>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/sequence_pool.h"
#include "tunesmith/tables/filter.h"

namespace tunesmith::tables {

namespace {

std::vector<int32_t> join_words(const corpus::VocabularyView& own, corpus::Vocabulary& joined) {
  std::vector<int32_t> numbers(own.size());
  for (size_t i = 0; i < own.size(); ++i) numbers[i] = joined.intern(own.words()[i]);
  return numbers;
}

}  // namespace

JoinedTables::JoinedTables(std::vector<const PhraseTable*> tables) : tables_(std::move(tables)) {
  if (tables_.empty()) throw InputError("no tables were given to join");
  for (const PhraseTable* table : tables_) {
    if (table->score_count() != tables_[0]->score_count() ||
        table->reordering_count() != tables_[0]->reordering_count())
      throw InputError(table->path() + ": has " + std::to_string(table->score_count()) + " scores and " +
                       std::to_string(table->reordering_count()) + " reordering probabilities; expected " +
                       std::to_string(tables_[0]->score_count()) + " and " +
                       std::to_string(tables_[0]->reordering_count()) + ", as the first table has");
    joined_source_.push_back(join_words(table->source_words(), source_words_));
    joined_target_.push_back(join_words(table->target_words(), target_words_));
    auto& sparse = joined_sparse_.emplace_back();
    const Texts& names = table->sparse_names().words();
    for (size_t i = 0; i < names.size(); ++i)
      sparse.push_back(static_cast<uint32_t>(sparse_names_.intern(names[i])));
  }
  for (const PhraseTable* table : tables_)
    own_source_.push_back(translate_words(source_words(), table->source_words()));
}

bool JoinedTables::has_source(size_t table, std::span<const int32_t> source, PairRange& pairs) const {
  uint32_t node = PhraseTable::kRoot;
  for (const int32_t word : source)
    if ((node = tables_[table]->extend(node, own_source_[table][static_cast<size_t>(word)])) ==
        PhraseTable::kNone)
      return false;
  pairs = tables_[table]->pairs(node);
  return !pairs.empty();
}

void JoinedTables::collect(std::span<const int32_t> source, size_t first, std::vector<Entry>& entries,
                           std::vector<int32_t>& words) const {
  entries.clear();
  words.clear();
  PairRange pairs;
  for (size_t table = first; table < tables_.size(); ++table) {
    if (!has_source(table, source, pairs)) continue;
    for (uint32_t pair = pairs.begin; pair < pairs.end; ++pair) {
      const size_t begin = words.size();
      for (const int32_t word : tables_[table]->target_phrase(tables_[table]->target(pair)))
        words.push_back(joined_target_[table][static_cast<size_t>(word)]);
      entries.push_back({table, pair, begin, words.size()});
    }
  }
}

/// Calls combine(entries, source length, phrase) for each pair of any table, with its entries in the order of
/// the tables, and writes the phrase that it fills, unless it returns false. Before the pairs of a source
/// phrase, calls `enter` with the entries of all of them.
template <class Enter, class Combine>
void JoinedTables::for_each_pair(PhraseSink& sink, Enter enter, Combine combine) const {
  std::vector<Entry> entries;
  std::vector<int32_t> words;
  const auto target = [&](const Entry& entry) {
    return std::span<const int32_t>(words).subspan(entry.begin, entry.end - entry.begin);
  };
  const auto before = [&](const Entry& a, const Entry& b) {
    const auto left = target(a), right = target(b);
    const auto order =
        std::lexicographical_compare_three_way(left.begin(), left.end(), right.begin(), right.end());
    return order != 0 ? order < 0 : a.table < b.table;
  };
  PairRange pairs;
  for (size_t table = 0; table < tables_.size(); ++table) {
    for (uint32_t node = 1; node < tables_[table]->node_count(); ++node) {
      if (tables_[table]->pairs(node).empty()) continue;
      auto source = tables_[table]->source(node);
      for (int32_t& word : source) word = joined_source_[table][static_cast<size_t>(word)];
      bool known = false;  // done with an earlier table
      for (size_t earlier = 0; earlier < table && !known; ++earlier)
        known = has_source(earlier, source, pairs);
      if (known) continue;
      collect(source, table, entries, words);
      std::sort(entries.begin(), entries.end(), before);
      enter(std::span<const Entry>(entries));
      bool begun = false;
      for (size_t begin = 0, end; begin < entries.size(); begin = end) {
        for (end = begin + 1;
             end < entries.size() && std::ranges::equal(target(entries[begin]), target(entries[end]));)
          ++end;
        ScoredPhrase phrase;
        if (!combine(std::span<const Entry>(entries).subspan(begin, end - begin), source.size(), phrase))
          continue;
        if (!begun) sink.begin_source(source);
        begun = true;
        phrase.target = target(entries[begin]);
        sink.add(phrase);
      }
    }
  }
}

std::vector<std::vector<double>> JoinedTables::sum_target_counts(std::span<const double> weights) const {
  SequencePool<int32_t> phrases;
  std::vector<std::vector<uint32_t>> numbers(tables_.size());  // by table, then by its own number
  std::vector<double> sums;
  std::vector<int32_t> words;
  for (size_t i = 0; i < tables_.size(); ++i) {
    const PhraseTable& table = *tables_[i];
    for (uint32_t target = 0; target < table.target_count(); ++target) {
      words.clear();
      for (const int32_t word : table.target_phrase(target))
        words.push_back(joined_target_[i][static_cast<size_t>(word)]);
      numbers[i].push_back(phrases.intern(words));
    }
    sums.resize(phrases.size());
    if (!(weights[i] > 0)) continue;
    std::vector<float> own(table.target_count());
    for (uint32_t pair = 0; pair < table.pair_count(); ++pair)
      own[table.target(pair)] =
          std::max(own[table.target(pair)], table.pair(pair, table.longest_source()).target_count);
    for (uint32_t target = 0; target < table.target_count(); ++target)
      sums[numbers[i][target]] += own[target];
  }
  std::vector<std::vector<double>> counts(tables_.size());
  for (size_t i = 0; i < tables_.size(); ++i)
    for (const uint32_t number : numbers[i]) counts[i].push_back(sums[number]);
  return counts;
}

double JoinedTables::sum_source_counts(std::span<const Entry> pairs, std::span<const double> weights) const {
  std::vector<float> own(tables_.size());
  for (const Entry& entry : pairs)
    if (weights[entry.table] > 0)
      own[entry.table] = std::max(
          own[entry.table],
          tables_[entry.table]->pair(entry.pair, tables_[entry.table]->longest_source()).source_count);
  return std::accumulate(own.begin(), own.end(), 0.0);
}

void JoinedTables::interpolate(const Weights& given, PhraseSink& sink) const {
  const std::span<const double> weights = given.tables;
  if (weights.size() != tables_.size())
    throw InputError("found " + std::to_string(weights.size()) + " weights for " +
                     std::to_string(tables_.size()) + " tables");
  for (const PhraseTable* table : tables_)
    if (table->sparse_names().size() > 0)
      throw InputError(table->path() +
                       ": has sparse scores, which are not probabilities and cannot be interpolated");
  std::vector<double> scores(tables_[0]->score_count()), reordering(tables_[0]->reordering_count());
  if (!given.scores.empty() && given.scores.size() != scores.size() * tables_.size())
    throw InputError("found " + std::to_string(given.scores.size()) + " weights of scores for " +
                     std::to_string(tables_.size()) + " tables with " + std::to_string(scores.size()) +
                     " scores");
  std::vector<float> score_values(scores.size()), reordering_values(reordering.size());
  const std::vector<std::vector<double>> target_counts = sum_target_counts(weights);
  double source_count = 0;
  const auto enter = [&](std::span<const Entry> all) { source_count = sum_source_counts(all, weights); };
  for_each_pair(sink, enter, [&](std::span<const Entry> entries, size_t length, ScoredPhrase& phrase) {
    std::fill(scores.begin(), scores.end(), 0.0);
    std::fill(reordering.begin(), reordering.end(), 0.0);
    double total = 0, highest = 0;
    for (const Entry& entry : entries) {
      const double weight = weights[entry.table];
      if (!(weight > 0)) continue;
      const ScoredPhrase found = tables_[entry.table]->pair(entry.pair, length);
      for (size_t i = 0; i < scores.size(); ++i) {
        const double own = given.scores.empty() ? weight : given.scores[i * tables_.size() + entry.table];
        scores[i] += own * found.scores[i];
      }
      for (size_t i = 0; i < reordering.size(); ++i) reordering[i] += weight * found.reordering[i];
      phrase.joint_count += found.joint_count;
      total += weight;
      if (weight > highest) {
        highest = weight;
        phrase.alignment = found.alignment;
      }
    }
    if (!(total > 0)) return false;
    const Entry& first = entries.front();
    phrase.source_count = static_cast<float>(source_count);
    phrase.target_count =
        static_cast<float>(target_counts[first.table][tables_[first.table]->target(first.pair)]);
    for (size_t i = 0; i < scores.size(); ++i) score_values[i] = static_cast<float>(scores[i]);
    for (size_t i = 0; i < reordering.size(); ++i)
      reordering_values[i] = static_cast<float>(reordering[i] / total);
    phrase.scores = score_values;
    phrase.reordering = reordering_values;
    return true;
  });
}

void JoinedTables::fill_up(bool indicators, PhraseSink& sink) const {
  std::vector<float> scores;
  std::vector<SparseScore> sparse;
  const auto enter = [](std::span<const Entry>) {};
  for_each_pair(sink, enter, [&](std::span<const Entry> entries, size_t length, ScoredPhrase& phrase) {
    const Entry& first = entries.front();
    phrase = tables_[first.table]->pair(first.pair, length);
    sparse.assign(phrase.sparse.begin(), phrase.sparse.end());
    for (SparseScore& score : sparse) score.name = joined_sparse_[first.table][score.name];
    phrase.sparse = sparse;
    if (indicators) {
      scores.assign(phrase.scores.begin(), phrase.scores.end());
      for (size_t table = 1; table < tables_.size(); ++table)
        scores.push_back(table == first.table ? std::numbers::e_v<float> : 1.0F);
      phrase.scores = scores;
    }
    return true;
  });
}

}  // namespace tunesmith::tables

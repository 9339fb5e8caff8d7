#include "tunesmith/tables/significance.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/sequence_pool.h"
#include "tunesmith/tables/filter.h"

namespace tunesmith::tables {

namespace {

double log_choose(int64_t n, int64_t k) {
  const auto log_factorial = [](int64_t i) { return std::lgamma(static_cast<double>(i) + 1); };
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

/// (target, pair) of a source phrase, sorted; built for phrases with many pairs.
using Index = std::vector<std::pair<uint32_t, uint32_t>>;
constexpr uint32_t kMany = 64;

const Index& index_of(const PhraseTable& table, uint32_t node, std::unordered_map<uint32_t, Index>& known) {
  auto [found, added] = known.try_emplace(node);
  if (added) {
    const PairRange pairs = table.pairs(node);
    for (uint32_t pair = pairs.begin; pair < pairs.end; ++pair)
      found->second.emplace_back(table.target(pair), pair);
    std::sort(found->second.begin(), found->second.end());
  }
  return found->second;
}

SequencePool<int32_t> target_pool(const PhraseTable& table) {
  SequencePool<int32_t> pool;
  for (uint32_t target = 0; target < table.target_count(); ++target)
    if (pool.intern(table.target_phrase(target)) != target)
      throw InputError(table.path() + ": is damaged: a target phrase occurs twice");
  return pool;
}

std::vector<int32_t> translated(std::span<const int32_t> sentence, const std::vector<int32_t>& numbers) {
  std::vector<int32_t> words;
  for (const int32_t word : sentence) words.push_back(word < 0 ? -1 : numbers[static_cast<size_t>(word)]);
  return words;
}

/// The distinct source phrases of a sentence, as nodes.
void collect_sources(const PhraseTable& table, std::span<const int32_t> words, std::vector<uint32_t>& nodes) {
  nodes.clear();
  for (size_t begin = 0; begin < words.size(); ++begin) {
    uint32_t node = PhraseTable::kRoot;
    for (size_t end = begin; end < words.size(); ++end) {
      if ((node = table.extend(node, words[end])) == PhraseTable::kNone) break;
      if (!table.pairs(node).empty()) nodes.push_back(node);
    }
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

/// The distinct target phrases of sentence `number` (from 1); sets seen[target] = number.
void collect_targets(const SequencePool<int32_t>& pool, std::span<const int32_t> words, size_t longest,
                     uint32_t number, std::vector<uint32_t>& seen, std::vector<uint32_t>& targets) {
  targets.clear();
  for (size_t begin = 0; begin < words.size(); ++begin)
    for (size_t length = 1; length <= std::min(longest, words.size() - begin); ++length) {
      if (words[begin + length - 1] < 0) break;
      const uint32_t found = pool.find(words.subspan(begin, length));
      if (found == SequencePool<int32_t>::kUnknown || seen[found] == number) continue;
      seen[found] = number;
      targets.push_back(found);
    }
}

std::string text_of(std::span<const int32_t> phrase, const corpus::VocabularyView& words) {
  std::string text;
  for (const int32_t word : phrase) {
    if (!text.empty()) text += ' ';
    text += words.word(word);
  }
  return text;
}

}  // namespace

double log_significance(const Cooccurrence& counts) {
  const auto [source, target, joint, total] = counts;
  if (joint < 0 || joint > std::min(source, target) || std::max(source, target) > total)
    throw InputError("a pair occurs " + std::to_string(joint) + " times, its source " +
                     std::to_string(source) + " and its target " + std::to_string(target) + " times among " +
                     std::to_string(total) +
                     ", which is impossible; give the bitext, to count sentences in it, or a larger total");
  int64_t k = std::max(joint, source + target - total);
  double term = log_choose(source, k) + log_choose(total - source, target - k) - log_choose(total, target);
  double sum = term;
  for (; k < std::min(source, target); ++k) {
    const double ratio = static_cast<double>(source - k) * static_cast<double>(target - k) /
                         (static_cast<double>(k + 1) * static_cast<double>(total - source - target + k + 1));
    term += std::log(ratio);
    const double high = std::max(sum, term);
    sum = high + std::log1p(std::exp(std::min(sum, term) - high));
    if (ratio < 1 && term < sum - 40) break;  // the rest is below the precision of the sum
  }
  return std::max(-sum, 0.0);
}

PhraseCounts count_phrases(const PhraseTable& table, const corpus::Sentences& source,
                           const Texts& source_words, const corpus::Sentences& target,
                           const Texts& target_words) {
  if (source.size() != target.size())
    throw InputError("found " + std::to_string(source.size()) + " source and " +
                     std::to_string(target.size()) + " target sentences; expected the same number");
  corpus::check_sentences(source, source_words.size(), -1);
  corpus::check_sentences(target, target_words.size(), -1);
  const auto source_numbers = translate_words(source_words, table.source_words());
  const auto target_numbers = translate_words(target_words, table.target_words());
  const auto pool = target_pool(table);
  PhraseCounts counts{std::vector<uint32_t>(table.node_count()), std::vector<uint32_t>(table.target_count()),
                      std::vector<uint32_t>(table.pair_count())};
  std::unordered_map<uint32_t, Index> indexes;
  std::vector<uint32_t> nodes, targets;
  std::vector<uint32_t> seen(table.target_count(), 0);  // the last sentence pair, from 1, with the target
  for (size_t i = 0; i < source.size(); ++i) {
    const auto number = static_cast<uint32_t>(i + 1);
    collect_sources(table, translated(source[i], source_numbers), nodes);
    collect_targets(pool, translated(target[i], target_numbers), table.longest_target(), number, seen,
                    targets);
    for (const uint32_t found : targets) ++counts.targets[found];
    for (const uint32_t node : nodes) {
      ++counts.sources[node];
      const PairRange pairs = table.pairs(node);
      if (pairs.size() <= std::max<size_t>(kMany, targets.size())) {
        for (uint32_t pair = pairs.begin; pair < pairs.end; ++pair)
          if (seen[table.target(pair)] == number) ++counts.pairs[pair];
        continue;
      }
      const Index& index = index_of(table, node, indexes);
      for (const uint32_t found : targets) {
        const auto at = std::lower_bound(index.begin(), index.end(), std::pair{found, 0U});
        if (at != index.end() && at->first == found) ++counts.pairs[at->second];
      }
    }
  }
  return counts;
}

int64_t count_instances(const PhraseTable& table) {
  double sum = 0;
  for (uint32_t pair = 0; pair < table.pair_count(); ++pair) sum += table.joint_count(pair);
  if (!(sum < 0x1p62)) throw InputError(table.path() + ": is damaged: its counts are invalid");
  return std::llround(sum);
}

void prune_significance(const PhraseTable& table, int64_t total, double threshold, const PhraseCounts* counts,
                        PhraseSink& sink) {
  copy_pairs(table, sink, [&](uint32_t node, PairRange pairs, std::vector<uint32_t>& kept) {
    for (uint32_t pair = pairs.begin; pair < pairs.end; ++pair) {
      Cooccurrence found;
      if (counts != nullptr) {
        found = {counts->sources[node], counts->targets[table.target(pair)], counts->pairs[pair], total};
      } else {
        const ScoredPhrase phrase = table.pair(pair, table.longest_source());
        found = {std::llround(phrase.source_count), std::llround(phrase.target_count),
                 std::llround(phrase.joint_count), total};
      }
      try {
        if (found.joint > 0 && log_significance(found) >= threshold) kept.push_back(pair);
      } catch (const InputError& error) {
        const auto source = table.source(node);
        throw InputError(table.path() + ": " + text_of(source, table.source_words()) + " ||| " +
                         text_of(table.target_phrase(table.target(pair)), table.target_words()) + ": " +
                         error.what());
      }
    }
  });
}

}  // namespace tunesmith::tables

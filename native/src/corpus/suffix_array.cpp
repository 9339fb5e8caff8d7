#include "tunesmith/corpus/suffix_array.h"

#include <algorithm>
#include <limits>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"

namespace tunesmith::corpus {

namespace {

/// Sort key of a position: the word at a depth in the high bits, the position in the low bits.
uint64_t keyed(std::span<const int32_t> text, uint32_t position, int depth) {
  // Sentence ends become 0; nothing beyond them is read, since a group that shares one is not refined.
  return uint64_t{static_cast<uint32_t>(text[position + static_cast<uint32_t>(depth)] + 1)} << 32 | position;
}

/// Sorts suffixes that share their first `depth` words, then recursively each run of equal next words.
void sort_group(std::span<const int32_t> text, std::span<uint32_t> group, int depth,
                std::vector<uint64_t>& keys) {
  if (group.size() < 2 || depth >= kSuffixDepth) return;
  const size_t base = keys.size();  // recursive calls push theirs on top
  for (const uint32_t position : group) keys.push_back(keyed(text, position, depth));
  std::sort(keys.begin() + static_cast<std::ptrdiff_t>(base), keys.end());
  for (size_t i = 0; i < group.size(); ++i) group[i] = static_cast<uint32_t>(keys[base + i]);
  for (size_t begin = 0; begin < group.size();) {
    const uint64_t word = keys[base + begin] >> 32;
    size_t end = begin + 1;
    while (end < group.size() && keys[base + end] >> 32 == word) ++end;
    if (word != 0) sort_group(text, group.subspan(begin, end - begin), depth + 1, keys);
    begin = end;
  }
  keys.resize(base);
}

}  // namespace

SuffixArray::Interval SuffixArray::find(int32_t word) const {
  if (word < 0 || static_cast<size_t>(word) + 1 >= first.size()) return {};
  return {first[static_cast<size_t>(word)], first[static_cast<size_t>(word) + 1]};
}

SuffixArray::Interval SuffixArray::narrow(Interval interval, int depth, int32_t word) const {
  if (word < 0) return {};                       // an unknown word must not match sentence ends
  const auto word_at = [&](uint32_t position) {  // only a damaged array points beyond the text
    const size_t at = size_t{position} + static_cast<size_t>(depth);
    return at < text.size() ? text[at] : kSentenceEnd;
  };
  const auto* begin = suffixes.data() + interval.begin;
  const auto* end = suffixes.data() + interval.end;
  const auto* low =
      std::lower_bound(begin, end, word, [&](uint32_t p, int32_t value) { return word_at(p) < value; });
  const auto* high =
      std::upper_bound(low, end, word, [&](int32_t value, uint32_t p) { return value < word_at(p); });
  return {static_cast<uint32_t>(low - suffixes.data()), static_cast<uint32_t>(high - suffixes.data())};
}

SuffixArray::Interval SuffixArray::find(std::span<const int32_t> phrase) const {
  if (phrase.empty() || phrase.size() > static_cast<size_t>(kSuffixDepth)) return {};
  Interval interval = find(phrase[0]);
  for (size_t depth = 1; depth < phrase.size() && !interval.empty(); ++depth)
    interval = narrow(interval, static_cast<int>(depth), phrase[depth]);
  return interval;
}

std::vector<uint32_t> sort_suffixes(std::span<const int32_t> text, size_t words, int threads,
                                    std::vector<uint32_t>& first) {
  if (text.size() >= std::numeric_limits<uint32_t>::max())
    throw InputError("a suffix array takes fewer than 2^32 words and sentences; found " +
                     std::to_string(text.size()));
  first.assign(words + 1, 0);
  for (const int32_t word : text)
    if (word != kSentenceEnd) ++first[static_cast<size_t>(word) + 1];
  for (size_t word = 0; word < words; ++word) first[word + 1] += first[word];
  std::vector<uint32_t> suffixes(first[words]);
  std::vector<uint32_t> next(first.begin(), first.end() - 1);
  for (size_t position = 0; position < text.size(); ++position)
    if (text[position] != kSentenceEnd)
      suffixes[next[static_cast<size_t>(text[position])]++] = static_cast<uint32_t>(position);
  parallel_chunks(words, 1, threads, [&](size_t, size_t begin, size_t end) {
    std::vector<uint64_t> keys;
    for (size_t word = begin; word < end; ++word)
      sort_group(text, std::span(suffixes).subspan(first[word], first[word + 1] - first[word]), 1, keys);
  });
  return suffixes;
}

}  // namespace tunesmith::corpus

#include "tunesmith/extract/phrases/lexical_weight.h"

#include <algorithm>
#include <bit>

namespace tunesmith::extract::phrases {

namespace {

/// The source positions of a target word.
uint64_t target_row(LinkBits links, int source_length, int target) {
  return links >> (target * source_length) & (~uint64_t{0} >> (64 - source_length));
}

/// The target positions of a source word.
uint64_t source_row(LinkBits links, int source_length, int target_length, int source) {
  uint64_t row = 0;
  for (int target = 0; target < target_length; ++target)
    row |= (links >> (target * source_length + source) & 1) << target;
  return row;
}

/// Compares two bit sets lexicographically by their ascending elements; a proper prefix is less.
bool set_less(uint64_t a, uint64_t b) {
  if (a == b) return false;
  const uint64_t lowest = (a ^ b) & (~(a ^ b) + 1);
  const uint64_t above = ~(lowest | (lowest - 1));
  // The set without the lowest differing element continues with a larger one, or ends.
  return (a & lowest) != 0 ? (b & above) != 0 : (a & above) == 0;
}

template <class Row>
bool rows_less(int rows, Row row, LinkBits a, LinkBits b) {
  for (int i = 0; i < rows; ++i) {
    const uint64_t left = row(a, i), right = row(b, i);
    if (left != right) return set_less(left, right);
  }
  return false;
}

/// Rounds by integer conversion: std::round would take longer than everything else.
double rounded(double probability) {
  return static_cast<double>(std::max<int64_t>(static_cast<int64_t>(probability * 1e7 + 0.5), 1)) / 1e7;
}

}  // namespace

ChosenLinks choose_links(std::span<const PhraseEvent> events, int source_length, int target_length,
                         int32_t exclude_fold) {
  const auto by_target = [&](LinkBits links, int i) { return target_row(links, source_length, i); };
  const auto by_source = [&](LinkBits links, int i) {
    return source_row(links, source_length, target_length, i);
  };
  ChosenLinks best{};
  uint64_t most = 0;
  for (size_t i = 0; i < events.size();) {
    const LinkBits links = events[i].links;
    uint64_t count = 0;
    for (; i < events.size() && events[i].links == links; ++i)
      if (static_cast<int32_t>(events[i].fold) != exclude_fold) count += events[i].count;
    if (count == 0 || count < most) continue;
    if (count > most || rows_less(target_length, by_target, best.by_target, links)) best.by_target = links;
    if (count > most || rows_less(source_length, by_source, best.by_source, links)) best.by_source = links;
    most = count;
  }
  return best;
}

double target_weight(std::span<const int32_t> source, std::span<const int32_t> target, LinkBits links,
                     const Lexicon& lexicon) {
  const auto probability = [&](int32_t f, int32_t e) {
    const Lexicon::Entry* entry = lexicon.find(f, e);
    return entry == nullptr ? 1.0 : rounded(entry->target_given_source);
  };
  double weight = 1;
  for (size_t j = 0; j < target.size(); ++j) {
    const uint64_t row = target_row(links, static_cast<int>(source.size()), static_cast<int>(j));
    double sum = row == 0 ? probability(kNullWord, target[j]) : 0;
    for (uint64_t rest = row; rest != 0; rest &= rest - 1)
      sum += probability(source[static_cast<size_t>(std::countr_zero(rest))], target[j]);
    weight *= sum / std::max(std::popcount(row), 1);
  }
  return weight;
}

double source_weight(std::span<const int32_t> source, std::span<const int32_t> target, LinkBits links,
                     const Lexicon& lexicon) {
  const auto probability = [&](int32_t f, int32_t e) {
    const Lexicon::Entry* entry = lexicon.find(f, e);
    return entry == nullptr ? 1.0 : rounded(entry->source_given_target);
  };
  double weight = 1;
  for (size_t i = 0; i < source.size(); ++i) {
    const uint64_t row = source_row(links, static_cast<int>(source.size()), static_cast<int>(target.size()),
                                    static_cast<int>(i));
    double sum = row == 0 ? probability(source[i], kNullWord) : 0;
    for (uint64_t rest = row; rest != 0; rest &= rest - 1)
      sum += probability(source[i], target[static_cast<size_t>(std::countr_zero(rest))]);
    weight *= sum / std::max(std::popcount(row), 1);
  }
  return weight;
}

}  // namespace tunesmith::extract::phrases

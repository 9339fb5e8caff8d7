#include "tunesmith/forest/oracles/statistics.h"

#include <array>

#include "tunesmith/forest/inside_outside.h"

namespace tunesmith::forest::oracles {

namespace {

// Lengths are clamped to this; the sum of two still fits.
constexpr int32_t kMany = 1 << 29;

int32_t saturated(int64_t value, int32_t limit) {
  return static_cast<int32_t>(std::min<int64_t>(value, limit));
}

/// For each word of the references, the largest number of times that a derivation has it.
std::vector<int32_t> most_of_words(const Forest& forest, const ReferenceNgrams& references) {
  Rows<int32_t> words;  // of the references, in each rule
  for (size_t rule = 0; rule < forest.rule_count(); ++rule) {
    for (const grammar::Symbol symbol : forest.rules().targets[rule])
      if (!grammar::is_gap(symbol))
        for (const int32_t word : references.words(symbol))
          if (word != kBreak) words.values.push_back(word);
    words.close();
  }
  std::vector<int32_t> result(references.word_count(), 0);
  std::vector<uint8_t> seen(references.word_count(), 0);
  for (const int32_t word : words.values) seen[static_cast<size_t>(word)] = 1;
  for (size_t word = 0; word < result.size(); ++word) {
    if (!seen[word]) continue;
    const auto most = inside<MostSemiring>(forest, [&](uint32_t edge) {
      const auto own = words[forest.rule(edge)];
      return static_cast<double>(std::count(own.begin(), own.end(), static_cast<int32_t>(word)));
    });
    result[word] = saturated(static_cast<int64_t>(most[forest.root()]), kMany);
  }
  return result;
}

}  // namespace

OracleStatistics::OracleStatistics(const Forest& forest, const ReferenceNgrams& references)
    : references_(references), limits_(1 + references.order(), kMany) {
  const std::vector<int32_t> most =
      forest.empty() ? std::vector<int32_t>(references.word_count(), 0) : most_of_words(forest, references);
  for (uint32_t ngram = 0; ngram < references.size(); ++ngram) {
    const auto words = references[ngram];
    int64_t bound = kMany;
    for (const int32_t word : words) bound = std::min<int64_t>(bound, most[static_cast<size_t>(word)]);
    // Occurrences may overlap ("a a" occurs twice in "a a a"): repeated words do not lower the bound.
    slots_.push_back(static_cast<uint32_t>(words.size()));
    if (bound > references.limit(ngram)) {
      slots_.back() = static_cast<uint32_t>(limits_.size());
      limits_.push_back(references.limit(ngram));
      clipped_.push_back(static_cast<uint32_t>(words.size()));
    }
  }
}

void OracleStatistics::add_words(std::span<int32_t> row, size_t count) const {
  row[0] = saturated(row[0] + static_cast<int64_t>(count), kMany);
}

bool OracleStatistics::at_least(std::span<const int32_t> a, std::span<const int32_t> b) const {
  const size_t order = references_.order();
  std::array<int32_t, 17> surplus{};  // of matches by order, at most 16
  for (size_t n = 1; n <= order; ++n) {
    surplus[n] = a[n] - b[n];
    if (surplus[n] < 0) return false;
  }
  for (size_t i = 0; i < clipped_.size(); ++i) {
    const int32_t difference = a[1 + order + i] - b[1 + order + i];
    if (difference >= 0) continue;
    int32_t& rest = surplus[clipped_[i]];
    rest += difference;
    if (rest < 0) return false;
  }
  return true;
}

void OracleStatistics::bleu(std::span<const int32_t> row, double reference_length, double* stats) const {
  const size_t order = references_.order();
  for (size_t n = 1; n <= order; ++n) {
    stats[2 * n - 2] = row[n];
    stats[2 * n - 1] = std::max(0.0, static_cast<double>(row[0]) - static_cast<double>(n - 1));
  }
  for (size_t i = 0; i < clipped_.size(); ++i) stats[2 * clipped_[i] - 2] += row[1 + order + i];
  stats[2 * order] = reference_length;
}

}  // namespace tunesmith::forest::oracles

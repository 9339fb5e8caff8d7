#include "tunesmith/align/lexical_table.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tunesmith/align/exp_digamma.h"
#include "tunesmith/base/parallel.h"

namespace tunesmith::align {

namespace {

constexpr size_t kRows = 64;
constexpr float kUnknown = 1e-9F, kBothUnknown = 1e-7F;

/// Turns a count into a probability, given the sum of its distribution.
class Estimate {
 public:
  Estimate(double total, size_t outcomes, const Smoothing& smoothing) : smoothing_(smoothing) {
    const double sum = total + smoothing.pseudo * static_cast<double>(outcomes);
    if (total == 0 || !(sum > 0))
      even_ = 1 / static_cast<float>(std::max<size_t>(outcomes, 1));
    else
      factor_ = 1 / (smoothing.bayes ? exp_digamma(sum) : sum);
  }
  float operator()(double count) const {
    if (even_ > 0) return even_;
    const double sum = count + smoothing_.pseudo;
    const double share = smoothing_.bayes ? exp_digamma(sum) : sum;
    return std::max(static_cast<float>(share * factor_), kLeastProbability);
  }

 private:
  Smoothing smoothing_;
  float even_ = 0;
  double factor_ = 1;
};

void maximize_null(std::vector<float>& probabilities, std::vector<int64_t>& counts, double unit,
                   const Smoothing& smoothing) {
  const size_t words = counts.size() - 1;  // the last is for unknown words
  int64_t total = 0;
  for (size_t f = 0; f < words; ++f) total += counts[f];
  const Estimate estimate(static_cast<double>(total) * unit, words, smoothing);
  for (size_t f = 0; f < words; ++f) probabilities[f] = estimate(static_cast<double>(counts[f]) * unit);
  std::fill(counts.begin(), counts.end(), 0);
}

}  // namespace

LexicalTable::LexicalTable(PairTable table)
    : pairs(std::move(table)),
      probabilities(pairs.size() + PairTable::kSpecial,
                    {1 / static_cast<float>(std::max<size_t>(pairs.target_words(), 1)),
                     1 / static_cast<float>(std::max<size_t>(pairs.source_words(), 1))}),
      null_forward(pairs.target_words() + 1, probabilities[0].forward),
      null_reverse(pairs.source_words() + 1, probabilities[0].reverse) {
  set_floors();
}

void LexicalTable::set_floors() {
  probabilities[pairs.unseen()] = {kLeastProbability, kLeastProbability};
  probabilities[pairs.half_unknown()] = {kUnknown, kUnknown};
  probabilities[pairs.unknown()] = {kBothUnknown, kBothUnknown};
  null_forward.back() = null_reverse.back() = kUnknown;
}

LexicalCounts::LexicalCounts(const PairTable& table, int64_t tokens)
    : pairs(table.size() + PairTable::kSpecial),
      null_forward(table.target_words() + 1),
      null_reverse(table.source_words() + 1),
      one_(std::ldexp(1.0F, 62 - std::bit_width(static_cast<uint64_t>(std::max<int64_t>(tokens, 1 << 16))))) {
}

void maximize(LexicalTable& table, LexicalCounts& counts, const Smoothing& smoothing, int threads) {
  const double unit = 1.0 / counts.one();
  const auto rows = table.pairs.rows();
  const auto columns = table.pairs.columns();
  std::vector<int64_t> column_total(table.pairs.target_words()), column_size(table.pairs.target_words());
  for (size_t k = 0; k < columns.size(); ++k) {
    column_total[static_cast<size_t>(columns[k])] += counts.pairs[k].reverse;
    ++column_size[static_cast<size_t>(columns[k])];
  }
  std::vector<Estimate> reverse;
  for (size_t f = 0; f < column_total.size(); ++f)
    reverse.emplace_back(static_cast<double>(column_total[f]) * unit, static_cast<size_t>(column_size[f]),
                         smoothing);

  parallel_chunks(table.pairs.source_words(), kRows, threads, [&](size_t, size_t begin, size_t end) {
    for (size_t e = begin; e < end; ++e) {
      const auto first = static_cast<size_t>(rows[e]), last = static_cast<size_t>(rows[e + 1]);
      int64_t total = 0;
      for (size_t k = first; k < last; ++k) total += counts.pairs[k].forward;
      const Estimate forward(static_cast<double>(total) * unit, last - first, smoothing);
      for (size_t k = first; k < last; ++k) {
        auto& count = counts.pairs[k];
        table.probabilities[k] = {
            forward(static_cast<double>(count.forward) * unit),
            reverse[static_cast<size_t>(columns[k])](static_cast<double>(count.reverse) * unit)};
        count = {};
      }
    }
  });
  for (size_t k = columns.size(); k < counts.pairs.size(); ++k) counts.pairs[k] = {};
  maximize_null(table.null_forward, counts.null_forward, unit, smoothing);
  maximize_null(table.null_reverse, counts.null_reverse, unit, smoothing);
}

}  // namespace tunesmith::align

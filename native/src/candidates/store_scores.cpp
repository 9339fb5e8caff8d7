#include "tunesmith/candidates/store_scores.h"

#include <string>

#include "tunesmith/base/errors.h"

namespace tunesmith::candidates {

std::vector<double> store_scores(const Csr& features, int64_t begin, int64_t end,
                                 std::span<const uint32_t> numbers, const weights::WeightStore& store) {
  if (begin < 0 || begin > end || static_cast<size_t>(end) > features.rows())
    throw InputError("no such candidates: " + std::to_string(begin) + " to " + std::to_string(end));
  if (numbers.size() != features.width)
    throw InputError(std::to_string(numbers.size()) + " numbers for " + std::to_string(features.width) +
                     " columns");
  for (const uint32_t number : numbers)
    if (number >= store.size()) throw InputError("no such feature: " + std::to_string(number));
  std::vector<double> scores;
  scores.reserve(end - begin);
  for (int64_t row = begin; row < end; ++row) {
    double sum = 0;
    for (int64_t k = features.offsets[row]; k < features.offsets[row + 1]; ++k)
      sum += features.values[k] * store.weight(numbers[features.columns[k]]);
    scores.push_back(sum);
  }
  return scores;
}

}  // namespace tunesmith::candidates

#include "tunesmith/forest/reference_ngrams.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/name_table.h"
#include "tunesmith/base/text.h"

namespace tunesmith::forest {

ReferenceNgrams::ReferenceNgrams(const Forest& forest, const Texts& references, size_t order)
    : order_(order) {
  check_ngram_order(order);
  if (references.size() == 0) throw InputError("no references were given; expected at least one");
  NameTable names;
  std::vector<std::string_view> words;
  std::vector<int32_t> ids, counts;
  for (size_t r = 0; r < references.size(); ++r) {
    split_words(references[r], words);
    lengths_.push_back(static_cast<uint32_t>(words.size()));
    ids.clear();
    for (const std::string_view word : words) ids.push_back(names.intern(word));
    counts.assign(counts.size(), 0);
    for (size_t begin = 0; begin < ids.size(); ++begin)
      for (size_t n = 1; n <= order && begin + n <= ids.size(); ++n) {
        const uint32_t ngram = ngrams_.intern(std::span<const int32_t>(ids).subspan(begin, n));
        if (ngram >= limits_.size()) limits_.push_back(0), counts.push_back(0);
        limits_[ngram] = std::max(limits_[ngram], ++counts[ngram]);
      }
  }
  static_assert(NameTable::kUnknown == kBreak);
  constexpr uint32_t kNotYet = std::numeric_limits<uint32_t>::max();
  numbers_.assign(forest.names().words.size(), kNotYet);
  for (const grammar::Symbol symbol : forest.rules().targets.values) {
    if (grammar::is_gap(symbol) || numbers_[static_cast<size_t>(symbol)] != kNotYet) continue;
    numbers_[static_cast<size_t>(symbol)] = static_cast<uint32_t>(spellings_.size());
    split_words(forest.names().words[static_cast<size_t>(symbol)], words);
    for (const std::string_view word : words) spellings_.values.push_back(names.find(word));
    spellings_.close();
  }
  words_ = names.take_names();
}

size_t ReferenceNgrams::own_words(std::span<const grammar::Symbol> target) const {
  size_t count = 0;
  for (const grammar::Symbol symbol : target)
    if (!grammar::is_gap(symbol)) count += words(symbol).size();
  return count;
}

void ReferenceNgrams::cut(std::vector<int32_t>& context) const {
  const auto found = std::find(context.begin(), context.end(), kBreak);
  const std::span<const int32_t> all(context);
  std::span<const int32_t> left = all, right = all;
  if (found != context.end()) {
    const auto at = static_cast<size_t>(found - context.begin());
    left = all.first(at);
    right = all.subspan(at + 1);
  } else if (all.empty() || find(all) != kUnknown) {
    return;
  }
  while (!left.empty() && find(left) == kUnknown) left = left.first(left.size() - 1);
  while (!right.empty() && find(right) == kUnknown) right = right.subspan(1);
  std::vector<int32_t> result(left.begin(), left.end());
  result.push_back(kBreak);
  result.insert(result.end(), right.begin(), right.end());
  context = std::move(result);
}

double compared_length(std::span<const uint32_t> references, metrics::ReferenceLength kind, double length) {
  if (kind == metrics::ReferenceLength::average)
    return static_cast<double>(std::accumulate(references.begin(), references.end(), size_t{0})) /
           static_cast<double>(references.size());
  if (kind == metrics::ReferenceLength::shortest)
    return static_cast<double>(*std::min_element(references.begin(), references.end()));
  auto best = static_cast<double>(references[0]);
  for (const uint32_t candidate : references) {  // of two equally close, the shorter
    const auto r = static_cast<double>(candidate);
    const double nearer = std::abs(r - length) - std::abs(best - length);
    if (nearer < 0 || (nearer == 0 && r < best)) best = r;
  }
  return best;
}

}  // namespace tunesmith::forest

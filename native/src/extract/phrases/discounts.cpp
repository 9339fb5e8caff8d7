#include "tunesmith/extract/phrases/discounts.h"

#include <algorithm>

namespace tunesmith::extract::phrases {

PhraseDiscounts::PhraseDiscounts(PhraseSmoothing smoothing, const CountsOfCounts& given)
    : smoothing_(smoothing), pairs_(static_cast<double>(given.pairs)) {
  const auto n = [&](int count) { return static_cast<double>(given.counts[static_cast<size_t>(count)]); };
  good_turing_[0] = 0.01;
  for (int c = 1; c < CountsOfCounts::kMost; ++c) {
    const double factor = (c + 1.0) / c * (n(c + 1) + 0.1) / (n(c) + 0.1);
    good_turing_[c] = std::max(std::min(factor, 1.0), good_turing_[c - 1]);
  }
  const double mass = n(1) > 0 ? n(1) / (n(1) + 2 * n(2)) : 0;
  for (int c = 1; c <= 3; ++c)
    kneser_ney_[c] = n(c) > 0 ? std::clamp(c - (c + 1) * mass * n(c + 1) / n(c), 0.0, c - 0.1) : 0.5 * c;
}

double PhraseDiscounts::adjusted(double count, uint64_t rounded, uint64_t source_partners,
                                 uint64_t target_partners) const {
  switch (smoothing_) {
    case PhraseSmoothing::kGoodTuring:
      return rounded + 1 < CountsOfCounts::kMost ? count * good_turing_[rounded] : count;
    case PhraseSmoothing::kKneserNey: {
      const double discount = std::min(kneser_ney_[std::min<uint64_t>(rounded, 3)], count);
      return count - discount +
             discount * static_cast<double>(source_partners) * static_cast<double>(target_partners) / pairs_;
    }
    case PhraseSmoothing::kNone:
      break;
  }
  return count;
}

}  // namespace tunesmith::extract::phrases

#include "tunesmith/reestimate/derivation_shares.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tunesmith::reestimate {

void DerivationShares::read(const DerivationList& list, std::vector<uint64_t>& found) const {
  found.assign(list.size(), 1);
  if (share == DerivationShare::kCount || list.size() == 0) return;
  std::vector<double> parts(list.size(), 1.0);
  if (share == DerivationShare::kPosterior) {
    float best = list.values[0].score;
    for (const DerivationValues& values : list.values) best = std::max(best, values.score);
    for (size_t i = 0; i < parts.size(); ++i)
      parts[i] = std::exp(scale * (static_cast<double>(list.values[i].score) - best));
  }
  const double total = std::accumulate(parts.begin(), parts.end(), 0.0);
  for (size_t i = 0; total > 0 && i < parts.size(); ++i)
    found[i] = std::max<uint64_t>(
        1, static_cast<uint64_t>(std::llround(parts[i] / total * static_cast<double>(kShareUnit))));
}

}  // namespace tunesmith::reestimate

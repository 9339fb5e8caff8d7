// Losses that are sums over candidate lists, and their gradients.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tunesmith/candidates/lists.h"

namespace tunesmith::objectives {

/// The loss of one candidate list as a function of its model scores. One subclass per loss; the data of a
/// loss (gains, ranks, pairs) belong to the caller.
class ListLoss {
 public:
  virtual ~ListLoss() = default;

  /// Throws InputError unless this loss fits candidate lists with these offsets.
  virtual void check(std::span<const int64_t> offsets) const = 0;

  /// Returns the loss of list `list`, whose candidates start at row `first` and have these scores, and writes
  /// d loss / d score of each candidate. Never called for an empty list.
  virtual double at(size_t list, size_t first, std::span<const double> scores,
                    std::span<double> slopes) const = 0;
};

/// Throws InputError unless there is one gain per candidate of the lists.
void check_gains(std::span<const double> gains, std::span<const int64_t> offsets);

/// Number of threads, at most `threads`, that a pass over these features can use: starting a thread costs
/// about as much as 65,536 values.
inline int useful_threads(const Csr& features, int threads) {
  return static_cast<int>(std::min<size_t>(std::max(threads, 1), 1 + features.values.size() / 65536));
}

/// Returns the sum of the losses of all lists and writes its gradient (unless `gradient` is empty).
///
/// One pass over the features: while the rows of a list are in the cache they are scored, the loss turns
/// scores into slopes, and gradient += sum_i slope_i * row_i. O(nonzeros + chunks * width) time and chunks *
/// width partial gradients. The number of chunks, small for wide models, depends on the lists and the width
/// only, so that results do not depend on `threads`.
double list_loss(const candidates::CandidateLists& lists, const ListLoss& loss,
                 std::span<const double> weights, int threads, std::span<double> gradient);

}  // namespace tunesmith::objectives

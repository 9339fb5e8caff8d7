#include "tunesmith/metrics/bleu.h"

#include <algorithm>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/metrics/ngrams.h"
#include "tunesmith/metrics/words.h"

namespace tunesmith::metrics {

namespace {

/// Computes the statistics of hypotheses, list by list.
class BleuCounter {
 public:
  explicit BleuCounter(const BleuOptions& options) : options_(options) {}

  void set_references(const std::vector<Texts>& references, size_t list) {
    words_.read(references, list);
    ngrams_.clear(words_.total() * options_.order);
    for (const auto& reference : words_.ids()) ngrams_.add_reference(reference, options_.order);
  }

  void count(std::string_view hypothesis, double* stats) {
    const std::vector<int32_t>& ids = words_.find(hypothesis);
    const size_t length = ids.size();
    std::fill(stats, stats + 2 * options_.order + 1, 0.0);
    ngrams_.match(ids, options_.order, stats, 2);
    for (size_t n = 0; n < options_.order; ++n) stats[2 * n + 1] = length > n ? double(length - n) : 0.0;
    stats[2 * options_.order] = reference_length(length);
  }

 private:
  double reference_length(size_t length) const {
    if (options_.reference_length == ReferenceLength::average) return words_.mean_length();
    size_t best = words_.ids()[0].size();
    for (const auto& reference : words_.ids()) {
      const size_t r = reference.size();
      if (options_.reference_length == ReferenceLength::shortest) {
        best = std::min(best, r);
      } else {  // closest; the shorter of two equally close
        const auto distance = [&](size_t x) { return x > length ? x - length : length - x; };
        if (distance(r) < distance(best) || (distance(r) == distance(best) && r < best)) best = r;
      }
    }
    return double(best);
  }

  const BleuOptions& options_;
  ReferenceWords words_;
  NgramCounter ngrams_;
};

}  // namespace

void bleu_stats(const Texts& hypotheses, std::span<const int64_t> lists, const std::vector<Texts>& references,
                const BleuOptions& options, int threads, std::span<double> out) {
  if (options.order < 1) throw InputError("the order of BLEU must be at least 1");
  constexpr size_t kListsPerChunk = 64;
  const size_t width = 2 * options.order + 1;
  parallel_chunks(lists.size() - 1, kListsPerChunk, threads, [&](size_t, size_t begin, size_t end) {
    BleuCounter counter(options);
    for (size_t list = begin; list < end; ++list) {
      counter.set_references(references, list);
      for (int64_t h = lists[list]; h < lists[list + 1]; ++h)
        counter.count(hypotheses[h], out.data() + h * width);
    }
  });
}

}  // namespace tunesmith::metrics

#include "tunesmith/chrf.h"

#include "bind.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "chrf_stats",
      [](Vector<uint8_t> blob, Vector<int64_t> offsets, Vector<int64_t> lists, const TextArrays& arrays,
         size_t char_order, size_t word_order, double beta, bool whitespace, bool eps_smoothing,
         int threads) {
        const ChrfOptions options{char_order, word_order, beta, whitespace, eps_smoothing};
        return measure(blob, offsets, lists, arrays, 3 * options.orders(),
                       [&](auto& hypotheses, auto groups, auto& refs, auto out) {
                         chrf_stats(hypotheses, groups, refs, options, threads, out);
                       });
      },
      "blob"_a, "offsets"_a, "lists"_a, "references"_a, "char_order"_a, "word_order"_a, "beta"_a,
      "whitespace"_a, "eps_smoothing"_a, "threads"_a, "chrF statistics, a row a hypothesis.");
});

}  // namespace tunesmith::bind

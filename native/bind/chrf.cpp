#include "tunesmith/chrf.h"

#include <nanobind/stl/pair.h>

#include "bind.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "chrf_stats",
      [](Vector<uint8_t> blob, Vector<int64_t> offsets, Vector<int64_t> lists, const TextArrays& arrays,
         size_t char_order, size_t word_order, double beta, bool whitespace, bool eps_smoothing,
         int threads) {
        const Texts hypotheses = texts(blob, offsets);
        check_offsets(view(lists), hypotheses.size(), "lists");
        const auto refs = references(arrays, lists.size() - 1);
        const ChrfOptions options{char_order, word_order, beta, whitespace, eps_smoothing};
        const size_t width = 3 * options.orders();
        std::vector<double> out(hypotheses.size() * width);
        {
          nb::gil_scoped_release release;
          chrf_stats(hypotheses, view(lists), refs, options, threads, out);
        }
        return to_numpy(std::move(out), width);
      },
      "blob"_a, "offsets"_a, "lists"_a, "references"_a, "char_order"_a, "word_order"_a, "beta"_a,
      "whitespace"_a, "eps_smoothing"_a, "threads"_a, "chrF statistics, a row a hypothesis.");
});

}  // namespace tunesmith::bind

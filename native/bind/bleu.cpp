#include "tunesmith/bleu.h"

#include "bind.h"
#include "reference_length.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "bleu_stats",
      [](Vector<uint8_t> blob, Vector<int64_t> offsets, Vector<int64_t> lists, const TextArrays& arrays,
         size_t order, const std::string& length, int threads) {
        const BleuOptions options{order, reference_length(length)};
        return measure(blob, offsets, lists, arrays, 2 * order + 1,
                       [&](auto& hypotheses, auto groups, auto& refs, auto out) {
                         bleu_stats(hypotheses, groups, refs, options, threads, out);
                       });
      },
      "blob"_a, "offsets"_a, "lists"_a, "references"_a, "order"_a, "reference_length"_a, "threads"_a,
      "BLEU statistics, a row a hypothesis.");
});

}  // namespace tunesmith::bind

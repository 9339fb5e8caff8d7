#include "tunesmith/edit_distance.h"

#include "bind.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "wer_stats",
      [](Vector<uint8_t> blob, Vector<int64_t> offsets, Vector<int64_t> lists, const TextArrays& arrays,
         int threads) {
        return measure(blob, offsets, lists, arrays, 2,
                       [&](auto& hypotheses, auto groups, auto& refs, auto out) {
                         wer_stats(hypotheses, groups, refs, threads, out);
                       });
      },
      "blob"_a, "offsets"_a, "lists"_a, "references"_a, "threads"_a,
      "WER statistics, a row a hypothesis: edits and reference words.");
});

}  // namespace tunesmith::bind

#include "tunesmith/edit_distance.h"

#include <nanobind/stl/pair.h>

#include "bind.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "wer_stats",
      [](Vector<uint8_t> blob, Vector<int64_t> offsets, Vector<int64_t> lists, const TextArrays& arrays,
         int threads) {
        const Texts hypotheses = texts(blob, offsets);
        check_offsets(view(lists), hypotheses.size(), "lists");
        const auto refs = references(arrays, lists.size() - 1);
        std::vector<double> out(2 * hypotheses.size());
        {
          nb::gil_scoped_release release;
          wer_stats(hypotheses, view(lists), refs, threads, out);
        }
        return to_numpy(std::move(out), 2);
      },
      "blob"_a, "offsets"_a, "lists"_a, "references"_a, "threads"_a,
      "WER statistics, a row a hypothesis: edits and reference words.");
});

}  // namespace tunesmith::bind

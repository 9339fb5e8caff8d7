#include "tunesmith/ngram_presence.h"

#include "forest.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "ngram_presence",
      [](const Forest& forest, const Vector<double>& scores, const Vector<int32_t>& offsets,
         const Vector<int32_t>& ids, size_t count, int threads) {
        return to_numpy(without_gil([&] {
          return ngram_presence(forest, view(scores), {view(offsets), view(ids), count}, threads);
        }));
      },
      "forest"_a, "scores"_a, "offsets"_a, "ids"_a, "count"_a, "threads"_a,
      "The probability of each n-gram to be in a yield; see native/include/tunesmith/ngram_presence.h.");
});

}  // namespace tunesmith::bind

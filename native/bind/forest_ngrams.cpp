#include "tunesmith/forest_ngrams.h"

#include <nanobind/stl/tuple.h>

#include "forest.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "ngram_incidence",
      [](const Forest& forest, size_t order) {
        NgramIncidence found;
        {
          nb::gil_scoped_release release;
          found = ngram_incidence(forest, order);
        }
        return std::make_tuple(to_numpy(std::move(found.words), order), to_numpy(std::move(found.offsets)),
                               to_numpy(std::move(found.ids)), to_numpy(std::move(found.counts)));
      },
      "forest"_a, "order"_a, "(words, offsets, ids, counts); see native/include/tunesmith/forest_ngrams.h.");
});

}  // namespace tunesmith::bind

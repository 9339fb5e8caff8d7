#include "tunesmith/forest_ngrams.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "forest.h"
#include "pool_arrays.h"

namespace tunesmith::bind {

namespace {

auto incidence_arrays(NgramIncidence&& found) {
  return std::make_tuple(to_numpy(std::move(found.words), found.order), to_numpy(std::move(found.offsets)),
                         to_numpy(std::move(found.ids)), to_numpy(std::move(found.counts)),
                         to_numpy(std::move(found.edge_words)));
}

}  // namespace

static const Join join([](nb::module_& m) {
  m.def(
      "ngram_incidence",
      [](const Forest& forest, size_t order) {
        return incidence_arrays(without_gil([&] { return ngram_incidence(forest, order); }));
      },
      "forest"_a, "order"_a,
      "(words, offsets, ids, counts, edge_words); see native/include/tunesmith/forest_ngrams.h.");
  m.def(
      "reference_ngram_incidence",
      [](const Forest& forest, size_t order, const Vector<uint8_t>& blob, const Vector<int64_t>& offsets) {
        const Texts references = texts(blob, offsets);
        std::vector<int32_t> limits;
        TextColumn vocabulary;
        NgramIncidence found = without_gil([&] {
          const ReferenceNgrams ngrams(forest, references, order);
          for (uint32_t i = 0; i < ngrams.size(); ++i) limits.push_back(ngrams.limit(i));
          vocabulary = ngrams.vocabulary();
          return ngram_incidence(forest, ngrams);
        });
        return std::make_tuple(incidence_arrays(std::move(found)), to_numpy(std::move(limits)),
                               to_numpy(std::move(vocabulary)));
      },
      "forest"_a, "order"_a, "blob"_a, "offsets"_a,
      "The incidence of the references' n-grams, their limits, and the references' words.");
});

}  // namespace tunesmith::bind

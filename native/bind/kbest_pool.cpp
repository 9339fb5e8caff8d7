#include "tunesmith/kbest_pool.h"

#include <nanobind/stl/optional.h>

#include "derivations.h"
#include "pool_arrays.h"

namespace tunesmith::bind {

namespace {

using TextView = std::pair<Vector<uint8_t>, Vector<int64_t>>;

}  // namespace

static const Join join([](nb::module_& m) {
  m.def(
      "kbest_pool",
      [](const std::vector<const Forest*>& forests, const TextView& names, const Vector<double>& weights,
         std::optional<double> missing, const TextView& ids, uint32_t k, bool unique, uint64_t patience,
         bool allow_missing, int threads) {
        const NamedWeights named{texts(names.first, names.second), view(weights), missing};
        const Texts numbered = texts(ids.first, ids.second);
        const KbestOptions options{k, unique, patience};
        return PythonArrays(without_gil(
            [&] { return kbest_pool(forests, named, numbered, options, allow_missing, threads); }));
      },
      "forests"_a, "names"_a, "weights"_a, "missing"_a.none(), "ids"_a, "k"_a, "unique"_a, "patience"_a,
      "allow_missing"_a, "threads"_a, "The k best derivations of forests as candidate lists.");
});

}  // namespace tunesmith::bind

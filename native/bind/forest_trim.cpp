#include "tunesmith/forest_trim.h"

#include "derivations.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "useful_edges",
      [](const Forest& forest, const Vector<uint8_t>& keep) {
        return to_numpy(without_gil([&] { return useful_edges(forest, view(keep)); }));
      },
      "forest"_a, "keep"_a, "Which kept edges are in derivations of kept edges.");
  m.def(
      "trim",
      [](const Forest& forest, const Vector<uint8_t>& keep) {
        return without_gil([&] { return trim(forest, view(keep)); });
      },
      "forest"_a, "keep"_a, "The forest of the useful edges among the kept ones.");
});

}  // namespace tunesmith::bind

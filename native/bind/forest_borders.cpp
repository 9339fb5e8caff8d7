#include "tunesmith/forest_borders.h"

#include <nanobind/stl/tuple.h>

#include "forest.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "with_borders",
      [](const Forest& forest) {
        BorderedForest made = without_gil([&] { return with_borders(forest); });
        return std::make_tuple(std::move(made.forest), made.words.begin, made.words.end);
      },
      "forest"_a, "The forest with a word before and one after each yield, and the numbers of these words.");
});

}  // namespace tunesmith::bind

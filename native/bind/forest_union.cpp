#include "tunesmith/forest_union.h"

#include "derivations.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "unite_forests",
      [](const std::vector<const Forest*>& forests) {
        return without_gil([&] { return unite_forests(forests); });
      },
      "forests"_a, "One forest with the derivations of all.");
});

}  // namespace tunesmith::bind

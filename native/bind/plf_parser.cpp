#include "tunesmith/plf_parser.h"

#include "bind.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "parse_plf",
      [](std::string_view text) {
        nb::gil_scoped_release release;
        return parse_plf(text);
      },
      "text"_a, "A word lattice in PLF.");
});

}  // namespace tunesmith::bind

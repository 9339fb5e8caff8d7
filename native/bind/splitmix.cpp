#include "tunesmith/splitmix.h"

#include "bind.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "list_uniforms",
      [](Vector<int64_t> lists, uint64_t seed) {
        if (lists.size() == 0) throw InputError("offsets must start with 0");
        check_offsets(view(lists), lists.data()[lists.size() - 1], "candidate lists");
        std::vector<double> out(lists.data()[lists.size() - 1]);
        for (size_t list = 0; list + 1 < lists.size(); ++list) {
          SplitMix random(seed, list);
          for (int64_t i = lists.data()[list]; i < lists.data()[list + 1]; ++i) out[i] = random.uniform();
        }
        return to_numpy(std::move(out));
      },
      "lists"_a, "seed"_a,
      "A random number between 0 and 1 for each candidate; those of a list do not depend on other lists.");
});

}  // namespace tunesmith::bind

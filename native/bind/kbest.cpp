#include "tunesmith/kbest.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "derivations.h"

namespace tunesmith::bind {

namespace {

/// Keeps the scores, which Python could change, beside the search that needs them.
class DerivationStream {
 public:
  DerivationStream(const Forest& forest, const Vector<double>& scores)
      : scores_(scores.data(), scores.data() + scores.size()), kbest_(forest, scores_) {}

  /// With the GIL: two threads may ask one stream.
  std::optional<std::pair<double, NewVector<uint32_t>>> next() {
    auto derivation = kbest_.next();
    if (!derivation) return std::nullopt;
    return std::pair(derivation->score, to_numpy(std::move(derivation->edges)));
  }

 private:
  std::vector<double> scores_;
  LazyKbest kbest_;
};

}  // namespace

static const Join join([](nb::module_& m) {
  nb::class_<DerivationStream>(m, "DerivationStream", "Derivations by falling score, found when asked for.")
      .def(nb::init<const Forest&, const Vector<double>&>(), "forest"_a, "scores"_a, nb::keep_alive<1, 2>())
      .def("next", &DerivationStream::next, "The score and the edges of the next one, or None.");
  m.def(
      "kbest",
      [](const Forest& forest, const Vector<double>& scores, uint32_t k, bool unique, uint64_t patience) {
        return derivation_arrays(
            without_gil([&] { return kbest(forest, view(scores), {k, unique, patience}); }));
      },
      "forest"_a, "scores"_a, "k"_a, "unique"_a, "patience"_a, "The k best derivations.");
});

}  // namespace tunesmith::bind

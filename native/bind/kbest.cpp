#include "tunesmith/kbest.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <mutex>

#include "derivations.h"

namespace tunesmith::bind {

namespace {

/// Keeps the scores, which Python could change, beside the search that needs them.
class DerivationStream {
 public:
  DerivationStream(const Forest& forest, const Vector<double>& scores)
      : scores_(scores.data(), scores.data() + scores.size()), kbest_(forest, scores_) {}

  /// Two threads may ask one stream: they take turns.
  std::optional<std::pair<double, NewVector<uint32_t>>> next() {
    auto derivation = without_gil([&] {
      const std::lock_guard turn(mutex_);
      return kbest_.next();
    });
    if (!derivation) return std::nullopt;
    return to_python(std::move(*derivation));
  }

 private:
  std::vector<double> scores_;
  LazyKbest kbest_;
  std::mutex mutex_;
};

}  // namespace

static const Join join([](nb::module_& m) {
  nb::class_<DerivationStream>(m, "DerivationStream", "Derivations by falling score, found when asked for.")
      .def(
          "__init__",
          [](DerivationStream* self, const Forest& forest, const Vector<double>& scores) {
            without_gil([&] { new (self) DerivationStream(forest, scores); });
          },
          "forest"_a, "scores"_a, nb::keep_alive<1, 2>())
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

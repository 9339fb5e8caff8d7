#include <nanobind/stl/function.h>
#include <nanobind/stl/tuple.h>

#include "bind/corpus/views.h"
#include "tunesmith/extract/classes/exchange.h"

namespace tunesmith::bind {

void bind_extract_classes(nb::module_& m) {
  m.def(
      "exchange_classes",
      [](const Vector<int32_t>& words, const Vector<int64_t>& offsets, size_t vocabulary, int classes,
         int passes, int threads, const extract::classes::ClassProgress& progress) {
        const corpus::Sentences text = sentences(words, offsets);
        const extract::classes::ClassProgress report = [&](int pass, int64_t moved, double information) {
          const GilHeld gil;
          progress(pass, moved, information);
        };
        extract::classes::ExchangedClasses result = without_gil([&] {
          return extract::classes::exchange_classes(text, vocabulary, {classes, passes, threads}, report);
        });
        return std::make_tuple(to_numpy(std::move(result.classes)), result.mutual_information, result.passes,
                               result.moved);
      },
      "words"_a, "offsets"_a, "vocabulary"_a, "classes"_a, "passes"_a, "threads"_a, "progress"_a);
  m.def(
      "mutual_information",
      [](const Vector<int32_t>& words, const Vector<int64_t>& offsets, const Vector<int32_t>& classes) {
        const corpus::Sentences text = sentences(words, offsets);
        return without_gil([&] { return extract::classes::mutual_information(text, view(classes)); });
      },
      "words"_a, "offsets"_a, "classes"_a);
}

}  // namespace tunesmith::bind

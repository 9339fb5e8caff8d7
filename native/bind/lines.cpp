#include "tunesmith/lines.h"

#include "corpus.h"
#include "pool_arrays.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  nb::class_<LineCollector>(m, "LineCollector")
      .def(nb::init<>())
      .def("__len__", &LineCollector::size)
      .def(
          "feed", [](LineCollector& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def(
          "take", [](LineCollector& self, size_t most) { return to_numpy(self.take(most)); }, "most"_a)
      .def("finish", [](LineCollector& self) { end(self); });

  m.def(
      "space_lines",
      [](const Vector<uint8_t>& blob, const Vector<int64_t>& offsets) {
        const Texts lines = texts(blob, offsets);
        SpacedLines spaced;
        {
          nb::gil_scoped_release release;
          spaced = space_lines(lines);
        }
        return std::make_pair(to_numpy(std::move(spaced.lines)), to_numpy(std::move(spaced.controls)));
      },
      "blob"_a, "offsets"_a);

  m.def(
      "count_tokens",
      [](const Vector<uint8_t>& blob, const Vector<int64_t>& offsets) {
        const Texts lines = texts(blob, offsets);
        std::vector<int64_t> counts;
        {
          nb::gil_scoped_release release;
          counts = count_tokens(lines);
        }
        return to_numpy(std::move(counts));
      },
      "blob"_a, "offsets"_a);

  m.def(
      "join_lines",
      [](const Vector<uint8_t>& blob, const Vector<int64_t>& offsets) {
        const Texts lines = texts(blob, offsets);
        std::string joined;
        {
          nb::gil_scoped_release release;
          joined = join_lines(lines);
        }
        return nb::bytes(joined.data(), joined.size());
      },
      "blob"_a, "offsets"_a);
});

}  // namespace tunesmith::bind

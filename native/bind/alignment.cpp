#include "corpus.h"
#include "pool_arrays.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  nb::class_<AlignmentParser>(m, "AlignmentParser")
      .def(nb::init<>())
      .def(
          "feed", [](AlignmentParser& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def("finish", [](AlignmentParser& self) {
        end(self);
        return to_numpy(self.take_links(), self.take_offsets());
      });

  m.def(
      "check_alignments",
      [](const Matrix<int32_t>& links, const Vector<int64_t>& offsets,
         const std::pair<Vector<int32_t>, Vector<int64_t>>& source,
         const std::pair<Vector<int32_t>, Vector<int64_t>>& target) {
        const Alignments checked = alignments(links, offsets);
        const Sentences from = sentences(source.first, source.second);
        const Sentences to = sentences(target.first, target.second);
        nb::gil_scoped_release release;
        check_alignments(checked, from, to);
      },
      "links"_a, "offsets"_a, "source"_a, "target"_a);

  m.def(
      "format_alignments",
      [](const Matrix<int32_t>& links, const Vector<int64_t>& offsets) {
        const Alignments all = alignments(links, offsets);
        TextColumn lines;
        {
          nb::gil_scoped_release release;
          std::string line;
          for (size_t i = 0; i < all.size(); ++i) {
            line.clear();
            append_links(all[i], line);
            lines.add(line);
          }
        }
        return to_numpy(std::move(lines));
      },
      "links"_a, "offsets"_a);
});

}  // namespace tunesmith::bind

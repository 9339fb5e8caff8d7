// Files of lists of events, as statistics.
#include <algorithm>

#include "bind/bind.h"
#include "tunesmith/xbleu/list_file.h"

namespace tunesmith::bind {

namespace {

using xbleu::ListFile;
using xbleu::ListWriter;
using xbleu::Matches;

NewMatrix<double> statistics(const ListFile& file) {
  std::vector<double> rows;
  without_gil([&] {
    rows.reserve(file.candidate_count() * 9);
    for (size_t i = 0; i < file.size(); ++i) {
      const xbleu::ListView list = file[i];
      for (const Matches& matches : list.matches) {
        for (int n = 0; n < 4; ++n) {
          rows.push_back(matches.of[static_cast<size_t>(n)]);
          rows.push_back(std::max(0, matches.length - n));
        }
        rows.push_back(list.reference_length);
      }
    }
  });
  return to_numpy(std::move(rows), 9);
}

}  // namespace

void bind_xbleu_lists(nb::module_& m) {
  nb::class_<ListWriter>(m, "ListWriter", "A file of n-best lists in the making.")
      .def(nb::init<>())
      .def("__len__", &ListWriter::size)
      .def("write", &ListWriter::write, "path"_a, nb::call_guard<GilReleased>());
  nb::class_<ListFile>(m, "ListFile", "A file of n-best lists as events.")
      .def(nb::init<const std::string&>(), "path"_a)
      .def("__len__", &ListFile::size)
      .def_prop_ro("candidate_count", &ListFile::candidate_count)
      .def_prop_ro("event_count", &ListFile::event_count)
      .def_prop_ro("bytes", &ListFile::bytes)
      .def("statistics", &statistics, "Statistics of BLEU, one row per candidate.");
}

}  // namespace tunesmith::bind

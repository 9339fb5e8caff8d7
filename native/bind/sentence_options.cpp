#include "tunesmith/sentence_options.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "bind.h"

namespace tunesmith::bind {

namespace {

using Given = std::tuple<uint32_t, uint32_t, std::string, float>;

void set_phrases(OptionDemands& demands, const std::vector<Given>& given, bool is_exclusive) {
  demands.phrases.clear();
  for (const auto& [begin, end, target, probability] : given)
    demands.phrases.push_back({{begin, end}, target, probability});
  demands.is_exclusive = is_exclusive;
}

LeaveOneOut leave_one_out(const Matrix<int32_t>& links, int max_length, float singleton, bool by_length,
                          size_t inverse_column, size_t direct_column) {
  if (links.shape(1) != 2) throw InputError("links are rows of two word positions");
  LeaveOneOut options{{}, max_length, singleton, by_length, inverse_column, direct_column};
  for (size_t i = 0; i < links.shape(0); ++i)
    options.alignment.push_back({links.data()[2 * i], links.data()[2 * i + 1]});
  return options;
}

}  // namespace

static const Join join([](nb::module_& m) {
  nb::class_<LeaveOneOut>(m, "LeaveOneOut", "How a sentence pair is taken out of the counts of a table.")
      .def(
          "__init__",
          [](LeaveOneOut* self, const Matrix<int32_t>& links, int max_length, float singleton, bool by_length,
             size_t inverse_column, size_t direct_column) {
            new (self) LeaveOneOut(
                leave_one_out(links, max_length, singleton, by_length, inverse_column, direct_column));
          },
          "links"_a, "max_length"_a, "singleton"_a, "by_length"_a, "inverse_column"_a, "direct_column"_a);
  nb::class_<OptionDemands>(m, "OptionDemands", "What a request says of the options of its sentence.")
      .def(nb::init<>())
      .def("set_phrases", &set_phrases, "phrases"_a, "is_exclusive"_a,
           "Gives translations (begin, end, target, probability) of source words.")
      .def_rw("leave_one_out", &OptionDemands::leave_one_out, nb::arg().none())
      .def_rw("table_limit", &OptionDemands::table_limit, nb::arg().none())
      .def_rw("drops_words", &OptionDemands::drops_words);
});

}  // namespace tunesmith::bind

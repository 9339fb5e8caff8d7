#include "tunesmith/lm_chart.h"

#include <nanobind/operators.h>

#include "bind.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  nb::class_<LmChartState>(m, "LmChartState", "What a language model needs to know of a piece of a sentence.")
      .def_prop_ro("left",
                   [](const LmChartState& self) {
                     return std::vector<int32_t>(self.left.words, self.left.words + self.left.length);
                   })
      .def_prop_ro("full", [](const LmChartState& self) { return self.left.full; })
      .def_prop_ro("right",
                   [](const LmChartState& self) {
                     return std::vector<int32_t>(self.right.words, self.right.words + self.right.length);
                   })
      .def("__hash__", &LmChartState::hash)
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"));
  nb::class_<LmPiece>(m, "LmPiece", "Scores a piece of a sentence from words and smaller pieces.")
      .def(nb::init<const NgramLm&>(), "model"_a, nb::keep_alive<1, 2>())
      .def("begin_sentence", &LmPiece::begin_sentence)
      .def("word", &LmPiece::word, "word"_a)
      .def("piece", &LmPiece::piece, "inner"_a)
      .def_prop_ro("score", &LmPiece::score)
      .def_prop_ro("state", &LmPiece::state);
});

}  // namespace tunesmith::bind

#include "tunesmith/scorer.h"

#include <nanobind/stl/shared_ptr.h>

#include "bind.h"

namespace tunesmith::bind {

namespace {

/// A scorer that asks Python: `gain(stats[rows, width]) -> [rows]`, `size(stats[width]) -> float`.
std::shared_ptr<Scorer> python_scorer(size_t width, nb::callable gain, nb::callable size) {
  auto ask_gain = [width, gain](const double* stats, size_t rows, double* out) {
    nb::gil_scoped_acquire acquire;
    nb::ndarray<const double, nb::numpy, nb::ndim<2>> input(stats, {rows, width}, nb::handle());
    auto answer = nb::cast<Vector<double>>(gain(nb::cast(input, nb::rv_policy::copy)));
    if (answer.size() != rows) throw InputError("a metric returned the wrong number of scores");
    std::copy(answer.data(), answer.data() + rows, out);
  };
  auto ask_size = [width, size](const double* stats) {
    nb::gil_scoped_acquire acquire;
    nb::ndarray<const double, nb::numpy, nb::ndim<1>> input(stats, {width}, nb::handle());
    return nb::cast<double>(size(nb::cast(input, nb::rv_policy::copy)));
  };
  return std::make_shared<CallbackScorer>(width, ask_gain, ask_size);
}

}  // namespace

static const Join join([](nb::module_& m) {
  nb::class_<Scorer>(m, "Scorer", "Maps statistics to gains: scores turned so that more is better.")
      .def("width", &Scorer::width)
      .def(
          "gain",
          [](const Scorer& scorer, Matrix<double> stats) {
            if (stats.shape(1) != scorer.width()) throw InputError("statistics of the wrong width");
            std::vector<double> out(stats.shape(0));
            scorer.gain(stats.data(), out.size(), out.data());
            return to_numpy(std::move(out));
          },
          "stats"_a)
      .def(
          "size",
          [](const Scorer& scorer, Vector<double> stats) {
            if (stats.size() != scorer.width()) throw InputError("statistics of the wrong width");
            return scorer.size(stats.data());
          },
          "stats"_a);
  m.def(
      "bleu_scorer",
      [](size_t order) -> std::shared_ptr<Scorer> { return std::make_shared<BleuScorer>(order); }, "order"_a);
  m.def(
      "ratio_scorer",
      [](double sign) -> std::shared_ptr<Scorer> { return std::make_shared<RatioScorer>(sign); }, "sign"_a);
  m.def("python_scorer", &python_scorer, "width"_a, "gain"_a, "size"_a);
});

}  // namespace tunesmith::bind

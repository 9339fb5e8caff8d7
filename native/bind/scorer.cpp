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

BleuSmoothing bleu_smoothing(const std::string& name) {
  if (name == "none") return BleuSmoothing::none;
  if (name == "floor") return BleuSmoothing::floor;
  if (name == "exp") return BleuSmoothing::exponential;
  if (name == "add-k") return BleuSmoothing::add;
  throw InputError("unknown smoothing '" + name + "'");
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
            {
              nb::gil_scoped_release release;
              scorer.gain(stats.data(), out.size(), out.data());
            }
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
      [](size_t order, const std::string& smoothing, double value) -> std::shared_ptr<Scorer> {
        if (order < 1) throw InputError("the order of BLEU must be at least 1");
        return std::make_shared<BleuScorer>(order, bleu_smoothing(smoothing), value);
      },
      "order"_a, "smoothing"_a, "value"_a);
  m.def(
      "chrf_scorer",
      [](size_t char_order, size_t word_order, double beta, bool eps_smoothing) -> std::shared_ptr<Scorer> {
        return std::make_shared<ChrfScorer>(ChrfOptions{char_order, word_order, beta, false, eps_smoothing});
      },
      "char_order"_a, "word_order"_a, "beta"_a, "eps_smoothing"_a);
  m.def(
      "ratio_scorer",
      [](double sign) -> std::shared_ptr<Scorer> { return std::make_shared<RatioScorer>(sign); }, "sign"_a);
  m.def(
      "sum_scorer",
      [](double constant, const std::vector<double>& weights,
         const std::vector<std::shared_ptr<Scorer>>& scorers) -> std::shared_ptr<Scorer> {
        if (weights.size() != scorers.size()) throw InputError("a sum of metrics needs a weight for each");
        std::vector<SumScorer::Part> parts;
        for (size_t i = 0; i < weights.size(); ++i) parts.push_back({weights[i], scorers[i]});
        return std::make_shared<SumScorer>(constant, std::move(parts));
      },
      "constant"_a, "weights"_a, "scorers"_a);
  m.def("python_scorer", &python_scorer, "width"_a, "gain"_a, "size"_a,
        nb::sig("def python_scorer(width: int, gain: collections.abc.Callable[..., object], "
                "size: collections.abc.Callable[..., float]) -> Scorer"));
});

}  // namespace tunesmith::bind

#include <nanobind/stl/shared_ptr.h>

#include "bind/bind.h"
#include "bind/metrics/reference_length.h"
#include "tunesmith/metrics/bleu.h"
#include "tunesmith/metrics/chrf.h"
#include "tunesmith/metrics/edit_distance.h"
#include "tunesmith/metrics/scorer.h"
#include "tunesmith/metrics/ter.h"

namespace tunesmith::bind {

namespace {

/// A scorer that calls Python: `gain(stats[rows, width]) -> [rows]`, `size(stats[width]) -> float`.
std::shared_ptr<metrics::Scorer> python_scorer(size_t width, nb::callable gain, nb::callable size) {
  auto ask_gain = [width, gain](const double* stats, size_t rows, double* out) {
    const GilHeld gil;
    nb::ndarray<const double, nb::numpy, nb::ndim<2>> input(stats, {rows, width}, nb::handle());
    auto answer = nb::cast<Vector<double>>(gain(nb::cast(input, nb::rv_policy::copy)));
    if (answer.size() != rows)
      throw InputError("a metric returned " + std::to_string(answer.size()) + " scores; expected " +
                       std::to_string(rows));
    std::copy(answer.data(), answer.data() + rows, out);
  };
  auto ask_size = [width, size](const double* stats) {
    const GilHeld gil;
    nb::ndarray<const double, nb::numpy, nb::ndim<1>> input(stats, {width}, nb::handle());
    return nb::cast<double>(size(nb::cast(input, nb::rv_policy::copy)));
  };
  return std::make_shared<metrics::CallbackScorer>(width, ask_gain, ask_size);
}

metrics::BleuSmoothing bleu_smoothing(const std::string& name) {
  if (name == "none") return metrics::BleuSmoothing::none;
  if (name == "floor") return metrics::BleuSmoothing::floor;
  if (name == "exp") return metrics::BleuSmoothing::exponential;
  if (name == "add-k") return metrics::BleuSmoothing::add;
  throw InputError("unknown smoothing '" + name + "'; expected none, floor, exp or add-k");
}

void add_scorer(nb::module_& m) {
  nb::class_<metrics::Scorer>(m, "Scorer", "Maps statistics to gains: scores for which higher is better.")
      .def("width", &metrics::Scorer::width)
      .def(
          "gain",
          [](const metrics::Scorer& scorer, Matrix<double> stats) {
            if (stats.shape(1) != scorer.width()) throw InputError("the statistics have the wrong width");
            std::vector<double> out(stats.shape(0));
            without_gil([&] { scorer.gain(stats.data(), out.size(), out.data()); });
            return to_numpy(std::move(out));
          },
          "stats"_a)
      .def(
          "size",
          [](const metrics::Scorer& scorer, Vector<double> stats) {
            if (stats.size() != scorer.width()) throw InputError("the statistics have the wrong width");
            return scorer.size(stats.data());
          },
          "stats"_a);
  m.def(
      "bleu_scorer",
      [](size_t order, const std::string& smoothing, double value,
         bool effective_order) -> std::shared_ptr<metrics::Scorer> {
        if (order < 1) throw InputError("the order of BLEU must be at least 1");
        return std::make_shared<metrics::BleuScorer>(order, bleu_smoothing(smoothing), value,
                                                     effective_order);
      },
      "order"_a, "smoothing"_a, "value"_a, "effective_order"_a = false);
  m.def(
      "chrf_scorer",
      [](size_t char_order, size_t word_order, double beta,
         bool eps_smoothing) -> std::shared_ptr<metrics::Scorer> {
        return std::make_shared<metrics::ChrfScorer>(
            metrics::ChrfOptions{char_order, word_order, beta, false, eps_smoothing});
      },
      "char_order"_a, "word_order"_a, "beta"_a, "eps_smoothing"_a);
  m.def(
      "ratio_scorer",
      [](double sign) -> std::shared_ptr<metrics::Scorer> {
        return std::make_shared<metrics::RatioScorer>(sign);
      },
      "sign"_a);
  m.def(
      "sum_scorer",
      [](double constant, const std::vector<double>& weights,
         const std::vector<std::shared_ptr<metrics::Scorer>>& scorers) -> std::shared_ptr<metrics::Scorer> {
        if (weights.size() != scorers.size())
          throw InputError("a sum of metrics needs one weight per metric");
        std::vector<metrics::SumScorer::Part> parts;
        for (size_t i = 0; i < weights.size(); ++i) parts.push_back({weights[i], scorers[i]});
        return std::make_shared<metrics::SumScorer>(constant, std::move(parts));
      },
      "constant"_a, "weights"_a, "scorers"_a);
  m.def("python_scorer", &python_scorer, "width"_a, "gain"_a, "size"_a,
        nb::sig("def python_scorer(width: int, gain: collections.abc.Callable[..., object], "
                "size: collections.abc.Callable[..., float]) -> Scorer"));
}

void add_bleu(nb::module_& m) {
  m.def(
      "bleu_stats",
      [](Vector<uint8_t> blob, Vector<int64_t> offsets, Vector<int64_t> lists, const TextArrays& arrays,
         size_t order, const std::string& length, int threads) {
        const metrics::BleuOptions options{order, reference_length(length)};
        return measure(blob, offsets, lists, arrays, 2 * order + 1,
                       [&](auto& hypotheses, auto groups, auto& refs, auto out) {
                         metrics::bleu_stats(hypotheses, groups, refs, options, threads, out);
                       });
      },
      "blob"_a, "offsets"_a, "lists"_a, "references"_a, "order"_a, "reference_length"_a, "threads"_a,
      "BLEU statistics, one row per hypothesis.");
}

void add_chrf(nb::module_& m) {
  m.def(
      "chrf_stats",
      [](Vector<uint8_t> blob, Vector<int64_t> offsets, Vector<int64_t> lists, const TextArrays& arrays,
         size_t char_order, size_t word_order, double beta, bool whitespace, bool eps_smoothing,
         int threads) {
        const metrics::ChrfOptions options{char_order, word_order, beta, whitespace, eps_smoothing};
        return measure(blob, offsets, lists, arrays, 3 * options.orders(),
                       [&](auto& hypotheses, auto groups, auto& refs, auto out) {
                         metrics::chrf_stats(hypotheses, groups, refs, options, threads, out);
                       });
      },
      "blob"_a, "offsets"_a, "lists"_a, "references"_a, "char_order"_a, "word_order"_a, "beta"_a,
      "whitespace"_a, "eps_smoothing"_a, "threads"_a, "chrF statistics, one row per hypothesis.");
}

void add_ter(nb::module_& m) {
  m.def(
      "ter_stats",
      [](Vector<uint8_t> blob, Vector<int64_t> offsets, Vector<int64_t> lists, const TextArrays& arrays,
         int threads) {
        return measure(blob, offsets, lists, arrays, 2,
                       [&](auto& hypotheses, auto groups, auto& refs, auto out) {
                         metrics::ter_stats(hypotheses, groups, refs, threads, out);
                       });
      },
      "blob"_a, "offsets"_a, "lists"_a, "references"_a, "threads"_a,
      "TER statistics, one row per hypothesis: edits and reference words.");
}

void add_edit_distance(nb::module_& m) {
  m.def(
      "wer_stats",
      [](Vector<uint8_t> blob, Vector<int64_t> offsets, Vector<int64_t> lists, const TextArrays& arrays,
         int threads) {
        return measure(blob, offsets, lists, arrays, 2,
                       [&](auto& hypotheses, auto groups, auto& refs, auto out) {
                         metrics::wer_stats(hypotheses, groups, refs, threads, out);
                       });
      },
      "blob"_a, "offsets"_a, "lists"_a, "references"_a, "threads"_a,
      "WER statistics, one row per hypothesis: edits and reference words.");
}

}  // namespace

void bind_metrics(nb::module_& m) {
  add_scorer(m);
  add_bleu(m);
  add_chrf(m);
  add_ter(m);
  add_edit_distance(m);
}

}  // namespace tunesmith::bind

#include "tunesmith/chart_decoder.h"

#include <nanobind/stl/shared_ptr.h>

#include "bind.h"
#include "signals.h"

namespace tunesmith::bind {

namespace {

std::vector<Translation> translate_by_chart(const WeightedModel& model, const ChartDecoderSettings& settings,
                                            const std::vector<DecoderRequest>& requests, int threads) {
  nb::gil_scoped_release release;
  const auto maker = [&] { return std::make_unique<ChartDecoder>(model, settings); };
  return translate_all(maker, requests, threads, check_signals);
}

}  // namespace

static const Join join([](nb::module_& m) {
  nb::class_<ChartSettings>(m, "ChartSettings")
      .def(nb::init<>())
      .def_rw("pop_limit", &ChartSettings::pop_limit)
      .def_rw("cell_size", &ChartSettings::cell_size)
      .def_rw("beam_threshold", &ChartSettings::beam_threshold)
      .def_rw("keep_all", &ChartSettings::keep_all)
      .def_rw("memory_limit", &ChartSettings::memory_limit);
  nb::class_<ChartDecoderSettings>(m, "ChartDecoderSettings")
      .def(nb::init<>())
      .def_rw("search", &ChartDecoderSettings::search)
      .def_rw("unknown_words", &ChartDecoderSettings::unknown_words)
      .def_rw("make_forest", &ChartDecoderSettings::make_forest);
  m.def("translate_by_chart", &translate_by_chart, "model"_a, "settings"_a, "requests"_a, "threads"_a);
});

}  // namespace tunesmith::bind

// Forced derivations of blocks of sentences.
#include "bind/bind.h"
#include "bind/signals.h"
#include "tunesmith/decode/phrase/decoder.h"
#include "tunesmith/reestimate/forced_drafts.h"

namespace tunesmith::bind {

namespace {

using reestimate::ForcedDrafts;

std::vector<int64_t> search(ForcedDrafts& self, const decode::WeightedModel& model,
                            decode::phrase::PhraseDecoderOptions options,
                            const std::vector<decode::DecoderRequest>& requests,
                            const std::vector<uint32_t>& numbers, int threads) {
  options.search.keep_all = options.search.keep_scores = true;
  const auto make = [&] { return std::make_unique<decode::phrase::PhraseDecoder>(model, options); };
  return self.search(make, model.model(), requests, numbers, threads, check_signals);
}

}  // namespace

void bind_reestimate_forced(nb::module_& m) {
  nb::class_<ForcedDrafts>(m, "ForcedDrafts", "The forced derivations of a block of sentences.")
      .def(nb::init<std::vector<std::string>, std::vector<uint32_t>, size_t>(), "sources"_a, "rows"_a,
           "nbest"_a)
      .def("search", &search, "model"_a, "options"_a, "requests"_a, "numbers"_a, "threads"_a,
           nb::call_guard<GilReleased>(),
           "Searches for the derivations of some sentences, by number. Returns how many each has; -1 if its "
           "target is not reached, 0 if it is too large.")
      .def("write", &ForcedDrafts::write, "path"_a, nb::call_guard<GilReleased>());
}

}  // namespace tunesmith::bind

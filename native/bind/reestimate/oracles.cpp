// Oracles of texts.
#include <nanobind/stl/array.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "bind/bind.h"
#include "bind/signals.h"
#include "tunesmith/decode/chart/decoder.h"
#include "tunesmith/decode/phrase/decoder.h"
#include "tunesmith/extract/rules/format.h"
#include "tunesmith/reestimate/decode_oracles.h"
#include "tunesmith/reestimate/draft_builder.h"
#include "tunesmith/reestimate/index_rules.h"
#include "tunesmith/reestimate/rule_draft_builder.h"

namespace tunesmith::bind {

namespace {

using reestimate::BleuSums;
using reestimate::OracleCounts;
using reestimate::OracleSettings;

/// Begin, end, path of the derivations, path of the forests.
using BlockFields = std::tuple<size_t, size_t, std::string, std::string>;

void search_oracles(const reestimate::OracleDecoding& decoding, const TextPair& sources,
                    const TextPair& references, const Vector<uint32_t>& rows,
                    const std::vector<BlockFields>& fields, const OracleSettings& settings, int threads,
                    const std::function<void(size_t, const OracleCounts&)>& finished) {
  const Texts source_texts = texts(sources), reference_texts = texts(references);
  std::vector<reestimate::OracleBlock> blocks;
  for (const auto& [begin, end, path, forests] : fields) blocks.push_back({begin, end, path, forests});
  const auto report = [&](size_t block, const OracleCounts& counts) {
    const GilHeld gil;
    finished(block, counts);
  };
  without_gil([&] {
    reestimate::decode_oracles(decoding, source_texts, reference_texts, view(rows), blocks, settings, threads,
                               check_signals, report);
    return 0;
  });
}

void decode_oracles(const decode::WeightedModel& model, decode::phrase::PhraseDecoderOptions options,
                    const TextPair& sources, const TextPair& references, const Vector<uint32_t>& rows,
                    const std::vector<BlockFields>& fields, const OracleSettings& settings, int threads,
                    const std::function<void(size_t, const OracleCounts&)>& finished) {
  options.search.keep_all = options.search.keep_scores = true;
  const reestimate::OracleDecoding decoding{
      [&] { return std::make_unique<decode::phrase::PhraseDecoder>(model, options); },
      [&](const decode::ScoredForest& scored, std::string_view source, uint32_t row) {
        const forest::Forest& forest = *scored.forest();
        return std::make_unique<reestimate::PhraseDraftBuilder>(
            forest, source, row, reestimate::table_links(model.model(), forest));
      }};
  search_oracles(decoding, sources, references, rows, fields, settings, threads, finished);
}

/// The same in charts. `texts` are the parts of the model that are small texts; without `of_rules` the
/// derivations are of the phrase pairs of its tables.
void decode_chart_oracles(const decode::WeightedModel& model, decode::chart::ChartDecoderOptions options,
                          const std::vector<uint8_t>& texts, bool of_rules,
                          const reestimate::IndexRules* index, const TextPair& sources,
                          const TextPair& references, const Vector<uint32_t>& rows,
                          const std::vector<BlockFields>& fields, const OracleSettings& settings, int threads,
                          const std::function<void(size_t, const OracleCounts&)>& finished) {
  options.search.keep_all = options.search.keep_scores = true;
  const reestimate::UncountedParts uncounted{texts};
  reestimate::OracleDecoding decoding{
      [&] { return std::make_unique<decode::chart::ChartDecoder>(model, options); },
      [&](const decode::ScoredForest& scored, std::string_view source, uint32_t row) {
        return std::make_unique<reestimate::RuleDraftBuilder>(scored, model.model(), uncounted, of_rules,
                                                              source, row);
      }};
  if (index != nullptr)
    decoding.complete = [&](std::string_view source, uint32_t row, decode::DecoderRequest& request) {
      index->add(source, row, request);
    };
  search_oracles(decoding, sources, references, rows, fields, settings, threads, finished);
}

}  // namespace

void bind_reestimate_oracles(nb::module_& m) {
  nb::class_<OracleSettings>(m, "OracleSettings", "How oracles are searched for.")
      .def(nb::init<>())
      .def_rw("nbest", &OracleSettings::nbest)
      .def_rw("mu", &OracleSettings::mu)
      .def_rw("scale", &OracleSettings::scale)
      .def_rw("beam", &OracleSettings::beam)
      .def_rw("background", &OracleSettings::background)
      .def_rw("background_words", &OracleSettings::background_words)
      .def_rw("compare", &OracleSettings::compare)
      .def_rw("exact_work", &OracleSettings::exact_work);
  nb::class_<OracleCounts>(m, "OracleCounts", "What was found in a block.")
      .def_ro("sentences", &OracleCounts::sentences)
      .def_ro("missing", &OracleCounts::missing)
      .def_ro("too_large", &OracleCounts::too_large)
      .def_ro("derivations", &OracleCounts::derivations)
      .def_ro("source_words", &OracleCounts::source_words)
      .def_ro("decode_seconds", &OracleCounts::decode_seconds)
      .def_ro("oracle_seconds", &OracleCounts::oracle_seconds)
      .def_ro("best", &OracleCounts::best)
      .def_ro("oracle", &OracleCounts::oracle)
      .def_ro("compared", &OracleCounts::compared)
      .def_ro("exact", &OracleCounts::exact)
      .def_ro("value_loss", &OracleCounts::value_loss)
      .def_ro("value_loss_of_all", &OracleCounts::value_loss_of_all)
      .def_ro("beam_sums", &OracleCounts::beam_sums)
      .def_ro("exact_sums", &OracleCounts::exact_sums);
  m.def(
      "decode_oracles", &decode_oracles, "model"_a, "options"_a, "sources"_a, "references"_a, "rows"_a,
      "blocks"_a, "settings"_a, "threads"_a, "finished"_a,
      "Writes the derivations of the oracles of each block (begin, end, path, path of forests or \"\"), and "
      "calls finished(block, counts) after each.");
  nb::class_<reestimate::IndexRules>(m, "IndexRules", "The rules of sentences from an index.")
      .def(
          "__init__",
          [](reestimate::IndexRules* self, extract::on_demand::GrammarExtractor& extractor,
             std::vector<uint32_t> columns, std::vector<std::string> names, bool coherent,
             const grammar::GrammarLimits& limits, bool leave_one_out) {
            for (const uint32_t column : columns)
              if (column >= extract::rules::RuleLines::kFeatures || columns.size() != names.size())
                throw InputError("rules of an index have 8 features; expected some of them, and their names");
            new (self) reestimate::IndexRules(
                extractor, {std::move(columns), std::move(names), coherent, limits, leave_one_out});
          },
          "extractor"_a, "columns"_a, "names"_a, "coherent"_a, "limits"_a, "leave_one_out"_a,
          nb::keep_alive<1, 2>());
  m.def("decode_chart_oracles", &decode_chart_oracles, "model"_a, "options"_a, "texts"_a, "of_rules"_a,
        "index"_a.none(), "sources"_a, "references"_a, "rows"_a, "blocks"_a, "settings"_a, "threads"_a,
        "finished"_a,
        "The same in charts. `texts` has 1 for each table or grammar of the model that is a small text; "
        "derivations are of rules, or of the phrase pairs of tables; `index` gives each sentence its rules.");
}

}  // namespace tunesmith::bind

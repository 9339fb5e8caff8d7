// From files of derivations to counts, texts and tables.
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>

#include "bind/bind.h"
#include "bind/corpus/views.h"
#include "tunesmith/reestimate/oracle_text.h"
#include "tunesmith/reestimate/reestimated_table.h"
#include "tunesmith/reestimate/use_counter.h"
#include "tunesmith/tables/phrase_table_builder.h"

namespace tunesmith::bind {

namespace {

using extract::phrases::CountingOptions;
using reestimate::UseCounter;

nb::dict to_dict(const reestimate::UseTotals& totals) {
  nb::dict result;
  result["sentences"] = totals.sentences;
  result["derivations"] = totals.derivations;
  result["uses"] = totals.uses;
  result["untabled"] = totals.untabled;
  return result;
}

/// Counting in memory: events are distinct, and few.
CountingOptions counting(const std::string& folder, int threads) {
  CountingOptions options;
  options.max_length = extract::phrases::kMaxPhraseLength;
  options.temporary = folder;
  options.threads = threads;
  return options;
}

void add_use_counter(nb::module_& m) {
  nb::enum_<reestimate::DerivationShare>(m, "DerivationShare")
      .value("COUNT", reestimate::DerivationShare::kCount)
      .value("EVEN", reestimate::DerivationShare::kEven)
      .value("POSTERIOR", reestimate::DerivationShare::kPosterior);
  nb::class_<UseCounter>(m, "UseCounter", "Counts of the phrase pairs that derivations use.")
      .def(nb::init<reestimate::DerivationShare, double>(), "share"_a, "scale"_a = 1.0)
      .def_prop_ro("pairs", &UseCounter::pairs)
      .def(
          "totals", [](const UseCounter& self) { return to_dict(self.totals()); },
          nb::sig("def totals(self) -> dict[str, int]"))
      .def("count", &UseCounter::count, "file"_a, nb::call_guard<GilReleased>(),
           "Counts the uses of a file, with the orientations of its derivations.")
      .def("extract", &UseCounter::extract, "file"_a, "max_length"_a, "events"_a, "threads"_a,
           nb::call_guard<GilReleased>(),
           "Counts the orientations of used pairs among all that can be extracted from a file.")
      .def(
          "write_uses",
          [](const UseCounter& self, const std::string& path, const std::string& folder, int threads) {
            self.write_uses(path, counting(folder, threads));
          },
          "path"_a, "folder"_a, "threads"_a, nb::call_guard<GilReleased>())
      .def(
          "write_extracted",
          [](const UseCounter& self, const std::string& path, const std::string& folder, int threads) {
            self.write_extracted(path, counting(folder, threads));
          },
          "path"_a, "folder"_a, "threads"_a, nb::call_guard<GilReleased>());
}

nb::dict oracle_text(const std::vector<std::string>& paths, bool untabled) {
  reestimate::OracleText text = without_gil([&] {
    reestimate::OracleText made;
    for (const std::string& path : paths) made.add(reestimate::DerivationFile(path), untabled);
    return made;
  });
  TextColumn words = text.words.take_names();
  nb::dict arrays;
  arrays["sentences"] = to_numpy(std::move(text.sentences));
  arrays["source"] = to_numpy(std::move(text.source));
  arrays["source_offsets"] = to_numpy(std::move(text.source_offsets));
  arrays["target"] = to_numpy(std::move(text.target));
  arrays["target_offsets"] = to_numpy(std::move(text.target_offsets));
  auto links = to_numpy(std::move(text.links), std::move(text.link_offsets));
  arrays["links"] = links.first;
  arrays["link_offsets"] = links.second;
  arrays["blob"] = to_numpy(std::move(words.blob));
  arrays["offsets"] = to_numpy(std::move(words.offsets));
  return arrays;
}

/// Joint counts in the first column, then the score of each pair in each of the tables; 0 if it lacks the
/// pair, -1 if it lacks the source phrase.
NewMatrix<double> matched_scores(const tables::PhraseTable& pairs,
                                 const std::vector<const tables::PhraseTable*>& among, size_t score) {
  const size_t width = among.size() + 1;
  std::vector<double> values = without_gil([&] {
    std::vector<double> rows(pairs.pair_count() * width);
    for (uint32_t pair = 0; pair < pairs.pair_count(); ++pair) rows[pair * width] = pairs.joint_count(pair);
    for (size_t i = 0; i < among.size(); ++i) {
      if (score >= among[i]->score_count()) throw InputError("has no such score", among[i]->path());
      const auto found = reestimate::find_pairs(pairs, *among[i]);
      for (uint32_t pair = 0; pair < found.size(); ++pair) {
        double& value = rows[pair * width + i + 1];
        if (found[pair] < reestimate::kNoSource)
          value = among[i]->scores(found[pair])[score];
        else if (found[pair] == reestimate::kNoSource)
          value = -1;
      }
    }
    return rows;
  });
  return to_numpy(std::move(values), width);
}

void write_reestimated(const tables::PhraseTable& uses, const tables::PhraseTable& baseline,
                       const tables::PhraseTable* orientations, const std::vector<int32_t>& replaced,
                       const std::vector<float>& unseen, tables::PhraseTableBuilder& builder,
                       const std::string& meta) {
  without_gil([&] {
    const tables::PhraseTable& oriented = orientations == nullptr ? uses : *orientations;
    reestimate::write_reestimated({uses, baseline, oriented, replaced, unseen}, builder);
    builder.finish(uses.source_words().words(), uses.target_words().words(), meta);
  });
}

}  // namespace

void bind_reestimate_counting(nb::module_& m) {
  add_use_counter(m);
  m.def("oracle_text", &oracle_text, "paths"_a, "untabled"_a,
        nb::sig("def oracle_text(paths: collections.abc.Sequence[str], untabled: bool) -> dict[str, "
                "numpy.typing.NDArray[typing.Any]]"),
        "The best derivation of each sentence, or only its phrases of a table: a bitext with links, and its "
        "words.");
  m.def("matched_scores", &matched_scores, "pairs"_a, "among"_a, "score"_a,
        "Rows of the count of a pair, and its score in each table: 0 without the pair, -1 without its source "
        "phrase.");
  m.def("write_reestimated", &write_reestimated, "uses"_a, "baseline"_a, "orientations"_a.none(),
        "replaced"_a, "unseen"_a, "builder"_a, "meta"_a);
}

}  // namespace tunesmith::bind

// Counts of rules, and tables of rules made of others.
#include "bind/bind.h"
#include "bind/candidates/arrays.h"
#include "bind/corpus/views.h"
#include "tunesmith/reestimate/rule_tables.h"
#include "tunesmith/reestimate/rule_uses.h"

namespace tunesmith::bind {

namespace {

using grammar::RuleTable;
using reestimate::RuleScore;
using reestimate::RuleUses;

nb::dict totals_of(const RuleUses& uses) {
  nb::dict result;
  result["sentences"] = uses.totals().sentences;
  result["derivations"] = uses.totals().derivations;
  result["uses"] = uses.totals().uses;
  result["untabled"] = uses.totals().untabled;
  return result;
}

void add_rule_uses(nb::module_& m) {
  nb::class_<RuleUses>(m, "RuleUses", "Counts of the rules that derivations use.")
      .def(nb::init<reestimate::DerivationShare, double>(), "share"_a, "scale"_a = 1.0)
      .def_prop_ro("rules", &RuleUses::rules)
      .def("totals", &totals_of, nb::sig("def totals(self) -> dict[str, int]"))
      .def("count", &RuleUses::count, "file"_a, nb::call_guard<GilReleased>())
      .def("words",
           [](const RuleUses& self) {
             TextColumn words;
             for (size_t i = 0; i < self.words().size(); ++i) words.add(self.words()[i]);
             return to_numpy(std::move(words));
           })
      .def(
          "write",
          [](const RuleUses& self, const std::string& path, const extract::phrases::Lexicon& lexicon,
             bool moses, const std::vector<std::string>& names, const std::string& meta) {
            using extract::rules::RuleFormat;
            self.write(path, lexicon, moses ? RuleFormat::kMoses : RuleFormat::kCdec, names, meta);
          },
          "path"_a, "lexicon"_a, "moses"_a, "names"_a, "meta"_a, nb::call_guard<GilReleased>(),
          "Writes a rule table, scored as extracted rules are; the words of the lexicon are those of "
          "`words`.");
}

void check_columns(size_t given, const RuleTable& table) {
  if (given != table.feature_names().size())
    throw InputError("has " + std::to_string(table.feature_names().size()) + " features; expected " +
                         std::to_string(given),
                     table.container().path());
}

uint64_t frequent_rules(const std::string& table, double least_count, const std::string& path,
                        const std::string& meta) {
  return reestimate::write_frequent_rules(RuleTable(table), least_count, path, meta);
}

void reestimated_rules(const std::string& uses, const std::string& baseline,
                       const std::vector<int32_t>& columns, const std::string& path,
                       const std::string& meta) {
  const RuleTable used(uses), kept(baseline);
  check_columns(columns.size(), kept);
  for (const int32_t column : columns)
    if (column >= static_cast<int32_t>(used.feature_names().size()))
      throw InputError("has no feature " + std::to_string(column), used.container().path());
  reestimate::write_reestimated_rules(used, kept, columns, path, meta);
}

void interpolate(const std::string& reestimated, const std::string& baseline, double weight,
                 const std::vector<RuleScore>& kinds, const std::string& path, const std::string& meta) {
  const RuleTable first(reestimated), second(baseline);
  check_columns(kinds.size(), first);
  check_columns(kinds.size(), second);
  reestimate::interpolate_rules(first, second, weight, kinds, path, meta);
}

NewMatrix<double> matched(const std::string& rules, const std::vector<std::string>& among, size_t column,
                          RuleScore kind) {
  std::vector<double> rows = without_gil([&] {
    std::vector<std::unique_ptr<RuleTable>> tables;
    std::vector<const RuleTable*> others;
    for (const std::string& path : among) {
      tables.push_back(std::make_unique<RuleTable>(path));
      others.push_back(tables.back().get());
      if (column >= others.back()->feature_names().size()) throw InputError("has no such feature", path);
    }
    return reestimate::matched_rule_scores(RuleTable(rules), others, column, kind);
  });
  return to_numpy(std::move(rows), among.size() + 1);
}

}  // namespace

void bind_reestimate_rules(nb::module_& m) {
  add_rule_uses(m);
  nb::enum_<RuleScore>(m, "RuleScore", "How a column of a rule table stores a probability.")
      .value("OTHER", RuleScore::kOther)
      .value("COST", RuleScore::kCost)
      .value("LOG", RuleScore::kLog);
  m.def("write_frequent_rules", &frequent_rules, "table"_a, "least_count"_a, "path"_a, "meta"_a,
        nb::call_guard<GilReleased>(), "Writes the rules of a table that are not rarer; how many are left.");
  m.def(
      "write_reestimated_rules", &reestimated_rules, "uses"_a, "baseline"_a, "columns"_a, "path"_a, "meta"_a,
      nb::call_guard<GilReleased>(),
      "Writes the rules of `uses` with the columns of the baseline; columns[i] of `uses` replaces column i, "
      "unless it is -1.");
  m.def("interpolate_rules", &interpolate, "reestimated"_a, "baseline"_a, "weight"_a, "kinds"_a, "path"_a,
        "meta"_a, nb::call_guard<GilReleased>());
  m.def("matched_rule_scores", &matched, "rules"_a, "among"_a, "column"_a, "kind"_a,
        "Rows of the count of a rule, and its probability in each table: 0 without the rule, -1 without its "
        "source side.");
}

}  // namespace tunesmith::bind

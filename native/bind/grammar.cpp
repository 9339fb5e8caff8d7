#include <nanobind/stl/shared_ptr.h>

#include <algorithm>

#include "bind/corpus/views.h"
#include "tunesmith/grammar/from_memory.h"
#include "tunesmith/grammar/from_table.h"
#include "tunesmith/grammar/rule_parser.h"
#include "tunesmith/grammar/rule_table.h"
#include "tunesmith/grammar/rule_text.h"
#include "tunesmith/grammar/text.h"

namespace tunesmith::bind {

namespace {

nb::list copied(const std::vector<std::string>& names) {
  nb::list list;
  for (const std::string& name : names) list.append(name);
  return list;
}

/// The node of a source side with gaps such as `[X]`, or kNoNode.
uint32_t find_side(const grammar::RuleTrie& grammar, const std::vector<std::string>& source) {
  const auto& categories = grammar.categories();
  uint32_t node = grammar::RuleTrie::kRoot, gaps = 0;
  for (const std::string& token : source) {
    if (grammar::in_brackets(token)) {
      const auto found = std::find(categories.begin(), categories.end(), token.substr(1, token.size() - 2));
      if (found == categories.end()) return grammar::RuleTrie::kNoNode;
      node = grammar.by_gap(node, gaps++, static_cast<uint32_t>(found - categories.begin()));
    } else {
      node = grammar.by_word(node, grammar.find_word(token));
    }
    if (node == grammar::RuleTrie::kNoNode) return node;
  }
  return node;
}

const char* border_name(grammar::Border border) {
  return border == grammar::Border::kNone ? "none" : border == grammar::Border::kBegin ? "begin" : "end";
}

nb::list rules_of(const grammar::RuleTrie& grammar, const std::vector<std::string>& source) {
  nb::list list;
  const uint32_t node = find_side(grammar, source);
  if (node == grammar::RuleTrie::kNoNode) return list;
  grammar::RuleRows rows;
  grammar.rules(node, rows);
  const Texts words = grammar.target_words();
  for (size_t i = 0; i < rows.size(); ++i) {
    nb::list target, links;
    for (const grammar::Symbol symbol : rows.targets[i]) {
      const std::string token = grammar::is_gap(symbol) ? "[" + std::to_string(-symbol) + "]"
                                                        : std::string(words[static_cast<size_t>(symbol)]);
      target.append(token);
    }
    for (const corpus::Link& link : rows.links[i]) links.append(nb::make_tuple(link.source, link.target));
    nb::dict values;
    for (const FeatureValue& each : rows.values[i])
      values[grammar.feature_names()[each.column].c_str()] = static_cast<double>(each.value);
    list.append(nb::make_tuple(grammar.categories()[rows.categories[i]], target, links, values,
                               border_name(rows.borders[i])));
  }
  return list;
}

void add_memory_grammar(nb::module_& m) {
  nb::class_<grammar::RuleTrie>(m, "RuleTrie", "Synchronous rules, found by their source sides.")
      .def_prop_ro(
          "categories", [](const grammar::RuleTrie& self) { return copied(self.categories()); },
          nb::sig("def categories(self) -> list[str]"))
      .def_prop_ro(
          "feature_names", [](const grammar::RuleTrie& self) { return copied(self.feature_names()); },
          nb::sig("def feature_names(self) -> list[str]"))
      .def_prop_ro("rule_count", &grammar::RuleTrie::rule_count)
      .def("rules", &rules_of, "source"_a,
           nb::sig("def rules(self, source: list[str]) -> "
                   "list[tuple[str, list[str], list[tuple[int, int]], dict[str, float], str]]"),
           "The rules of a source side with gaps such as '[X]': the category of each, its target side with "
           "gaps "
           "such as '[1]', its links, its non-zero features, and its border: 'none', 'begin' or 'end'.");
  nb::class_<grammar::MemoryGrammar, grammar::RuleTrie>(m, "MemoryGrammar",
                                                        "In-memory grammar with any categories.");
  nb::class_<grammar::TableGrammar, grammar::RuleTrie>(m, "TableGrammar",
                                                       "The rules of a memory-mapped rule table.")
      .def(
          "__init__",
          [](grammar::TableGrammar* self, const std::string& path) {
            without_gil(
                [&] { new (self) grammar::TableGrammar(std::make_shared<grammar::RuleTable>(path)); });
          },
          "path"_a);

  nb::class_<grammar::GrammarParser>(m, "GrammarParser",
                                     "Parses text grammars in the formats of Moses and cdec.")
      .def(nb::init<std::vector<std::string>, bool>(), "moses_names"_a, "unescape"_a = false)
      .def(
          "feed", [](grammar::GrammarParser& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def("finish", [](grammar::GrammarParser& self) {
        end(self);
        return without_gil([&] { return self.take(); });
      });
}

void add_rule_table(nb::module_& m) {
  nb::class_<grammar::RuleParser>(m, "RuleParser", "Parses a Moses rule table or a cdec grammar.")
      .def(nb::init<std::vector<std::string>>(), "moses_names"_a)
      .def(
          "feed", [](grammar::RuleParser& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def("finish", [](grammar::RuleParser& self) { end(self); })
      .def(
          "write",
          [](grammar::RuleParser& self, const std::string& path, const std::string& meta) {
            without_gil([&] { self.builder().write(path, meta); });
          },
          "path"_a, "meta"_a);

  m.def(
      "check_rule_table",
      [](const std::string& path) { without_gil([&] { grammar::RuleTable table(path); }); }, "path"_a,
      "Raises InputError unless the file is a valid rule table.");
}

}  // namespace

void bind_grammar(nb::module_& m) {
  add_memory_grammar(m);
  add_rule_table(m);
}

}  // namespace tunesmith::bind

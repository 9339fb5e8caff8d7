#include <nanobind/stl/optional.h>

#include <mutex>

#include "bind/corpus/views.h"
#include "tunesmith/extract/rules/counts.h"
#include "tunesmith/extract/rules/format.h"
#include "tunesmith/extract/rules/groups.h"
#include "tunesmith/extract/rules/save.h"
#include "tunesmith/extract/rules/scoring.h"
#include "tunesmith/grammar/rule_table.h"
#include "tunesmith/grammar/rule_text.h"

namespace tunesmith::bind {

namespace {

using SentenceArrays = std::pair<Vector<int32_t>, Vector<int64_t>>;
using LinkArrays = std::pair<Matrix<int32_t>, Vector<int64_t>>;

/// Counted rules with the vocabularies and groups needed to score and print them.
struct CountedRules {
  extract::rules::RuleCounts counts;
  std::vector<std::string> source_words;
  std::vector<std::string> target_words;
  std::unique_ptr<extract::rules::RuleGroups> groups;
  std::mutex reading;
  uint64_t readers = 0;  // number of readers so far; only the latest may iterate over the groups

  CountedRules(const Texts& source, const Texts& target, const extract::rules::RuleCountOptions& options)
      : counts(source, target, options),
        source_words(grammar::rule_words(source)),
        target_words(grammar::rule_words(target)) {}

  uint64_t start_reading() {
    return without_gil([&] {
      const std::lock_guard lock(reading);
      grouped().rewind();
      return ++readers;
    });
  }

  extract::rules::RuleGroups& grouped() {
    if (groups == nullptr) groups = std::make_unique<extract::rules::RuleGroups>(counts);
    return *groups;
  }
};

void add_pairs(CountedRules& self, const SentenceArrays& source, const SentenceArrays& target,
               const LinkArrays& alignment, size_t begin, size_t end) {
  const corpus::Sentences from = sentences(source.first, source.second);
  const corpus::Sentences to = sentences(target.first, target.second);
  const corpus::Alignments links = alignments(alignment.first, alignment.second);
  if (self.groups != nullptr) throw InputError("rules cannot be added after the counts were finished");
  without_gil([&] { self.counts.add(from, to, links, begin, end); });
}

/// Counts only the rules whose source side a table has.
void count_only(CountedRules& self, const std::string& path, const TextPair& source_words) {
  const Texts words = texts(source_words.first, source_words.second);
  without_gil([&] {
    const grammar::RuleTable table(path);
    corpus::Vocabulary own;
    for (size_t i = 0; i < words.size(); ++i) own.intern(words[i]);
    Rows<grammar::Symbol> sides;
    for (uint32_t node = 1; node < table.nodes(); ++node) {
      if (table.rules_of(node).first == table.rules_of(node).second) continue;
      std::vector<grammar::Symbol> side;
      for (uint32_t at = node; at != grammar::RuleTable::kRoot; at = table.parent(at)) {
        const grammar::Symbol symbol = table.symbol(at);
        side.insert(side.begin(),
                    grammar::is_gap(symbol) ? symbol : own.find(table.source_words().word(symbol)));
        if (!grammar::is_gap(symbol) && side.front() == corpus::Vocabulary::kUnknown)
          throw InputError("has the word " + std::string(table.source_words().word(symbol)) +
                               ", which the text does not have",
                           path);
      }
      sides.add(side);
    }
    self.counts.count_only(sides);
  });
}

void save_rules(CountedRules& self, const TextPair& source_words, const TextPair& target_words,
                const extract::phrases::Lexicon& lexicon, bool moses, const std::vector<std::string>& names,
                const std::string& path, const std::string& meta) {
  const Texts source = texts(source_words.first, source_words.second);
  const Texts target = texts(target_words.first, target_words.second);
  self.start_reading();
  without_gil([&] {
    const std::lock_guard lock(self.reading);
    grammar::RuleTableBuilder builder;
    for (size_t i = 0; i < source.size(); ++i) builder.source_words.intern(source[i]);
    for (size_t i = 0; i < target.size(); ++i) builder.target_words.intern(target[i]);
    extract::rules::add_rules(self.grouped(), self.counts, lexicon,
                              moses ? extract::rules::RuleFormat::kMoses : extract::rules::RuleFormat::kCdec,
                              names, builder);
    builder.write(path, meta);
  });
}

/// Iterates over the lines of a rule table in blocks; refers to the counts and the lexicon.
struct RuleLineBlocks {
  CountedRules& rules;
  const extract::phrases::Lexicon& lexicon;
  extract::rules::RuleLines lines;
  uint64_t reader;

  RuleLineBlocks(CountedRules& given, const extract::phrases::Lexicon& words, bool moses,
                 std::vector<std::string> names, const std::optional<std::vector<std::string>>& sources)
      : rules(given),
        lexicon(words),
        lines(given.source_words, given.target_words,
              moses ? extract::rules::RuleFormat::kMoses : extract::rules::RuleFormat::kCdec,
              std::move(names)),
        reader(given.start_reading()) {
    if (sources) lines.restrict(*sources);
  }

  nb::bytes next(size_t count) {
    std::string text;
    without_gil([&] {
      const std::lock_guard lock(rules.reading);
      if (reader != rules.readers)
        throw InputError("another reader of the rules was started; read the lines with one reader at a time");
      while (extract::rules::append_lines(rules.grouped(), rules.counts, lexicon, lines, count, text) &&
             text.empty()) {
      }
    });
    return nb::bytes(text.data(), text.size());
  }
};

}  // namespace

void bind_extract_rules(nb::module_& m) {
  nb::class_<extract::rules::RuleLimits>(m, "RuleLimits")
      .def(
          "__init__",
          [](extract::rules::RuleLimits* self, int max_span, int max_target_span, int max_symbols,
             int max_gaps, int min_hole, bool adjacent_gaps, bool require_link, bool tight) {
            const extract::rules::RuleLimits limits{max_span, max_target_span, max_symbols,  max_gaps,
                                                    min_hole, adjacent_gaps,   require_link, tight};
            extract::rules::check_limits(limits);
            new (self) extract::rules::RuleLimits(limits);
          },
          nb::kw_only(), "max_span"_a, "max_target_span"_a, "max_symbols"_a, "max_gaps"_a, "min_hole"_a,
          "adjacent_gaps"_a, "require_link"_a, "tight"_a);

  nb::class_<CountedRules>(m, "CountedRules", "Counts of all rules of a bitext.")
      .def(
          "__init__",
          [](CountedRules* self, const TextPair& source_words, const TextPair& target_words,
             const extract::rules::RuleLimits& limits, bool fractional, size_t memory_bytes,
             const std::string& folder, int threads) {
            const extract::rules::RuleCountOptions options{limits, fractional, memory_bytes, folder, threads};
            new (self) CountedRules(texts(source_words.first, source_words.second),
                                    texts(target_words.first, target_words.second), options);
          },
          "source_words"_a, "target_words"_a, "limits"_a, nb::kw_only(), "fractional"_a, "memory_bytes"_a,
          "folder"_a, "threads"_a)
      .def("count_only", &count_only, "table"_a, "source_words"_a,
           "Counts only the rules whose source side a table has.")
      .def("add", &add_pairs, "source"_a, "target"_a, "alignment"_a, "begin"_a, "end"_a)
      .def(
          "finish", [](CountedRules& self) { without_gil([&] { self.grouped(); }); },
          "Sorts the counts and computes totals; nothing can be added afterwards.")
      .def("save", &save_rules, "source_words"_a, "target_words"_a, "lexicon"_a, "moses"_a, "names"_a,
           "path"_a, "meta"_a)
      .def_prop_ro("occurrences", [](const CountedRules& self) { return self.counts.occurrences(); })
      .def_prop_ro("on_disk", [](const CountedRules& self) { return self.counts.on_disk(); })
      .def_prop_ro("rules", [](CountedRules& self) { return self.grouped().rules(); })
      .def_prop_ro("sources", [](CountedRules& self) { return self.grouped().sources(); });

  nb::class_<RuleLineBlocks>(m, "RuleLineBlocks", "The lines of a rule table, in its order.")
      .def(nb::init<CountedRules&, const extract::phrases::Lexicon&, bool, std::vector<std::string>,
                    const std::optional<std::vector<std::string>>&>(),
           "rules"_a, "lexicon"_a, "moses"_a, "names"_a, "sources"_a.none(), nb::keep_alive<1, 2>(),
           nb::keep_alive<1, 3>())
      .def("next", &RuleLineBlocks::next, "lines"_a,
           "The next lines, about this many; empty after the last.");
}

}  // namespace tunesmith::bind

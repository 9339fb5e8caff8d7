#include "tunesmith/extract/on_demand/sampled_grammar.h"

#include "tunesmith/base/errors.h"

namespace tunesmith::extract::on_demand {

namespace {

/// Maps words of an index to those of a grammar, which `intern` numbers at first use.
template <class Intern>
class UsedWords {
 public:
  UsedWords(const corpus::VocabularyView& words, Intern intern) : words_(words), intern_(intern) {}

  void renumber(std::span<const grammar::Symbol> side, std::vector<grammar::Symbol>& out) {
    out.clear();
    for (const grammar::Symbol symbol : side)
      out.push_back(grammar::is_gap(symbol) ? symbol : number(symbol));
  }

 private:
  grammar::Symbol number(grammar::Symbol word) {
    const auto [known, is_new] = numbers_.insert(static_cast<uint64_t>(word), 0);
    if (is_new) known = intern_(words_.word(word));
    return known;
  }

  const corpus::VocabularyView& words_;
  Intern intern_;
  FlatMap<grammar::Symbol> numbers_;
};

}  // namespace

std::shared_ptr<grammar::MemoryGrammar> sampled_grammar(const corpus::VocabularyView& source_words,
                                                        const corpus::VocabularyView& target_words,
                                                        const GrammarView& grammar, const MatrixView& values,
                                                        const std::vector<std::string>& names) {
  check_grammar(grammar, source_words.size(), target_words.size());
  const size_t rules = grammar.counts.size();
  if (values.width != names.size() || values.values.size() != rules * names.size())
    throw InputError("found " + std::to_string(values.values.size()) + " values in rows of " +
                     std::to_string(values.width) + "; expected a row of " + std::to_string(names.size()) +
                     " for each of " + std::to_string(rules) + " rules");
  grammar::MemoryGrammarBuilder builder;
  const uint32_t category = builder.category("X");
  std::vector<uint32_t> columns;
  for (const std::string& name : names) columns.push_back(builder.feature(name));
  UsedWords used_sources(source_words, [&](std::string_view word) { return builder.source_word(word); });
  UsedWords used_targets(target_words, [&](std::string_view word) { return builder.target_word(word); });
  std::vector<grammar::Symbol> source, target;
  std::vector<FeatureValue> row;
  for (size_t side = 0; side + 1 < grammar.rules.size(); ++side) {
    used_sources.renumber(grammar.source_side(side), source);
    for (grammar::Symbol& symbol : source)
      if (grammar::is_gap(symbol)) symbol = grammar::gap_symbol(category);
    for (auto rule = static_cast<size_t>(grammar.rules[side]);
         rule < static_cast<size_t>(grammar.rules[side + 1]); ++rule) {
      used_targets.renumber(grammar.target_side(rule), target);
      row.clear();
      for (size_t i = 0; i < columns.size(); ++i)
        if (const auto value = static_cast<float>(values.row(rule)[i]); value != 0)
          row.push_back({columns[i], value});
      builder.add({category, source, target, grammar.alignment(rule), row, grammar::Border::kNone});
    }
  }
  return builder.build();
}

}  // namespace tunesmith::extract::on_demand

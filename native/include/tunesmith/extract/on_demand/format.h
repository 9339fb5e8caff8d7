// Scores of sampled rules, and grammars in the text formats of Moses and cdec.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/extract/on_demand/grammar.h"
#include "tunesmith/extract/on_demand/suffix_index.h"
#include "tunesmith/extract/rules/format.h"

namespace tunesmith::extract::on_demand {

/// The arrays of a Grammar, not owned.
struct GrammarView {
  std::span<const grammar::Symbol> source;
  std::span<const int64_t> source_offsets;
  std::span<const int64_t> rules;
  std::span<const grammar::Symbol> target;
  std::span<const int64_t> target_offsets;
  std::span<const corpus::Link> links;
  std::span<const int64_t> link_offsets;
  std::span<const SampledCounts> counts;

  std::span<const grammar::Symbol> source_side(size_t side) const {
    return row(source, source_offsets, side);
  }
  std::span<const grammar::Symbol> target_side(size_t rule) const {
    return row(target, target_offsets, rule);
  }
  std::span<const corpus::Link> alignment(size_t rule) const { return row(links, link_offsets, rule); }

 private:
  template <class T>
  static std::span<const T> row(std::span<const T> values, std::span<const int64_t> offsets, size_t i) {
    return values.subspan(static_cast<size_t>(offsets[i]), static_cast<size_t>(offsets[i + 1] - offsets[i]));
  }
};

/// Throws InputError if the arrays are inconsistent, or a symbol is not in vocabularies of these sizes.
void check_grammar(const GrammarView& grammar, size_t source_words, size_t target_words);

/// Scores of sampled counts, except lexical weights along the alignment. With `coherent`, occurrences without
/// a rule count as translated otherwise (Lopez 2008), as in cdec: the source side has the count source +
/// without_rule, and p(e|f) = joint / (source + without_rule). Without it, scores use the counted rules only.
/// Either way the count of a source side is at least that of each of its rules.
rules::ScoredRule scored(const SampledCounts& counts, bool coherent);

/// Formats grammars as lines; one per thread.
class GrammarLines {
 public:
  /// Lexical weights of Moses' format are those of `lexicon`; it and the index must outlive it.
  GrammarLines(const SuffixIndex& index, const rules::LinkLexicon& lexicon, rules::RuleFormat format,
               std::vector<std::string> names, bool coherent);

  /// Throws InputError if the grammar is inconsistent, or a symbol is not in the index.
  std::string lines(const GrammarView& grammar) const;

 private:
  const SuffixIndex& index_;
  const rules::LinkLexicon& lexicon_;
  rules::RuleFormat format_;
  bool coherent_;
  std::vector<std::string> source_words_, target_words_;
  rules::RuleLines lines_;
};

}  // namespace tunesmith::extract::on_demand

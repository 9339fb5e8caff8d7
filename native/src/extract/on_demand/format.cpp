#include "tunesmith/extract/on_demand/format.h"

#include <cmath>

#include "tunesmith/base/errors.h"
#include "tunesmith/grammar/rule_text.h"

namespace tunesmith::extract::on_demand {

namespace {

void check_symbols(std::span<const grammar::Symbol> symbols, size_t words) {
  for (const grammar::Symbol symbol : symbols)
    if (symbol < -grammar::kMaxGaps || (!grammar::is_gap(symbol) && static_cast<size_t>(symbol) >= words))
      throw InputError("found the symbol " + std::to_string(symbol) +
                       " in a grammar; expected a word below " + std::to_string(words) +
                       ", or -1 or -2 for a gap");
}

/// prod_t 1/|A_t| sum_{s in A_t} p(t|s) over the words t of one side, where A_t are the words linked to t, or
/// NULL if there are none (Koehn et al. 2003).
double aligned_weight(const grammar::Rule& rule, const rules::LinkLexicon& lexicon, bool of_source) {
  const auto side = of_source ? rule.source : rule.target;
  double product = 1;
  for (size_t i = 0; i < side.size(); ++i) {
    if (grammar::is_gap(side[i])) continue;
    double sum = 0;
    int partners = 0;
    const auto add = [&](int32_t source, int32_t target) {
      const auto entry = lexicon.find(source, target);
      sum += of_source ? entry.source_given_target : entry.target_given_source;
      ++partners;
    };
    for (const corpus::Link link : rule.alignment)
      if (static_cast<size_t>(of_source ? link.source : link.target) == i)
        add(rule.source[static_cast<size_t>(link.source)], rule.target[static_cast<size_t>(link.target)]);
    if (partners == 0)
      of_source ? add(side[i], rules::LinkLexicon::kEmpty) : add(rules::LinkLexicon::kEmpty, side[i]);
    product *= sum / partners;
  }
  return product;
}

}  // namespace

void check_grammar(const GrammarView& grammar, size_t source_words, size_t target_words) {
  check_offsets(grammar.source_offsets, grammar.source.size(), "source sides");
  check_offsets(grammar.rules, grammar.counts.size(), "rules");
  check_offsets(grammar.target_offsets, grammar.target.size(), "target sides");
  check_offsets(grammar.link_offsets, grammar.links.size(), "links");
  if (grammar.source_offsets.size() != grammar.rules.size() ||
      grammar.target_offsets.size() != grammar.counts.size() + 1 ||
      grammar.link_offsets.size() != grammar.counts.size() + 1)
    throw InputError("the arrays of a grammar differ in their numbers of source sides or rules");
  check_symbols(grammar.source, source_words);
  check_symbols(grammar.target, target_words);
}

rules::ScoredRule scored(const SampledCounts& counts, bool coherent) {
  rules::ScoredRule result;
  const double joint = counts.joint, source = counts.source, target = counts.target;
  const double seen = coherent ? source + counts.without_rule : source;
  result.target_given_source = joint / seen;
  result.source_given_target = target > 0 ? counts.target_joint / target : 0;
  result.best_lexical_source_given_target = std::pow(10.0, -counts.lex_source_given_target);
  result.best_lexical_target_given_source = std::pow(10.0, -counts.lex_target_given_source);
  result.target_count = target;
  result.source_count = source;
  result.joint_count = joint;
  result.source_occurrences = static_cast<uint64_t>(seen);
  result.occurrences = static_cast<uint64_t>(counts.joint);
  return result;
}

GrammarLines::GrammarLines(const SuffixIndex& index, const rules::LinkLexicon& lexicon,
                           rules::RuleFormat format, std::vector<std::string> names, bool coherent)
    : index_(index),
      lexicon_(lexicon),
      format_(format),
      coherent_(coherent),
      source_words_(grammar::rule_words(index.source().vocabulary.words())),
      target_words_(grammar::rule_words(index.target().vocabulary.words())),
      lines_(source_words_, target_words_, format, std::move(names)) {}

std::string GrammarLines::lines(const GrammarView& grammar) const {
  check_grammar(grammar, index_.source().vocabulary.size(), index_.target().vocabulary.size());
  std::string out;
  for (size_t side = 0; side + 1 < grammar.rules.size(); ++side)
    for (auto i = static_cast<size_t>(grammar.rules[side]); i < static_cast<size_t>(grammar.rules[side + 1]);
         ++i) {
      rules::ScoredRule rule = scored(grammar.counts[i], coherent_);
      rule.rule = {grammar.source_side(side), grammar.target_side(i), grammar.alignment(i)};
      for (const corpus::Link link : rule.rule.alignment)
        if (link.source < 0 || static_cast<size_t>(link.source) >= rule.rule.source.size() ||
            link.target < 0 || static_cast<size_t>(link.target) >= rule.rule.target.size())
          throw InputError("the link " + std::to_string(link.source) + "-" + std::to_string(link.target) +
                           " is outside of its rule");
      if (format_ == rules::RuleFormat::kMoses) {
        rule.lexical_source_given_target = aligned_weight(rule.rule, lexicon_, true);
        rule.lexical_target_given_source = aligned_weight(rule.rule, lexicon_, false);
      }
      lines_.append(rule, out);
    }
  return out;
}

}  // namespace tunesmith::extract::on_demand

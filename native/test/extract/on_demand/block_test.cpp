#include "tunesmith/extract/on_demand/block.h"

#include "check.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::extract::on_demand::block_test {

Grammar example() {
  Grammar grammar;
  SampledCounts counts{3, 7, 300, 12, 2, 40000, 1.25F, 0.1F};
  grammar.add(std::vector<grammar::Symbol>{5, -1, 100000}, std::vector<corpus::Link>{{0, 0}, {2, 2}}, counts);
  counts.joint = 1;
  counts.lex_target_given_source = 99;
  grammar.add(std::vector<grammar::Symbol>{-1}, std::vector<corpus::Link>{}, counts);
  grammar.end_side(std::vector<grammar::Symbol>{17, -1, 18});
  grammar.end_side(std::vector<grammar::Symbol>{3});  // a side without rules
  counts.source = 8;
  grammar.add(std::vector<grammar::Symbol>{1, 2}, std::vector<corpus::Link>{{0, 1}}, counts);
  grammar.end_side(std::vector<grammar::Symbol>{200});
  return grammar;
}

GrammarView view_of(const Grammar& grammar) {
  return {grammar.source,         grammar.source_offsets, grammar.rules,        grammar.target,
          grammar.target_offsets, grammar.links,          grammar.link_offsets, grammar.counts};
}

bool same(const SampledCounts& a, const SampledCounts& b) {
  return a.joint == b.joint && a.source == b.source && a.samples == b.samples &&
         a.without_rule == b.without_rule && a.target_joint == b.target_joint && a.target == b.target &&
         a.lex_source_given_target == b.lex_source_given_target &&
         a.lex_target_given_source == b.lex_target_given_source;
}

TEST(a_packed_grammar_is_unpacked_as_it_was) {
  for (const Grammar& grammar : {example(), Grammar()}) {
    const Grammar found = unpacked_grammar(packed_grammar(view_of(grammar)));
    CHECK(found.source == grammar.source && found.source_offsets == grammar.source_offsets);
    CHECK(found.rules == grammar.rules && found.target == grammar.target);
    CHECK(found.target_offsets == grammar.target_offsets && found.link_offsets == grammar.link_offsets);
    CHECK(found.links == grammar.links);
    CHECK(found.counts.size() == grammar.counts.size());
    for (size_t i = 0; i < found.counts.size() && i < grammar.counts.size(); ++i)
      CHECK(same(found.counts[i], grammar.counts[i]));
  }
}

TEST(a_block_that_ends_early_is_an_error) {
  const Grammar grammar = example();
  const auto block = packed_grammar(view_of(grammar));
  for (size_t size = 0; size < block.size(); ++size)
    CHECK_THROWS(unpacked_grammar(std::span(block).first(size)), InputError);
}

TEST(counts_that_a_block_cannot_hold_are_refused) {
  Grammar fraction = example(), differing = example();
  fraction.counts[0].joint = 0.5F;
  differing.counts[1].source = 6;
  CHECK_THROWS(packed_grammar(view_of(fraction)), InputError);
  CHECK_THROWS(packed_grammar(view_of(differing)), InputError);
}

}  // namespace tunesmith::extract::on_demand::block_test

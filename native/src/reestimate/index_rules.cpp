#include "tunesmith/reestimate/index_rules.h"

#include "tunesmith/base/text.h"
#include "tunesmith/corpus/sentences.h"
#include "tunesmith/extract/on_demand/format.h"
#include "tunesmith/extract/on_demand/sampled_grammar.h"

namespace tunesmith::reestimate {

void IndexRules::add(std::string_view source, uint32_t row, decode::DecoderRequest& request) const {
  const extract::on_demand::SuffixIndex& index = extractor_.index();
  std::vector<int32_t> words;
  corpus::for_each_token(
      source, [&](std::string_view token) { words.push_back(index.source().vocabulary.find(token)); });
  std::vector<int64_t> excluded;
  if (options_.leave_one_out) excluded.push_back(row);
  const extract::on_demand::Grammar found = extractor_.extract(words, excluded);
  std::vector<double> values;
  values.reserve(found.size() * options_.columns.size());
  for (const extract::on_demand::SampledCounts& counts : found.counts) {
    const auto features =
        extract::rules::rule_features(extract::on_demand::scored(counts, options_.coherent));
    for (const uint32_t column : options_.columns) values.push_back(features.at(column));
  }
  const extract::on_demand::GrammarView view{found.source,       found.source_offsets, found.rules,
                                             found.target,       found.target_offsets, found.links,
                                             found.link_offsets, found.counts};
  request.grammars.push_back(
      {extract::on_demand::sampled_grammar(index.source().vocabulary, index.target().vocabulary, view,
                                           {values, options_.columns.size()}, options_.names),
       options_.limits});
}

}  // namespace tunesmith::reestimate

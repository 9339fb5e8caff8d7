#include "tunesmith/decode/chart/sentence_chart.h"

#include "tunesmith/decode/arc_features.h"

namespace tunesmith::decode::chart {

SentenceChart::SentenceChart(const WeightedModel& model, const DecoderRequest& request, UnknownWords unknown,
                             const std::function<void()>& poll, size_t memory_limit)
    : model_(model),
      input_(request.input->between(grammar::kBeginMark, grammar::kEndMark)),
      categories_(model.model().categories()) {
  add_sources(request);
  for (uint32_t column = 0; column < input_.columns(); ++column) {
    auto& scores = arc_scores_.emplace_back();
    for (const corpus::LatticeArc& arc : input_.arcs(column)) scores.push_back(arc_score(model, arc));
  }
  const uint32_t columns = request.input->columns();
  if (request.input->is_sentence())
    for (uint32_t column = 0; column < columns; ++column)
      source_.push_back(request.input->arcs(column)[0].word);
  chart_.input = {columns, words_, source_};
  if (request.target) {
    chart_.input.target = *request.target;
    chart_.input.is_constrained = true;
    chart_.input.is_prefix = request.is_prefix;
  }
  ChartParser parser(input_, sources_, arc_scores_);
  add_unknown_words(unknown, parser);
  parser.parse(DecoderModel::kGoalCategory, chart_, poll, memory_limit);
}

/// Numbers all words before the sources view them.
void SentenceChart::add_sources(const DecoderRequest& request) {
  const DecoderModel& model = model_.model();
  for (size_t table = 0; table < model.tables().size(); ++table)
    sources_.push_back(phrase_source(model_, table));
  for (size_t grammar = 0; grammar < model.grammars().size(); ++grammar)
    sources_.push_back(grammar_source(model_, grammar));
  for (uint32_t column = 1; column + 1 < input_.columns(); ++column)
    for (const corpus::LatticeArc& arc : input_.arcs(column))
      if (model.find_word(arc.word) == NameTable::kUnknown || !is_known(arc)) passed_.intern(arc.word);
  for (const SentenceRules& rules : request.grammars)
    uses_.push_back(model.sentence_grammar(rules.trie, rules.limits, passed_, categories_));
  words_ = {model.words(), passed_.names().view()};
  uint32_t phrase = model.phrase_count() + static_cast<uint32_t>(passed_.size());
  auto part = static_cast<int64_t>(sources_.size());
  for (grammar::GrammarUse& use : uses_) {
    use.first_rule = part++ << 32;
    use.first_phrase = phrase;
    phrase += static_cast<uint32_t>(use.trie->rule_count());
    sources_.push_back(sentence_source(model_, use, words_));
  }
}

/// A word that is not a source side by itself is unknown, even if longer ones contain it, as in Moses.
bool SentenceChart::is_known(const corpus::LatticeArc& arc) const {
  for (const auto& source : sources_) {
    const int32_t word = source->find_word(arc.word);
    const uint32_t node = word < 0 ? RuleSource::kNoNode : source->by_word(RuleSource::kRoot, word);
    if (node != RuleSource::kNoNode && source->has_rules(node)) return true;
  }
  return false;
}

void SentenceChart::add_unknown_words(UnknownWords unknown, ChartParser& parser) const {
  const DecoderModel& model = model_.model();
  for (uint32_t column = 1; column + 1 < input_.columns(); ++column) {
    const auto& arcs = input_.arcs(column);
    for (uint32_t arc = 0; arc < arcs.size(); ++arc) {
      if (is_known(arcs[arc])) continue;
      const int32_t number = passed_.find(arcs[arc].word);
      const int32_t known = model.find_word(arcs[arc].word);
      const int32_t word[] = {
          known != NameTable::kUnknown ? known : static_cast<int32_t>(words_.table.size()) + number};
      const std::span<const int32_t> words =
          unknown == UnknownWords::kPass ? std::span<const int32_t>(word) : std::span<const int32_t>();
      const auto phrase = model.phrase_count() + static_cast<uint32_t>(number);
      parser.add(column, arc, DecoderModel::kPhraseCategory, model_.unknown_word(words, phrase, words_));
    }
  }
}

}  // namespace tunesmith::decode::chart

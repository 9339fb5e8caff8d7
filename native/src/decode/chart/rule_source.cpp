#include "tunesmith/decode/chart/rule_source.h"

#include "tunesmith/base/flat_map.h"

namespace tunesmith::decode::chart {

namespace {

class PhraseSource : public RuleSource {
 public:
  PhraseSource(const WeightedModel& model, size_t number)
      : model_(model), number_(number), table_(*model.model().tables()[number].table) {}

  int32_t find_word(std::string_view word) const override { return table_.source_words().find(word); }
  uint32_t by_word(uint32_t node, int32_t word) const override {
    const uint32_t next = table_.extend(node, word);
    return next == tables::PhraseTable::kNone ? kNoNode : next;
  }
  void gaps(uint32_t, uint32_t, std::vector<Gap>&) const override {}
  bool has_rules(uint32_t node) const override { return !table_.pairs(node).empty(); }
  void rules(uint32_t node, std::vector<Rules>& found, KeptRules& kept) const override {
    if (table_.pairs(node).empty()) return;
    auto list = model_.options(number_, node);
    found.push_back({DecoderModel::kPhraseCategory, list->options});
    kept.add(std::move(list));
  }
  uint32_t span_limit() const override { return 0; }

 private:
  const WeightedModel& model_;
  size_t number_;
  const tables::PhraseTable& table_;
};

/// `Score` returns the scored rules of a node; if shared, the model's cache holds them too.
template <class Score>
class GrammarSource : public RuleSource {
 public:
  GrammarSource(const grammar::GrammarUse& use, bool is_shared, Score score)
      : use_(use), trie_(*use.trie), is_shared_(is_shared), score_(score) {}

  int32_t find_word(std::string_view word) const override { return trie_.find_word(word); }
  uint32_t by_word(uint32_t node, int32_t word) const override { return trie_.by_word(node, word); }
  void gaps(uint32_t node, uint32_t arity, std::vector<Gap>& found) const override {
    const size_t first = found.size();
    trie_.gaps(node, arity, found);
    for (size_t i = first; i < found.size(); ++i) found[i].category = use_.categories[found[i].category];
  }
  bool has_rules(uint32_t node) const override { return trie_.has_rules(node); }
  void rules(uint32_t node, std::vector<Rules>& found, KeptRules& kept) const override {
    if (!trie_.has_rules(node)) return;
    const auto [number, is_new] = numbers_.insert(node, static_cast<uint32_t>(lists_.size()));
    if (is_new) lists_.push_back(nullptr);
    if (!lists_[number]) {
      lists_[number] = score_(node);
      if (!is_shared_) kept.add_own(lists_[number], lists_[number]->bytes());
    }
    for (const auto& made : lists_[number]->made) found.push_back({made.category, made.list.options});
  }
  uint32_t span_limit() const override { return use_.limits.span; }

 private:
  const grammar::GrammarUse& use_;
  const grammar::RuleTrie& trie_;
  bool is_shared_;
  Score score_;
  // A source side is scored once, however often it matches.
  mutable FlatMap<uint32_t> numbers_;
  mutable std::vector<std::shared_ptr<const RuleLists>> lists_;
};

template <class Score>
std::unique_ptr<RuleSource> source_of(const grammar::GrammarUse& use, bool is_shared, Score score) {
  return std::make_unique<GrammarSource<Score>>(use, is_shared, score);
}

}  // namespace

std::unique_ptr<RuleSource> phrase_source(const WeightedModel& model, size_t table) {
  return std::make_unique<PhraseSource>(model, table);
}

std::unique_ptr<RuleSource> grammar_source(const WeightedModel& model, size_t grammar) {
  return source_of(model.model().grammars()[grammar], true,
                   [&model, grammar](uint32_t node) { return model.rules(grammar, node); });
}

std::unique_ptr<RuleSource> sentence_source(const WeightedModel& model, const grammar::GrammarUse& use,
                                            const TargetWords& words) {
  return source_of(use, false, [&](uint32_t node) { return model.score_rules(use, node, words); });
}

}  // namespace tunesmith::decode::chart

#include "tunesmith/reestimate/draft_builder.h"

#include <algorithm>
#include <array>
#include <bit>

#include "tunesmith/base/text.h"

namespace tunesmith::reestimate {

namespace {

PhraseOrigin origin_of(int64_t id) {
  if (id == decode::Option::kGiven) return PhraseOrigin::kGiven;
  return id < 0 ? PhraseOrigin::kUnknownWord : PhraseOrigin::kTable;
}

template <class T>
Rows<T> rows_of(const SequencePool<T>& pool) {
  return {{pool.offsets().begin(), pool.offsets().end()}, {pool.values().begin(), pool.values().end()}};
}

}  // namespace

DraftBuilder::DraftBuilder(const forest::Forest& forest, std::string_view source, uint32_t sentence,
                           bool of_rules)
    : forest_(forest), targets_of_(forest.rule_count(), kUnread) {
  draft_.sentence = sentence;
  draft_.of_rules = of_rules;
  corpus::for_each_token(source, [&](std::string_view each) { draft_.source.push_back(word(each)); });
}

bool DraftBuilder::add(std::span<const uint32_t> edges, DerivationValues values) {
  if (draft_.source.size() > kMostOfSentence) return false;
  found_.clear();
  found_words_ = 0;
  read(edges);
  if (found_words_ > kMostOfSentence || phrases_.size() > kMostOfSentence) return false;
  for (const uint32_t phrase : found_) draft_.steps.values.push_back(static_cast<uint16_t>(phrase));
  draft_.steps.close();
  values.length = static_cast<uint16_t>(found_words_);
  draft_.values.push_back(values);
  return true;
}

DerivationDraft DraftBuilder::take(uint32_t reference_length) {
  draft_.reference_length = reference_length;
  // Phrases of a derivation that was too large may be listed without being used.
  for (uint32_t i = 0; i < std::min(phrases_.size(), kMostOfSentence); ++i) {
    draft_.phrases.push_back(phrases_[i].phrase);
    if (draft_.of_rules) draft_.side_of.push_back(phrases_[i].side);
  }
  draft_.targets = rows_of(targets_);
  draft_.sides = rows_of(sides_);
  draft_.links = rows_of(links_);
  draft_.words = words_.take_names();
  return std::move(draft_);
}

uint32_t DraftBuilder::target_of(uint32_t rule) {
  uint32_t& known = targets_of_[rule];
  if (known != kUnread) return known;
  spelled_.clear();
  for (const grammar::Symbol symbol : forest_.rules().targets[rule])
    if (!grammar::is_gap(symbol))
      spelled_.push_back(word(forest_.names().words[static_cast<size_t>(symbol)]));
    else if (draft_.of_rules)
      spelled_.push_back(static_cast<uint32_t>(symbol));
  return known = targets_.intern(spelled_);
}

void DraftBuilder::use(const UsedPhrase& phrase, uint32_t side) {
  const auto bits = std::bit_cast<std::array<uint64_t, 2>>(phrase);
  found_.push_back(phrases_.number({phrase, side}, mix(mix(bits[0], bits[1]), side)));
  const auto target = targets_[phrase.target];
  found_words_ += static_cast<size_t>(
      std::count_if(target.begin(), target.end(), [](uint32_t symbol) { return !is_gap(symbol); }));
}

LinksOfRule table_links(const decode::DecoderModel& model, const forest::Forest& forest) {
  return [&model, &forest](uint32_t rule, size_t source_words, std::vector<PhraseLink>& links) {
    const int64_t id = forest.rules().ids[rule];
    const size_t target_words = forest.rules().targets[rule].size() - 1;  // without the gap
    if (id == decode::Option::kUnknownWord && source_words == 1 && target_words == 1) links.push_back({0, 0});
    if (id < 0) return;
    const auto& table = model.tables().at(static_cast<uint64_t>(id) >> 32);
    for (const corpus::Link link : table.table->pair(static_cast<uint32_t>(id), source_words).alignment)
      links.push_back({static_cast<uint16_t>(link.source), static_cast<uint16_t>(link.target)});
  };
}

PhraseDraftBuilder::PhraseDraftBuilder(const forest::Forest& forest, std::string_view source,
                                       uint32_t sentence, LinksOfRule links_of)
    : DraftBuilder(forest, source, sentence, false),
      find_links_(std::move(links_of)),
      links_of_(forest.rule_count(), kUnread) {}

void PhraseDraftBuilder::read(std::span<const uint32_t> edges) {
  for (size_t i = edges.size(); i-- > 0;) {  // from the end of the sentence to its start
    const forest::SourceSpan span = forest().span(edges[i]);
    if (span.begin == span.end) continue;  // of the borders
    const uint32_t rule = forest().rule(edges[i]);
    const auto source_words = static_cast<size_t>(span.end - span.begin);
    use({target_of(rule), links_of(rule, source_words), static_cast<uint16_t>(span.begin),
         static_cast<uint16_t>(span.end), origin_of(forest().rules().ids[rule])});
  }
}

uint32_t PhraseDraftBuilder::links_of(uint32_t rule, size_t source_words) {
  uint32_t& known = links_of_[rule];
  if (known != kUnread) return known;
  found_links_.clear();
  find_links_(rule, source_words, found_links_);
  return known = links(found_links_);
}

}  // namespace tunesmith::reestimate

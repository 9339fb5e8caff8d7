#include "tunesmith/xbleu/list_builder.h"

#include <algorithm>
#include <array>
#include <vector>

#include "tunesmith/base/interner.h"
#include "tunesmith/base/text.h"
#include "tunesmith/corpus/sentences.h"
#include "tunesmith/decode/blocks.h"
#include "tunesmith/forest/kbest.h"
#include "tunesmith/metrics/ngrams.h"
#include "tunesmith/metrics/words.h"

namespace tunesmith::xbleu {

namespace {

constexpr size_t kOrder = 4;

std::string_view key_of(std::span<const uint32_t> words) {
  return {reinterpret_cast<const char*>(words.data()), words.size_bytes()};
}

/// The n-grams of a reference, matched by strings of numbered words.
class ReferenceMatcher {
 public:
  explicit ReferenceMatcher(std::string_view reference) {
    corpus::for_each_token(reference, [&](std::string_view word) { words_.push_back(word); });
    vocabulary_.clear(words_.size());
    vocabulary_.find_all(words_, true, symbols_);
    ngrams_.clear(words_.size() * kOrder);
    ngrams_.add_reference(symbols_, kOrder);
  }

  uint32_t length() const { return static_cast<uint32_t>(words_.size()); }

  Matches match(std::span<const uint32_t> text, const NameTable& words) {
    if (known_.size() < words.size()) known_.resize(words.size(), kUnread);
    symbols_.clear();
    for (const uint32_t word : text) {
      int32_t& known = known_[word];
      if (known == kUnread) known = vocabulary_.find(words[static_cast<int32_t>(word)], false);
      symbols_.push_back(known);
    }
    std::array<double, kOrder> found{};
    ngrams_.match(symbols_, kOrder, found.data(), 1);
    Matches matches{static_cast<uint16_t>(text.size()), {}};
    for (size_t n = 0; n < kOrder; ++n) matches.of[n] = static_cast<uint16_t>(found[n]);
    return matches;
  }

 private:
  static constexpr int32_t kUnread = -2;

  std::vector<std::string_view> words_;
  std::vector<int32_t> symbols_;
  std::vector<int32_t> known_;  // words of the reference, by word of the list; -1: not in it
  metrics::WordIds vocabulary_;
  metrics::NgramCounter ngrams_;
};

class ListBuilder {
 public:
  ListBuilder(const forest::Forest& forest, std::string_view source, std::string_view reference)
      : forest_(forest), reference_(reference), phrases_of_(forest.rule_count(), kNoWord) {
    list_.reference_length = reference_.length();
    corpus::for_each_token(source, [&](std::string_view each) { list_.source.push_back(word(each)); });
  }

  /// False if the list has the string of the derivation.
  bool add(const forest::Derivation& derivation, double score) {
    find_steps(derivation);
    if (strings_.intern(key_of(text_)) != static_cast<int32_t>(list_.scores.size())) return false;
    add_events();
    list_.scores.push_back(static_cast<float>(score));
    list_.matches.push_back(reference_.match(text_, words_));
    return true;
  }
  size_t size() const { return list_.scores.size(); }
  bool is_too_large() const {
    return list_.source.size() > kMostOfSentence || events_.size() > kMostOfSentence ||
           text_.size() > kMostOfSentence;
  }

  ListDraft take() {
    split_uses();
    list_.words = words_.take_names();
    return std::move(list_);
  }

 private:
  /// A phrase of a derivation; its event, and the stack after it, are known once it was added.
  struct AppliedPhrase {
    Range range;
    uint32_t phrase;
    bool is_unknown;
    uint32_t event = 0, stack = decode::BlockStacks::kEmpty;

    bool is_same(const AppliedPhrase& other) const {
      return range == other.range && phrase == other.phrase && is_unknown == other.is_unknown;
    }
  };

  /// Reads the phrases of a derivation in target order, and its string. Edges are from the end of the
  /// sentence to its start; those of the borders have no columns.
  void find_steps(const forest::Derivation& derivation) {
    steps_.clear();
    text_.clear();
    for (size_t i = derivation.edges.size(); i-- > 0;) {
      const forest::SourceSpan span = forest_.span(derivation.edges[i]);
      if (span.begin == span.end) continue;
      const uint32_t rule = forest_.rule(derivation.edges[i]);
      const uint32_t phrase = phrase_of(rule);
      const Range range{static_cast<uint32_t>(span.begin), static_cast<uint32_t>(span.end)};
      steps_.push_back({range, phrase, forest_.rules().ids[rule] < 0});
      const auto words = list_.phrases[phrase];
      text_.insert(text_.end(), words.begin(), words.end());
    }
  }

  /// Adds the events of the derivation. Candidates begin alike: what the last one had is not computed again.
  void add_events() {
    const auto first_new = std::ranges::mismatch(steps_, last_, &AppliedPhrase::is_same);
    std::copy(last_.begin(), first_new.in2, steps_.begin());
    for (auto step = first_new.in1; step != steps_.end(); ++step)
      apply(*step, step == steps_.begin() ? nullptr : &*std::prev(step));
    for (const AppliedPhrase& step : steps_) {
      ++candidates_of_[step.event];
      uses_.values.push_back(step.event);
    }
    uses_.close();
    steps_.swap(last_);
  }

  /// Finds the event of a phrase after another one, null for the first, and the stack after it.
  void apply(AppliedPhrase& step, const AppliedPhrase* before) {
    const uint32_t stack = before == nullptr ? decode::BlockStacks::kEmpty : before->stack;
    const Range block = stacks_.top(stack);
    const Event event{.target = step.phrase,
                      .block_first = before == nullptr ? kNoWord : stacks_.mark(stack),
                      .block_last = before == nullptr ? kNoWord : last_word(before->phrase),
                      .begin = static_cast<uint16_t>(step.range.begin),
                      .end = static_cast<uint16_t>(step.range.end),
                      .block_begin = static_cast<uint16_t>(block.begin),
                      .block_end = static_cast<uint16_t>(block.end),
                      .orientation = static_cast<uint8_t>(stacks_.orientation(stack, step.range)),
                      .is_unknown = step.is_unknown};
    step.event = events_.number(event, hash_of(event));
    if (step.event == candidates_of_.size()) candidates_of_.push_back(0);
    step.stack = stacks_.push(stack, step.range, first_word(step.phrase));
  }

  uint32_t first_word(uint32_t phrase) const {
    return list_.phrases[phrase].empty() ? kNoWord : list_.phrases[phrase].front();
  }
  uint32_t last_word(uint32_t phrase) const {
    return list_.phrases[phrase].empty() ? kNoWord : list_.phrases[phrase].back();
  }

  /// Lists events that all candidates have once, and the others per candidate. No candidate has an event
  /// twice: its phrases cover different columns.
  void split_uses() {
    const auto is_common = [&](uint32_t event) { return candidates_of_[event] == size(); };
    for (uint32_t event = 0; event < events_.size(); ++event) {
      list_.events.push_back(events_[event]);
      if (is_common(event)) list_.common.push_back(static_cast<uint16_t>(event));
    }
    for (size_t i = 0; i < size(); ++i) {
      for (const uint32_t event : uses_[i])
        if (!is_common(event)) list_.uses.values.push_back(static_cast<uint16_t>(event));
      list_.uses.close();
    }
  }

  uint32_t word(std::string_view spelled) { return static_cast<uint32_t>(words_.intern(spelled)); }

  /// The target side of a rule; equal ones have equal numbers.
  uint32_t phrase_of(uint32_t rule) {
    uint32_t& known = phrases_of_[rule];
    if (known != kNoWord) return known;
    std::vector<uint32_t> words;
    for (const grammar::Symbol symbol : forest_.rules().targets[rule])
      if (!grammar::is_gap(symbol)) words.push_back(word(forest_.names().words[static_cast<size_t>(symbol)]));
    known = static_cast<uint32_t>(phrase_keys_.intern(key_of(words)));
    if (known == list_.phrases.size()) list_.phrases.add(words);
    return known;
  }

  const forest::Forest& forest_;
  ReferenceMatcher reference_;
  ListDraft list_;
  NameTable words_, phrase_keys_, strings_;  // phrases and strings are keyed by their words
  std::vector<uint32_t> phrases_of_;         // by rule
  decode::BlockStacks stacks_;
  Interner<Event> events_;
  std::vector<uint32_t> candidates_of_;  // how many have the event; none has it twice
  Rows<uint32_t> uses_;                  // events of each candidate, in target order
  std::vector<AppliedPhrase> steps_;     // of a derivation
  std::vector<AppliedPhrase> last_;      // of the last candidate
  std::vector<uint32_t> text_;           // words of a derivation
};

}  // namespace

std::optional<ListDraft> build_list(const decode::ScoredForest& scored, std::string_view source,
                                    std::string_view reference, uint32_t nbest, const CandidateScores& kept) {
  const forest::Forest& forest = *scored.forest();
  std::vector<double> values;
  ListBuilder list(forest, source, reference);
  uint64_t patience = nbest * forest::KbestOptions().patience;
  auto derivations = forest::LazyKbest::unique(forest, scored.scores(), patience);
  // Two words of a forest may have the same spelling, so that some strings are found twice.
  while (list.size() < nbest && patience > 0) {
    const auto derivation = derivations.next();
    if (!derivation) break;
    if (!list.add(*derivation, derivation->score - kept.left_out.score(scored, *derivation))) {
      --patience;
    } else if (kept.dense != nullptr) {
      const std::vector<double> own = scored.dense_features(*kept.dense, derivation->edges);
      values.insert(values.end(), own.begin(), own.end());
    }
    if (list.is_too_large()) return std::nullopt;
  }
  ListDraft taken = list.take();
  if (kept.dense != nullptr) taken.dense = dense_differences(values, kept.dense->names().size());
  return taken;
}

}  // namespace tunesmith::xbleu

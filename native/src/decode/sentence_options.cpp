#include "tunesmith/decode/sentence_options.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "tunesmith/base/errors.h"
#include "tunesmith/corpus/sentences.h"

namespace tunesmith::decode {

namespace {

constexpr uint32_t kFew = 32;  // pairs that are tried one by one

bool overlap(Range a, Range b) { return a.begin < b.end && b.begin < a.end; }

std::string shown(Range range) {
  std::string text = std::to_string(range.begin);
  text += '-';
  return text.append(std::to_string(range.end));
}

}  // namespace

SentenceOptions::SentenceOptions(const WeightedModel& model, const corpus::WordLattice& input,
                                 const PhraseConstraints& constraints, const std::string* target)
    : model_(model), input_(input), constraints_(constraints), target_text_(target) {
  check();
  if (target) {
    target_.assign(model.model(), *target, Texts{});
    corpus::for_each_token(*target, [&](std::string_view word) { target_words_.insert(word); });
    size_t longest = 0;
    for (const DecoderModel::Table& use : model.model().tables())
      longest = std::max(longest, use.table->longest_target());
    target_keys_ = phrase_keys(target_.words(), longest);
  }
  NameTable numbers;
  if (input.is_sentence())
    for (uint32_t i = 0; i < input.columns(); ++i) source_.push_back(numbers.intern(input.arcs(i)[0].word));
  if (constraints.leave_one_out) {
    if (!target || !input.is_sentence())
      throw InputError("leave-one-out needs a source sentence (not a lattice) and its whole target");
    own_.emplace(source_, target_.words(), *constraints.leave_one_out);
  }
}

void SentenceOptions::check() const {
  const auto& phrases = constraints_.phrases;
  if ((!phrases.empty() || constraints_.drops_words) && !input_.is_sentence())
    throw InputError("the input is a lattice; phrases can be given, and words dropped, for sentences only");
  for (size_t i = 0; i < phrases.size(); ++i) {
    const Range range = phrases[i].range;
    if (range.begin >= range.end || range.end > input_.columns())
      throw InputError("a phrase is given for the words " + shown(range) + "; the sentence has " +
                       std::to_string(input_.columns()));
    if (!(phrases[i].probability > 0 && phrases[i].probability <= 1))
      throw InputError("the phrase given for the words " + shown(range) + " has the probability " +
                       std::to_string(phrases[i].probability) + "; expected one above 0, at most 1");
    for (size_t k = 0; k < i; ++k)
      if (phrases[k].range != range && overlap(phrases[k].range, range))
        throw InputError("phrases are given for the words " + shown(phrases[k].range) + " and " +
                         shown(range) + ", which overlap");
  }
}

bool SentenceOptions::is_taken(Range range) const {
  return constraints_.is_exclusive &&
         std::ranges::any_of(constraints_.phrases,
                             [&](const GivenPhrase& phrase) { return overlap(phrase.range, range); });
}

std::span<const int32_t> SentenceOptions::words(size_t number, uint32_t pair) const {
  const DecoderModel::Table& use = model_.model().tables()[number];
  const auto own = use.table->target_phrase(use.table->target(pair));
  if (use.words.empty()) return own;
  renamed_.clear();
  for (const int32_t word : own) renamed_.push_back(use.words[static_cast<size_t>(word)]);
  return renamed_;
}

/// The pairs of a source phrase whose target phrases occur in the target.
std::vector<uint32_t> SentenceOptions::pairs_in_target(size_t number, uint32_t node) const {
  const DecoderModel::Table& use = model_.model().tables()[number];
  const tables::PairRange all = use.pairs(node);
  std::vector<uint32_t> pairs;
  if (all.size() > kFew) {
    model_.model().target_keys(number, node)->find(target_keys_, pairs);
  } else {
    pairs.resize(all.size());
    std::iota(pairs.begin(), pairs.end(), all.begin);
  }
  std::erase_if(pairs, [&](uint32_t pair) { return !target_.has(words(number, pair)); });
  return pairs;
}

std::shared_ptr<const OptionList> SentenceOptions::options(size_t number, uint32_t node, Range range) {
  if (is_taken(range)) return nullptr;
  const DecoderModel::Table& use = model_.model().tables()[number];
  const size_t limit = constraints_.table_limit.value_or(use.limit);
  std::vector<uint32_t> pairs;
  if (target_text_) pairs = pairs_in_target(number, node);
  if (target_text_ && pairs.empty()) return nullptr;  // before anything is scored
  if (limit > 0 || !target_text_) return limited(number, node, range, limit);
  auto list = model_.options_of(number, node, pairs);
  if (own_ && number == 0) revise(*list, number, range);
  return list;
}

/// The best `limit` translations, reduced to those that occur in the target.
std::shared_ptr<const OptionList> SentenceOptions::limited(size_t number, uint32_t node, Range range,
                                                           size_t limit) {
  const DecoderModel::Table& use = model_.model().tables()[number];
  if (!own_ && limit == use.limit) {
    auto list = model_.options(number, node);
    if (!target_text_) return list;
    keep(std::move(list));
  } else {
    const tables::PairRange all = use.pairs(node);
    std::vector<uint32_t> pairs(all.size());
    std::iota(pairs.begin(), pairs.end(), all.begin);
    auto list = model_.options_of(number, node, pairs);
    if (own_ && number == 0) revise(*list, number, range);
    if (limit > 0 && list->options.size() > limit) list->options.resize(limit);
    if (!target_text_) return list;
    keep(std::move(list));
  }
  auto chosen = std::make_shared<OptionList>();
  for (const Option& option : kept_.back()->options)
    if (target_.has(option.words)) chosen->options.push_back(option);
  return chosen->options.empty() ? nullptr : chosen;
}

void SentenceOptions::keep(std::shared_ptr<const OptionList> list) {
  kept_bytes_ += list->bytes();
  kept_.push_back(std::move(list));
}

/// Replaces probabilities by leave-one-out ones. Scores are additive: all sums change by the same amount.
void SentenceOptions::revise(OptionList& list, size_t number, Range range) const {
  const DecoderModel::Table& use = model_.model().tables()[number];
  const size_t width = use.table->score_count();
  const auto source = std::span(source_).subspan(range.begin, range.size());
  list.scores.resize(width * list.options.size());
  for (size_t i = 0; i < list.options.size(); ++i) {
    Option& option = list.options[i];
    const auto scores = std::span(list.scores).subspan(i * width, width);
    std::ranges::copy(option.scores, scores.begin());
    const auto pair = static_cast<uint32_t>(option.rule & 0xffffffff);
    own_->revise(source, option.words, use.table->pair(pair, range.size()), scores);
    float change = -model_.score_of_scores(option);
    for (size_t k = 0; k < width; ++k)
      change +=
          model_.weight(use.first + k) * (tables::log_score(scores[k]) - tables::log_score(option.scores[k]));
    option.scores = scores;
    change += model_.score_of_scores(option);
    option.score += change;
    option.sort_score += change;
    option.estimate += change;
  }
  sort_best_first(list.options);
}

/// A cheap necessary condition: the target is a concatenation of target sides of options.
bool SentenceOptions::may_reach_target(const SourceOptions& options) const {
  if (!target_text_) return true;
  std::vector<std::vector<uint32_t>> lengths(target_.size() + 1);  // of the options that match at a position
  FlatMap<char> seen;
  for (const OptionEntry& entry : options.entries())
    for (const Option& option : entry.options)
      if (seen.insert(option.phrase, 0).is_new)
        target_.any_place(option.words, [&](uint32_t place) {
          lengths[place].push_back(static_cast<uint32_t>(option.words.size()));
          return false;
        });
  std::vector<char> reached(target_.size() + 1);
  reached[0] = 1;
  for (size_t place = 0; place < target_.size(); ++place)
    if (reached[place])
      for (const uint32_t length : lengths[place]) reached[place + length] = 1;
  return reached.back() != 0;
}

TargetBounds SentenceOptions::bounds(const SourceOptions& options) {
  std::vector<double> most(options.columns(), 0),
      least(options.columns(), std::numeric_limits<double>::infinity());
  for (const OptionEntry& entry : options.entries()) {
    const auto size = static_cast<double>(entry.range.size());
    const auto [shortest, longest] =
        std::ranges::minmax(entry.options, {}, [](const Option& option) { return option.words.size(); });
    for (uint32_t column = entry.range.begin; column < entry.range.end; ++column) {
      most[column] = std::max(most[column], static_cast<double>(longest.words.size()) / size);
      least[column] = std::min(least[column], static_cast<double>(shortest.words.size()) / size);
    }
  }
  std::ranges::sort(most, std::greater());
  std::ranges::sort(least);
  TargetBounds sums{{0}, {0}};
  for (const double share : most) sums.most.push_back(sums.most.back() + share);
  for (const double share : least) sums.least.push_back(sums.least.back() + share);
  return sums;
}

bool SentenceOptions::admits_unknown(Range range, std::string_view target) {
  return !is_taken(range) && (!target_text_ || target.empty() || target_words_.contains(target));
}

void SentenceOptions::add_words(NameTable& passed) {
  const auto first = static_cast<int32_t>(model_.model().words().size());
  for (const GivenPhrase& phrase : constraints_.phrases) {
    corpus::for_each_token(phrase.target, [&](std::string_view word) {
      const int32_t known = model_.model().find_word(word);
      given_.values.push_back(known != NameTable::kUnknown ? known : first + passed.intern(word));
    });
    given_.close();
  }
}

void SentenceOptions::add_dropped(TextColumn& passed) {
  first_dropped_ = passed.size();
  if (constraints_.drops_words)
    for (uint32_t i = 0; i < input_.columns(); ++i) passed.add(input_.arcs(i)[0].word);
}

std::vector<PlacedOptions> SentenceOptions::further(const TargetWords& names,
                                                    const std::vector<char>& is_dropped) {
  if (target_text_) target_.assign(model_.model(), *target_text_, names.passed);
  std::vector<PlacedOptions> found;
  const uint32_t phrases = model_.model().phrase_count();
  if (constraints_.drops_words)
    for (uint32_t i = 0; i < input_.columns(); ++i)
      if (const Range range{i, i + 1}; !is_dropped[i] && !is_taken(range))
        found.push_back(
            {range, model_.unknown_word({}, phrases + static_cast<uint32_t>(first_dropped_) + i, names)});
  auto number = phrases + static_cast<uint32_t>(names.passed.size());
  for (size_t i = 0; i < constraints_.phrases.size(); ++i) {
    const GivenPhrase& phrase = constraints_.phrases[i];
    found.push_back({phrase.range, model_.given_phrase(given_[i], phrase.probability, number++, names)});
  }
  return found;
}

}  // namespace tunesmith::decode

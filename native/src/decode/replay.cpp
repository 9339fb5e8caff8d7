#include "tunesmith/decode/replay.h"

#include <algorithm>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/corpus/sentences.h"
#include "tunesmith/decode/arc_features.h"

namespace tunesmith::decode {

namespace {

bool has_words(const Option& option, const TargetWords& names, std::span<const std::string_view> words) {
  if (option.words.size() != words.size()) return false;
  for (size_t i = 0; i < words.size(); ++i)
    if (names[option.words[i]] != words[i]) return false;
  return true;
}

/// Finds the options of a derivation, and owns them.
class OptionFinder {
 public:
  OptionFinder(const WeightedModel& model, const corpus::WordLattice& input,
               std::span<const ReplayedPhrase> phrases)
      : model_(model), input_(input) {
    if (!input.is_sentence()) throw InputError("derivations of lattices cannot be replayed");
    const SourceOptions options(model, input, UnknownWords::kPass, 0);
    const Texts& unknown = options.decoder_input().words.passed;
    NameTable passed;
    for (size_t i = 0; i < unknown.size(); ++i) passed.intern(unknown[i]);
    unknown_words_ = passed.size();
    for (const ReplayedPhrase& phrase : phrases)
      if (phrase.rule == Option::kGiven)
        corpus::for_each_token(phrase.target, [&](std::string_view word) { passed.intern(word); });
    target_words_ = passed.size();
    passed_ = passed.take_names();
    for (uint32_t i = 0; i < input.columns(); ++i) {
      source_.push_back(input.arcs(i)[0].word);
      passed_.add(source_.back());  // so that every word may be dropped
    }
    names_ = {model.model().words(), passed_.view()};
  }
  DecoderInput decoder_input() const { return {input_.columns(), names_, source_, {}, false, false}; }

  const Option& find(const ReplayedPhrase& phrase) {
    std::vector<std::string_view> words;
    corpus::for_each_token(phrase.target, [&](std::string_view word) { words.push_back(word); });
    const Option* found = nullptr;
    if (phrase.rule == Option::kGiven) return given(phrase, words);
    if (!phrase.rule || *phrase.rule >= 0) found = pair(phrase, words);
    if (!found && (!phrase.rule || phrase.rule == Option::kUnknownWord)) found = word(phrase, words);
    if (!found) refuse(phrase);
    return *found;
  }

 private:
  const Option& keep(std::shared_ptr<const OptionList> list) {
    lists_.push_back(std::move(list));
    return lists_.back()->options[0];
  }

  /// The pair of a table; null if there is none.
  const Option* pair(const ReplayedPhrase& phrase, std::span<const std::string_view> words) {
    for (size_t number = 0; number < model_.model().tables().size(); ++number) {
      if (phrase.rule && *phrase.rule >> 32 != static_cast<int64_t>(number)) continue;
      const tables::PhraseTable& table = *model_.model().tables()[number].table;
      uint32_t node = tables::PhraseTable::kRoot;
      for (uint32_t i = phrase.range.begin; i < phrase.range.end && node != tables::PhraseTable::kNone; ++i)
        node = table.extend(node, table.source_words().find(source_[i]));
      if (node == tables::PhraseTable::kNone || table.pairs(node).empty()) continue;
      lists_.push_back(model_.all_options(number, node));
      for (const Option& option : lists_.back()->options)
        if ((!phrase.rule || *phrase.rule == option.rule) && has_words(option, names_, words)) return &option;
    }
    return nullptr;
  }

  const Option& given(const ReplayedPhrase& phrase, std::span<const std::string_view> words) {
    if (!(phrase.probability > 0 && phrase.probability <= 1))
      throw InputError("the phrase " + quoted(phrase.target) + " has the probability " +
                       std::to_string(phrase.probability) + "; expected one above 0, at most 1");
    std::vector<int32_t> numbers;
    for (const std::string_view word : words) numbers.push_back(number(word));
    const auto own = model_.model().phrase_count() + static_cast<uint32_t>(passed_.size() + given_++);
    return keep(model_.given_phrase(numbers, phrase.probability, own, names_));
  }

  /// A word that is passed through or dropped; null if it cannot be. Known words are dropped only if the rule
  /// is given.
  const Option* word(const ReplayedPhrase& phrase, std::span<const std::string_view> words) {
    if (phrase.range.size() != 1) return nullptr;
    const std::string_view source = source_[phrase.range.begin];
    const size_t place = this->place(source);
    const bool is_known = place >= unknown_words_;
    const auto first = model_.model().phrase_count();
    if (words.empty() && (!is_known || phrase.rule))
      return &keep(
          model_.unknown_word({}, first + static_cast<uint32_t>(target_words_ + phrase.range.begin), names_));
    if (is_known || words.size() != 1 || words[0] != source) return nullptr;
    const int32_t numbers[] = {number(source)};
    return &keep(model_.unknown_word(numbers, first + static_cast<uint32_t>(place), names_));
  }

  size_t place(std::string_view word) const {
    size_t place = 0;
    while (place < passed_.size() && passed_[place] != word) ++place;
    return place;
  }
  int32_t number(std::string_view word) const {
    const int32_t known = model_.model().find_word(word);
    return known != NameTable::kUnknown ? known : static_cast<int32_t>(names_.table.size() + place(word));
  }

  [[noreturn]] void refuse(const ReplayedPhrase& phrase) const {
    std::string source;
    for (uint32_t i = phrase.range.begin; i < phrase.range.end; ++i)
      source.append(source.empty() ? "" : " ").append(source_[i]);
    std::string pair = quoted(source) + " ||| " + quoted(phrase.target);
    if (phrase.rule) pair += " under the number " + std::to_string(*phrase.rule);
    throw InputError("no table has the phrase pair " + pair);
  }

  const WeightedModel& model_;
  const corpus::WordLattice& input_;
  TextColumn passed_;  // passed input words, further words of given phrases, and all source words
  size_t unknown_words_ = 0, target_words_ = 0;  // ends of the first and the second of these parts
  size_t given_ = 0;
  TargetWords names_;
  std::vector<std::string_view> source_;
  std::vector<std::shared_ptr<const OptionList>> lists_;
};

}  // namespace

void placed_values(const DecoderModel& model, const corpus::WordLattice& input,
                   std::span<const std::unique_ptr<FeatureSession>> sessions,
                   std::span<const uint32_t> states, uint32_t last_end, const Step& step,
                   std::span<const corpus::LatticeArc* const> path, ModelSink& sink) {
  sink.begin(0);
  if (const auto column = model.column(Penalty::kDistortion))
    sink.add(*column, -static_cast<float>(distortion_cost(model.distortion_cost(), input,
                                                          step.coverage.first_gap, last_end, step.range)));
  if (!path.empty()) path_values(model, path, sink);
  for (size_t i = 0; i < sessions.size(); ++i) {
    sink.begin(model.features()[i].first);
    sessions[i]->values(states.subspan(i, 1), step, sink);
  }
}

void end_values(const DecoderModel& model, std::span<const std::unique_ptr<FeatureSession>> sessions,
                std::span<const uint32_t> states, ModelSink& sink) {
  for (size_t i = 0; i < sessions.size(); ++i) {
    sink.begin(model.features()[i].first);
    sessions[i]->final_values(states[i], sink);
  }
}

void replay(const WeightedModel& model, const corpus::WordLattice& input, const DecoderInput& decoder_input,
            std::span<const std::unique_ptr<FeatureSession>> sessions, std::span<const PlacedOption> steps,
            ModelSink& sink, const std::function<void()>& close) {
  CoveragePool coverages;
  uint32_t coverage = 0, last_end = 0;
  std::vector<uint32_t> states;
  for (const auto& session : sessions) states.push_back(session->start());
  const PlacedFeatures placed_features(model, decoder_input);
  for (const PlacedOption& placed : steps) {
    if (placed.range.end > input.columns() || placed.range.begin >= placed.range.end ||
        coverages[coverage].overlaps(placed.range))
      throw InputError("a derivation must cover each source word once; found the phrase " +
                       std::to_string(placed.range.begin) + "-" + std::to_string(placed.range.end));
    const Step step{*placed.option, placed.range, coverages[coverage]};
    model.pair_values(*placed.option, decoder_input.words, sink);
    placed_features.values(*placed.option, {placed.range}, sink);
    placed_values(model.model(), input, sessions, states, last_end, step, placed.path, sink);
    close();
    for (size_t i = 0; i < sessions.size(); ++i) states[i] = sessions[i]->apply({&states[i], 1}, step).state;
    coverage = coverages.add(coverage, placed.range);
    last_end = placed.range.end;
  }
  if (coverages[coverage].count != input.columns())
    throw InputError("a derivation must cover each source word once; found " +
                     std::to_string(coverages[coverage].count) + " of " + std::to_string(input.columns()));
  end_values(model.model(), sessions, states, sink);
  close();
}

Rows<FeatureValue> replay(const WeightedModel& model, const corpus::WordLattice& input,
                          const DecoderInput& decoder_input,
                          std::span<const std::unique_ptr<FeatureSession>> sessions,
                          std::span<const PlacedOption> steps) {
  Rows<FeatureValue> rows;
  ColumnSink sink(model.model(), rows.values);
  replay(model, input, decoder_input, sessions, steps, sink, [&] { rows.close(); });
  return rows;
}

double weighted_sum(const WeightedModel& model, std::span<const FeatureValue> row) {
  double sum = 0;
  for (const FeatureValue& value : row) {
    const bool dense = value.column < model.model().names().size();
    const float weight =
        dense ? model.weight(value.column) : model.sparse().weight_of(model.model().column_key(value.column));
    sum += static_cast<double>(weight) * static_cast<double>(value.value);
  }
  return sum;
}

Rows<FeatureValue> replay_phrases(const WeightedModel& model, const corpus::WordLattice& input,
                                  std::span<const ReplayedPhrase> phrases) {
  for (const ReplayedPhrase& phrase : phrases)
    if (phrase.range.begin >= phrase.range.end || phrase.range.end > input.columns())
      throw InputError("the sentence has no words " + std::to_string(phrase.range.begin) + " to " +
                       std::to_string(phrase.range.end));
  OptionFinder finder(model, input, phrases);
  std::vector<PlacedOption> steps;
  for (const ReplayedPhrase& phrase : phrases) steps.push_back({&finder.find(phrase), phrase.range});
  std::vector<std::unique_ptr<FeatureSession>> sessions;
  const DecoderInput decoder_input = finder.decoder_input();
  for (const auto& feature : model.model().features()) {
    sessions.push_back(feature.feature->session(model.weights(feature), feature.prepared));
    sessions.back()->begin(decoder_input);
  }
  return replay(model, input, decoder_input, sessions, steps);
}

}  // namespace tunesmith::decode

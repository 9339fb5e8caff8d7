#include "tunesmith/reestimate/derivation_file.h"

#include <algorithm>
#include <cmath>

#include "tunesmith/base/container_texts.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/reestimate/derivation_check.h"

namespace tunesmith::reestimate {

namespace {

constexpr std::string_view kKind = "derivats";
constexpr uint32_t kVersion = 2;

/// Whether offsets go from 0 to `total` without falling, and have one more entry than there are rows.
template <class T>
bool are_sound(std::span<const T> offsets, size_t rows, size_t total) {
  return offsets.size() == rows + 1 && offsets.front() == 0 && offsets.back() == total &&
         std::is_sorted(offsets.begin(), offsets.end());
}

template <class T>
std::span<const T> row(std::span<const T> values, std::span<const uint64_t> offsets, size_t number) {
  return values.subspan(offsets[number], offsets[number + 1] - offsets[number]);
}

bool are_finite(const DerivationValues& values) {
  return std::isfinite(values.score) && std::isfinite(values.gain) && std::isfinite(values.value);
}

bool are_finite(std::span<const DerivationValues> values) {
  return std::all_of(values.begin(), values.end(), [](const auto& each) { return are_finite(each); });
}

void check_draft(const DerivationDraft& draft) {
  const auto require = [](bool is_sound, const char* message) {
    if (!is_sound) throw InputError(std::string("derivations of a sentence ") + message);
  };
  const auto is_word = [&](uint32_t word) { return word < draft.words.size(); };
  const auto is_symbol = [&](uint32_t symbol) {
    return is_word(symbol) || (draft.of_rules && is_gap(symbol));
  };
  require(std::all_of(draft.source.begin(), draft.source.end(), is_word) &&
              std::all_of(draft.sides.values.begin(), draft.sides.values.end(), is_symbol) &&
              std::all_of(draft.targets.values.begin(), draft.targets.values.end(), is_symbol),
          "have a word that is not among its words");
  require(draft.steps.size() == draft.values.size(), "need steps for each derivation");
  require(are_finite(draft.values), "have a number that is not finite");
  if (draft.of_rules) {
    require(draft.side_of.size() == draft.phrases.size(), "need a source side for each rule");
    RuleDerivationCheck check({draft.sides.offsets, draft.sides.values},
                              {draft.targets.offsets, draft.targets.values},
                              {draft.links.offsets, draft.links.values});
    for (size_t i = 0; i < draft.phrases.size(); ++i)
      require(check.is_rule(draft.phrases[i], draft.side_of[i], draft.source.size()),
              "have a rule whose columns, sides, gaps, links or origin do not exist");
    for (size_t i = 0; i < draft.values.size(); ++i)
      require(check.is_derivation(draft.steps[i], draft.phrases, draft.side_of, draft.source,
                                  draft.values[i].length),
              "have a gap without its rule, a rule of other words than the sentence, or another number of "
              "words");
    return;
  }
  DerivationCheck check({draft.targets.offsets, draft.targets.values},
                        {draft.links.offsets, draft.links.values});
  for (const UsedPhrase& phrase : draft.phrases)
    require(check.is_phrase(phrase, draft.source.size()),
            "have a phrase whose columns, target side, links or origin do not exist");
  for (size_t i = 0; i < draft.values.size(); ++i)
    require(check.is_derivation(draft.steps[i], draft.phrases, draft.source.size(), draft.values[i].length),
            "translate a column twice, have a step without a phrase, or another number of words");
}

}  // namespace

void DerivationWriter::add(const DerivationDraft& draft) {
  check_draft(draft);
  if (size() > 0 && draft.of_rules != of_rules_)
    throw InputError("derivations of phrases and of rules cannot be in one file");
  of_rules_ = draft.of_rules;
  std::vector<uint32_t> words, sides, targets, links, mapped;
  for (size_t i = 0; i < draft.words.size(); ++i)
    words.push_back(static_cast<uint32_t>(words_.intern(draft.words[i])));
  const auto intern = [&](const Rows<uint32_t>& rows, SequencePool<uint32_t>& pool,
                          std::vector<uint32_t>& numbers) {
    for (size_t i = 0; i < rows.size(); ++i) {
      mapped.clear();
      for (const uint32_t symbol : rows[i]) mapped.push_back(is_gap(symbol) ? symbol : words[symbol]);
      numbers.push_back(pool.intern(mapped));
    }
  };
  intern(draft.targets, targets_, targets);
  intern(draft.sides, sides_, sides);
  for (const uint32_t side : draft.side_of) side_of_.push_back(sides[side]);
  for (size_t i = 0; i < draft.links.size(); ++i) links.push_back(links_.intern(draft.links[i]));

  sentences_.push_back(draft.sentence);
  reference_lengths_.push_back(draft.reference_length);
  for (const uint32_t word : draft.source) source_.push_back(words[word]);
  source_offsets_.push_back(source_.size());
  for (UsedPhrase phrase : draft.phrases) {
    phrase.target = targets[phrase.target];
    phrase.links = links[phrase.links];
    phrases_.push_back(phrase);
  }
  phrase_offsets_.push_back(phrases_.size());
  values_.insert(values_.end(), draft.values.begin(), draft.values.end());
  derivation_offsets_.push_back(values_.size());
  for (size_t i = 0; i < draft.steps.size(); ++i) {
    const auto steps = draft.steps[i];
    steps_.insert(steps_.end(), steps.begin(), steps.end());
    step_offsets_.push_back(steps_.size());
  }
}

void DerivationWriter::write(const std::string& path) const {
  ContainerWriter writer(path, kKind, kVersion);
  add_texts(writer, "words", words_.names());
  writer.add("target_offsets", targets_.offsets());
  writer.add("target_words", targets_.values());
  writer.add("link_offsets", links_.offsets());
  writer.add("links", links_.values());
  writer.add("sentences", sentences_);
  writer.add("reference_lengths", reference_lengths_);
  writer.add("source_offsets", source_offsets_);
  writer.add("source", source_);
  writer.add("phrase_offsets", phrase_offsets_);
  writer.add("phrases", phrases_);
  writer.add("derivation_offsets", derivation_offsets_);
  writer.add("values", values_);
  writer.add("step_offsets", step_offsets_);
  writer.add("steps", steps_);
  if (of_rules_) {
    writer.add("side_offsets", sides_.offsets());
    writer.add("side_symbols", sides_.values());
    writer.add("side_of", side_of_);
  }
  writer.finish();
}

DerivationFile::DerivationFile(const std::string& path)
    : container_(path, kKind, kVersion),
      words_(read_texts(container_, "words")),
      target_offsets_(container_.section<uint32_t>("target_offsets")),
      target_words_(container_.section<uint32_t>("target_words")),
      link_offsets_(container_.section<uint32_t>("link_offsets")),
      links_(container_.section<PhraseLink>("links")),
      sentences_(container_.section<uint32_t>("sentences")),
      reference_lengths_(container_.section<uint32_t>("reference_lengths")),
      source_offsets_(container_.section<uint64_t>("source_offsets")),
      phrase_offsets_(container_.section<uint64_t>("phrase_offsets")),
      derivation_offsets_(container_.section<uint64_t>("derivation_offsets")),
      step_offsets_(container_.section<uint64_t>("step_offsets")),
      source_(container_.section<uint32_t>("source")),
      phrases_(container_.section<UsedPhrase>("phrases")),
      values_(container_.section<DerivationValues>("values")),
      steps_(container_.section<uint16_t>("steps")) {
  if (container_.has("side_offsets")) {
    side_offsets_ = container_.section<uint32_t>("side_offsets");
    side_symbols_ = container_.section<uint32_t>("side_symbols");
    side_of_ = container_.section<uint32_t>("side_of");
    if (side_offsets_.empty()) throw InputError("is damaged: its rules have no source sides", path);
  }
  check();
}

void DerivationFile::check() const {
  const auto require = [&](bool is_sound) {
    if (!is_sound) throw InputError("is damaged: its numbers do not fit its derivations", path());
  };
  require(!target_offsets_.empty() && !link_offsets_.empty());
  require(are_sound(target_offsets_, target_offsets_.size() - 1, target_words_.size()));
  require(are_sound(link_offsets_, link_offsets_.size() - 1, links_.size()));
  require(reference_lengths_.size() == size());
  require(are_sound(source_offsets_, size(), source_.size()));
  require(are_sound(phrase_offsets_, size(), phrases_.size()));
  require(are_sound(derivation_offsets_, size(), values_.size()));
  require(are_sound(step_offsets_, values_.size(), steps_.size()));
  const auto is_word = [&](uint32_t word) { return word < words_.size(); };
  require(std::all_of(source_.begin(), source_.end(), is_word));
  const auto is_symbol = [&](uint32_t symbol) { return is_word(symbol) || (of_rules() && is_gap(symbol)); };
  require(std::all_of(target_words_.begin(), target_words_.end(), is_symbol));
  require(are_finite(values_));
  if (of_rules()) {
    require(are_sound(side_offsets_, side_offsets_.size() - 1, side_symbols_.size()));
    require(std::all_of(side_symbols_.begin(), side_symbols_.end(), is_symbol));
    require(side_of_.size() == phrases_.size());
    RuleDerivationCheck check(sides(), targets(), links());
    for (size_t i = 0; i < size(); ++i) {
      const DerivationList list = (*this)[i];
      for (size_t p = 0; p < list.phrases.size(); ++p)
        require(check.is_rule(list.phrases[p], list.sides[p], list.source.size()));
      for (size_t d = 0; d < list.size(); ++d)
        require(
            check.is_derivation(list.steps(d), list.phrases, list.sides, list.source, list.values[d].length));
    }
    return;
  }
  DerivationCheck check(targets(), links());
  for (size_t i = 0; i < size(); ++i) {
    const DerivationList list = (*this)[i];
    for (const UsedPhrase& phrase : list.phrases) require(check.is_phrase(phrase, list.source.size()));
    for (size_t d = 0; d < list.size(); ++d)
      require(check.is_derivation(list.steps(d), list.phrases, list.source.size(), list.values[d].length));
  }
}

DerivationList DerivationFile::operator[](size_t number) const {
  const size_t first = derivation_offsets_[number], end = derivation_offsets_[number + 1];
  const auto offsets = step_offsets_.subspan(first, end - first + 1);
  return {sentences_[number],
          reference_lengths_[number],
          row(source_, source_offsets_, number),
          row(phrases_, phrase_offsets_, number),
          values_.subspan(first, end - first),
          offsets,
          steps_.subspan(offsets.front(), offsets.back() - offsets.front()),
          of_rules() ? row(side_of_, phrase_offsets_, number) : std::span<const uint32_t>()};
}

}  // namespace tunesmith::reestimate

#include "tunesmith/reestimate/derivation_file.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tunesmith/base/container_texts.h"
#include "tunesmith/base/errors.h"

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

/// Links of a phrase pair must be sorted, without repeats, and between its words.
bool are_links(std::span<const PhraseLink> links, size_t source_words, size_t target_words) {
  for (size_t i = 0; i < links.size(); ++i) {
    if (links[i].source >= source_words || links[i].target >= target_words) return false;
    if (i > 0 &&
        std::pair(links[i - 1].source, links[i - 1].target) >= std::pair(links[i].source, links[i].target))
      return false;
  }
  return true;
}

/// Checks the derivations of a sentence; `covered` is scratch memory.
class DerivationCheck {
 public:
  DerivationCheck(RowsView<uint32_t> targets, RowsView<PhraseLink> links)
      : targets_(targets), links_(links) {}

  bool is_phrase(const UsedPhrase& phrase, size_t columns) const {
    return phrase.begin < phrase.end && phrase.end <= columns && phrase.target < targets_.size() &&
           phrase.links < links_.size() && static_cast<size_t>(phrase.origin) < kPhraseOrigins &&
           are_links(links_[phrase.links], static_cast<size_t>(phrase.end - phrase.begin),
                     targets_[phrase.target].size());
  }

  /// Whether steps are phrases of different columns, with the words that the derivation claims.
  bool is_derivation(std::span<const uint16_t> steps, std::span<const UsedPhrase> phrases, size_t columns,
                     size_t length) {
    covered_.assign(columns, 0);
    size_t words = 0;
    for (const uint16_t step : steps) {
      if (step >= phrases.size()) return false;
      const UsedPhrase& phrase = phrases[step];
      for (size_t column = phrase.begin; column < phrase.end; ++column)
        if (std::exchange(covered_[column], 1) != 0) return false;
      words += targets_[phrase.target].size();
    }
    return words == length;
  }

 private:
  RowsView<uint32_t> targets_;
  RowsView<PhraseLink> links_;
  std::vector<uint8_t> covered_;
};

void check_draft(const DerivationDraft& draft) {
  const auto require = [](bool is_sound, const char* message) {
    if (!is_sound) throw InputError(std::string("derivations of a sentence ") + message);
  };
  const auto is_word = [&](uint32_t word) { return word < draft.words.size(); };
  require(std::all_of(draft.source.begin(), draft.source.end(), is_word) &&
              std::all_of(draft.targets.values.begin(), draft.targets.values.end(), is_word),
          "have a word that is not among its words");
  require(draft.steps.size() == draft.values.size(), "need steps for each derivation");
  require(are_finite(draft.values), "have a number that is not finite");
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
  std::vector<uint32_t> words, targets, links, mapped;
  for (size_t i = 0; i < draft.words.size(); ++i)
    words.push_back(static_cast<uint32_t>(words_.intern(draft.words[i])));
  for (size_t i = 0; i < draft.targets.size(); ++i) {
    mapped.clear();
    for (const uint32_t word : draft.targets[i]) mapped.push_back(words[word]);
    targets.push_back(targets_.intern(mapped));
  }
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
  require(std::all_of(target_words_.begin(), target_words_.end(), is_word));
  require(are_finite(values_));
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
          steps_.subspan(offsets.front(), offsets.back() - offsets.front())};
}

}  // namespace tunesmith::reestimate

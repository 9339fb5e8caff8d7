#include "tunesmith/reestimate/oracle_text.h"

#include <algorithm>

namespace tunesmith::reestimate {

namespace {

/// The source words that phrases of the table translate; links move to their places among these.
std::vector<uint32_t> tabled_source(const DerivationList& list, LinkedTranslation& best) {
  std::vector<int32_t> lacking(list.source.size() + 1, 0);  // words left out before each column
  for (size_t column = 0; column < list.source.size(); ++column)
    lacking[column + 1] = lacking[column] + best.untabled_columns[column];
  std::vector<uint32_t> words;
  for (size_t column = 0; column < list.source.size(); ++column)
    if (lacking[column] == lacking[column + 1]) words.push_back(list.source[column]);
  for (corpus::Link& link : best.links) link.source -= lacking[static_cast<size_t>(link.source)];
  return words;
}

}  // namespace

void LinkedTranslation::read(const DerivationFile& file, const DerivationList& list, size_t derivation,
                             bool untabled) {
  words.clear();
  links.clear();
  untabled_columns.assign(list.source.size(), 0);
  if (file.of_rules()) return read_rules(file, list, derivation, untabled);
  for (const uint16_t step : list.steps(derivation)) {
    const UsedPhrase& phrase = list.phrases[step];
    if (phrase.origin != PhraseOrigin::kTable)
      std::fill(untabled_columns.begin() + phrase.begin, untabled_columns.begin() + phrase.end, 1);
    if (!untabled && phrase.origin != PhraseOrigin::kTable) continue;
    const auto first = static_cast<int32_t>(words.size());
    for (const PhraseLink& link : file.links()[phrase.links])
      links.push_back({phrase.begin + link.source, first + link.target});
    const auto target = file.targets()[phrase.target];
    words.insert(words.end(), target.begin(), target.end());
  }
  std::sort(links.begin(), links.end());
}

void LinkedTranslation::read_rules(const DerivationFile& file, const DerivationList& list, size_t derivation,
                                   bool untabled) {
  const RuleSteps rules{file.sides(), file.targets(), list.source,
                        list.phrases, list.sides,     list.steps(derivation)};
  trees_.read(rules);  // checked when the file was opened
  const auto is_kept = [&](size_t step) {
    return untabled || rules.phrase(step).origin == PhraseOrigin::kTable;
  };
  std::vector<int32_t> positions;  // of the words that are kept
  for (size_t i = 0; i < trees_.words().size(); ++i) {
    positions.push_back(static_cast<int32_t>(words.size()));
    if (is_kept(trees_.owners()[i])) words.push_back(trees_.words()[i]);
  }
  for (size_t step = 0; step < rules.steps.size(); ++step) {
    const UsedPhrase& rule = rules.phrase(step);
    const auto columns = trees_.columns(step), places = trees_.places(step);
    if (rule.origin != PhraseOrigin::kTable)
      for (const uint32_t column : columns)
        if (column != StepTrees::kNoColumn) untabled_columns[column] = 1;
    if (!is_kept(step)) continue;
    for (const PhraseLink& link : file.links()[rule.links])
      links.push_back({static_cast<int32_t>(columns[link.source]), positions[places[link.target]]});
  }
  std::sort(links.begin(), links.end());
}

void OracleText::add(const DerivationFile& file, bool untabled) {
  std::vector<int32_t> numbers(file.words().size());
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = words.intern(file.words()[i]);
  const auto append = [&](std::span<const uint32_t> own, std::vector<int32_t>& side,
                          std::vector<int64_t>& offsets) {
    for (const uint32_t word : own) side.push_back(numbers[word]);
    offsets.push_back(static_cast<int64_t>(side.size()));
  };
  LinkedTranslation best;
  for (size_t i = 0; i < file.size(); ++i) {
    const DerivationList list = file[i];
    if (list.size() == 0) continue;
    best.read(file, list, 0, untabled);
    sentences.push_back(list.sentence);
    append(untabled ? list.source : tabled_source(list, best), source, source_offsets);
    append(best.words, target, target_offsets);
    links.insert(links.end(), best.links.begin(), best.links.end());
    link_offsets.push_back(static_cast<int64_t>(links.size()));
  }
}

}  // namespace tunesmith::reestimate

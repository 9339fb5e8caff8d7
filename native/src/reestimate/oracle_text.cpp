#include "tunesmith/reestimate/oracle_text.h"

#include <algorithm>

namespace tunesmith::reestimate {

void LinkedTranslation::read(const DerivationFile& file, const DerivationList& list, size_t derivation) {
  words.clear();
  links.clear();
  for (const uint16_t step : list.steps(derivation)) {
    const UsedPhrase& phrase = list.phrases[step];
    const auto first = static_cast<int32_t>(words.size());
    for (const PhraseLink& link : file.links()[phrase.links])
      links.push_back({phrase.begin + link.source, first + link.target});
    const auto target = file.targets()[phrase.target];
    words.insert(words.end(), target.begin(), target.end());
  }
  std::sort(links.begin(), links.end());
}

void OracleText::add(const DerivationFile& file) {
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
    best.read(file, list, 0);
    sentences.push_back(list.sentence);
    append(list.source, source, source_offsets);
    append(best.words, target, target_offsets);
    links.insert(links.end(), best.links.begin(), best.links.end());
    link_offsets.push_back(static_cast<int64_t>(links.size()));
  }
}

}  // namespace tunesmith::reestimate

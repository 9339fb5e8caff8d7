// From derivations of a forest to a draft for a file of derivations.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "tunesmith/base/interner.h"
#include "tunesmith/decode/model.h"
#include "tunesmith/forest/derivation.h"
#include "tunesmith/reestimate/derivation_file.h"

namespace tunesmith::reestimate {

/// Columns, words and phrases of a sentence are counted by 16 bits.
inline constexpr size_t kMostOfSentence = UINT16_MAX;

/// Appends the links of a rule of the forest, between positions of a phrase pair with that number of source
/// words.
using LinksOfRule = std::function<void(uint32_t rule, size_t source_words, std::vector<PhraseLink>& links)>;

/// The links that the tables of a model have for a forest without links, by the ids of its rules.
LinksOfRule table_links(const decode::DecoderModel& model, const forest::Forest& forest);

/// The links that the rules of a forest have, whose target sides begin with a gap.
LinksOfRule forest_links(const forest::Forest& forest);

/// Collects derivations of the forest of a phrase search, whose edges have source spans and rule ids.
class DraftBuilder {
 public:
  /// The source is tokenized. All are kept by reference, except for the row.
  DraftBuilder(const forest::Forest& forest, std::string_view source, uint32_t sentence,
               LinksOfRule links_of);

  /// Adds a derivation, given by its edges in preorder. The number of its words is filled in. False, and
  /// nothing is added, if it or the sentence is too large. O(steps + words).
  bool add(std::span<const uint32_t> edges, DerivationValues values);
  size_t size() const { return draft_.values.size(); }
  /// Nothing may be added after it.
  DerivationDraft take(uint32_t reference_length);

 private:
  uint32_t word(std::string_view spelled) { return static_cast<uint32_t>(words_.intern(spelled)); }
  /// The target side of a rule; equal ones have equal numbers.
  uint32_t target_of(uint32_t rule);
  uint32_t links_of(uint32_t rule, size_t source_words);

  const forest::Forest& forest_;
  LinksOfRule find_links_;
  DerivationDraft draft_;
  NameTable words_;
  SequencePool<uint32_t> targets_;
  SequencePool<PhraseLink> links_;
  std::vector<uint32_t> targets_of_, links_of_;  // by rule
  Interner<UsedPhrase> phrases_;
  std::vector<uint32_t> found_, spelled_;
  std::vector<PhraseLink> found_links_;
};

}  // namespace tunesmith::reestimate

// From derivations of a forest to a draft for a file of derivations.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "tunesmith/base/interner.h"
#include "tunesmith/decode/model.h"
#include "tunesmith/forest/derivation.h"
#include "tunesmith/reestimate/derivation_file.h"

namespace tunesmith::reestimate {

/// Columns, words and phrases of a sentence are counted by 16 bits.
inline constexpr size_t kMostOfSentence = UINT16_MAX;

/// Collects derivations of the forest of a sentence.
class DraftBuilder {
 public:
  virtual ~DraftBuilder() = default;
  DraftBuilder(const DraftBuilder&) = delete;
  DraftBuilder& operator=(const DraftBuilder&) = delete;

  /// Adds a derivation, given by its edges in preorder. The number of its words is filled in. False, and
  /// nothing is added, if it or the sentence is too large. O(steps + words).
  bool add(std::span<const uint32_t> edges, DerivationValues values);
  size_t size() const { return draft_.values.size(); }
  /// Nothing may be added after it.
  DerivationDraft take(uint32_t reference_length);

 protected:
  static constexpr uint32_t kUnread = UINT32_MAX;

  /// The source is tokenized. The forest is kept by reference.
  DraftBuilder(const forest::Forest& forest, std::string_view source, uint32_t sentence, bool of_rules);

  const forest::Forest& forest() const { return forest_; }
  std::span<const uint32_t> source() const { return draft_.source; }
  uint32_t word(std::string_view spelled) { return static_cast<uint32_t>(words_.intern(spelled)); }
  uint32_t side(std::span<const uint32_t> symbols) { return sides_.intern(symbols); }
  uint32_t links(std::span<const PhraseLink> found) { return links_.intern(found); }
  /// The target side of a rule of the forest, with its gaps if derivations are of rules.
  uint32_t target_of(uint32_t rule);
  /// Appends a phrase, or a rule with its source side, to the derivation that is being read.
  void use(const UsedPhrase& phrase, uint32_t side = 0);

 private:
  struct Listed {
    UsedPhrase phrase;
    uint32_t side;

    bool operator==(const Listed&) const = default;
  };

  /// Calls `use` for the phrases or rules of a derivation, in the order of the file.
  virtual void read(std::span<const uint32_t> edges) = 0;

  const forest::Forest& forest_;
  DerivationDraft draft_;
  NameTable words_;
  SequencePool<uint32_t> targets_, sides_;
  SequencePool<PhraseLink> links_;
  std::vector<uint32_t> targets_of_;  // by rule of the forest
  Interner<Listed> phrases_;
  std::vector<uint32_t> found_, spelled_;
  size_t found_words_ = 0;
};

/// Appends the links of a rule of the forest, between positions of a phrase pair with that number of source
/// words.
using LinksOfRule = std::function<void(uint32_t rule, size_t source_words, std::vector<PhraseLink>& links)>;

/// The links that the tables of a model have for a forest without links, by the ids of its rules.
LinksOfRule table_links(const decode::DecoderModel& model, const forest::Forest& forest);

/// Collects derivations of the forest of a phrase search, whose edges have source spans and rule ids.
class PhraseDraftBuilder : public DraftBuilder {
 public:
  PhraseDraftBuilder(const forest::Forest& forest, std::string_view source, uint32_t sentence,
                     LinksOfRule links_of);

 private:
  void read(std::span<const uint32_t> edges) override;
  uint32_t links_of(uint32_t rule, size_t source_words);

  LinksOfRule find_links_;
  std::vector<uint32_t> links_of_;  // by rule
  std::vector<PhraseLink> found_links_;
};

}  // namespace tunesmith::reestimate

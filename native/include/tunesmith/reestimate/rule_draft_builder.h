// From derivations of a chart's forest to a draft for a file of derivations.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tunesmith/decode/scored_forest.h"
#include "tunesmith/reestimate/draft_builder.h"

namespace tunesmith::reestimate {

/// Which of the tables and grammars of a model are small texts, such as glue: by the part of option numbers.
struct UncountedParts {
  std::vector<uint8_t> is_text;

  bool contains(const decode::Option& option) const {
    const auto part = static_cast<size_t>(option.rule >> 32);
    return option.rule >= 0 && part < is_text.size() && is_text[part] != 0;
  }
};

/// Rules of texts that have no words, and those of sentence markers, join what others translate: they are
/// left out at the top of a derivation. Within a rule, and with words, they are listed as given by the input.
/// If the derivations are of phrases, as those of an ITG, what is left are phrase pairs.
class RuleDraftBuilder : public DraftBuilder {
 public:
  /// All are kept by reference, except for the row.
  RuleDraftBuilder(const decode::ScoredForest& scored, const decode::DecoderModel& model,
                   const UncountedParts& uncounted, bool of_rules, std::string_view source,
                   uint32_t sentence);

 private:
  struct Sides {
    uint32_t side;
    uint32_t links;
  };
  struct Waiting {
    uint32_t position;  // among the edges
    bool is_within;     // a rule that is listed
  };

  void read(std::span<const uint32_t> edges) override;
  void use_rule(uint32_t edge, const decode::AppliedOption& applied);
  bool joins(const decode::Option& option) const;
  Sides sides_of(uint32_t rule, const decode::AppliedOption& applied);

  const decode::ScoredForest& scored_;
  const decode::DecoderModel& model_;
  const UncountedParts& uncounted_;
  bool of_rules_;
  forest::DerivationTree tree_;
  std::vector<Sides> sides_of_;  // by rule of the forest
  std::vector<Waiting> waiting_;
  std::vector<uint32_t> spelled_;
  std::vector<PhraseLink> found_links_;
};

}  // namespace tunesmith::reestimate

// The features of events: numbers that all lists share, with names, and counts of the types of each part.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tunesmith/decode/features/sparse_reordering.h"
#include "tunesmith/weights/store.h"
#include "tunesmith/xbleu/list_file.h"

namespace tunesmith::xbleu {

/// Places of words, then identities of phrases: what possible and seen features are counted by.
inline constexpr size_t kFeatureParts = decode::features::kWordPlaces + decode::features::kPhraseIdentities;

/// Numbers the features of events, in order of first appearance. The features are those of a template's
/// native twin: an event has what the twin adds for the same phrase after the same stack.
class EventFeatures {
 public:
  /// The twin must compare with blocks: hierarchical orientations, and `stack` none or block, else an
  /// InputError; events hold nothing of the phrase before.
  explicit EventFeatures(std::shared_ptr<const decode::features::SparseReorderingFeature> feature);

  /// Looks up the words of a file whose events come next; O(words). The texts outlive their events.
  void open(const EventTexts& texts);
  void open(const ListFile& file) { open(file.texts()); }
  /// Appends the numbers of an event's features; a feature that occurs twice is appended twice. `source` are
  /// the words of the sentence, none of a lattice.
  /// O(features), amortized; with identities also O(bytes of the phrase).
  void append(std::span<const uint32_t> source, const Event& event, std::vector<uint32_t>& numbers);
  void append(const ListView& list, const Event& event, std::vector<uint32_t>& numbers) {
    append(list.source, event, numbers);
  }

  size_t size() const { return store_.size(); }
  std::string_view name(uint32_t number) const { return store_.name(number); }
  const weights::NameCollisions& collisions() const { return store_.collisions(); }
  /// Number of the features of a part that the template allows; 0 for parts that it has not, and for
  /// identities, which are not limited.
  const std::array<uint64_t, kFeatureParts>& possible() const { return possible_; }
  /// Number of different features of a part so far.
  const std::array<uint64_t, kFeatureParts>& seen() const { return seen_; }
  /// Whether all possible features fit into 16 bits.
  bool is_small() const;
  /// A store of the features whose weights are not 0.
  weights::WeightStore weighted(std::span<const float> weights) const;

 private:
  using Place = decode::features::WordPlace;
  using Label = decode::features::Label;

  const decode::features::LabelSets& sets(Place place) const;
  void count_possible();
  uint32_t number(const weights::FeatureName& name, size_t part);
  void append_word(Place place, uint32_t set, size_t orientation, std::vector<uint32_t>& numbers);
  void append_borders(Place first, std::array<uint32_t, 4> sets, size_t orientation,
                      std::vector<uint32_t>& numbers);
  void append_identities(std::span<const uint32_t> source, const Event& event, size_t orientation,
                         std::vector<uint32_t>& numbers);

  std::shared_ptr<const decode::features::SparseReorderingFeature> feature_;
  weights::WeightStore store_;  // numbers and names; its weights are not used
  std::array<uint64_t, kFeatureParts> possible_{}, seen_{};
  std::array<std::vector<uint32_t>, decode::features::kWordPlaces>
      rows_of_;          // by set and orientation; from 1
  Rows<uint32_t> rows_;  // numbers of features

  const EventTexts* texts_ = nullptr;
  std::vector<uint32_t> source_sets_, target_sets_;  // of the words of the file
  std::string source_text_, target_text_;
};

}  // namespace tunesmith::xbleu

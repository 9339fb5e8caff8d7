// Sparse features of an orientation and a label of a word near the phrase that has it: names and scores.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/decode/features/label_sets.h"
#include "tunesmith/decode/features/name_filter.h"

namespace tunesmith::decode::features {

/// Where a word is: at a border of the phrase or of what is on top of the stack, on either side, or in the
/// source between the two.
enum class WordPlace : uint8_t {
  kPhraseSourceFirst,
  kPhraseSourceLast,
  kPhraseTargetFirst,
  kPhraseTargetLast,
  kStackSourceFirst,
  kStackSourceLast,
  kStackTargetFirst,
  kStackTargetLast,
  kBetween,
};
inline constexpr size_t kWordPlaces = 9;

/// What an identity is of: the source side of a phrase pair, its target side, or both.
enum class PhraseIdentity : uint8_t { kSource, kTarget, kPair };
inline constexpr size_t kPhraseIdentities = 3;
inline constexpr std::array<PhraseIdentity, kPhraseIdentities> kAllIdentities = {
    PhraseIdentity::kSource, PhraseIdentity::kTarget, PhraseIdentity::kPair};

/// `NAME_PLACE_LABEL_ORIENTATION`, such as `NAME_phrase_source_first_w_das_swap`, and identities of phrases,
/// `NAME_source_das_haus_swap`, `NAME_target_the_house_swap`, `NAME_pair_das_haus_~_the_house_swap`.
/// Immutable.
class OrientedNames {
 public:
  OrientedNames(const std::string& name, const std::vector<std::string>& orientations);
  OrientedNames(const OrientedNames&) = delete;  // labels view its own texts

  size_t orientations() const { return ends_.size(); }
  JoinedName operator()(WordPlace place, const Label& label, size_t orientation) const {
    return (JoinedName(begins_[static_cast<size_t>(place)]) += label) += ends_[orientation];
  }
  /// `source` and `target` are the words of the two sides, joined by underscores.
  JoinedName operator()(PhraseIdentity identity, const Label& source, const Label& target,
                        size_t orientation) const;

 private:
  std::array<std::string, kWordPlaces> begin_texts_;
  std::vector<std::string> end_texts_;
  std::array<Label, kWordPlaces> begins_;
  std::array<std::string, kPhraseIdentities> identity_texts_;
  std::array<Label, kPhraseIdentities> identities_;
  std::vector<Label> ends_;
};

/// Sums the weights of labels by orientation. `Weights` has `weight_of(key)`.
template <class Weights>
void sum_labels(const OrientedNames& names, const Whitelist& only, WordPlace place,
                std::span<const Label> labels, const Weights& weights, std::span<float> sums) {
  for (size_t orientation = 0; orientation < sums.size(); ++orientation) {
    sums[orientation] = 0;
    for (const Label& label : labels) {
      const uint64_t key = names(place, label, orientation).key();
      if (admits(only, key)) sums[orientation] += weights.weight_of(key);
    }
  }
}

/// Whether the words of a place are target words.
bool is_target(WordPlace place);

/// Sums of fixed weights of a set's labels by place and orientation. Threads may share it.
class OrientedTable {
 public:
  template <class Weights>
  void compute(const OrientedNames& names, const Whitelist& only, WordPlace place, const LabelSets& sets,
               const Weights& weights) {
    width_ = names.orientations();
    std::vector<float>& rows = rows_[static_cast<size_t>(place)];
    rows.assign(sets.size() * width_, 0);
    // Many sets share labels, such as classes: the weights of each are looked up once.
    FlatMap<uint32_t> known;
    std::vector<float> found;
    for (uint32_t set = 0; set < sets.size(); ++set)
      for (const Label& label : sets[set]) {
        const auto [at, is_new] = known.insert(label.hash.key(), static_cast<uint32_t>(found.size()));
        const uint32_t begin = at;
        if (is_new) {
          found.resize(found.size() + width_);
          sum_labels(names, only, place, {&label, 1}, weights, std::span(found).last(width_));
        }
        for (size_t i = 0; i < width_; ++i) rows[set * width_ + i] += found[begin + i];
      }
  }
  /// One score per orientation, of a place that was computed.
  const float* row(WordPlace place, uint32_t set) const {
    return rows_[static_cast<size_t>(place)].data() + set * width_;
  }

 private:
  size_t width_ = 0;
  std::array<std::vector<float>, kWordPlaces> rows_;  // by set and orientation
};

/// Sums of the weights of a set's labels by place and orientation, on one thread. Computed when first needed
/// under the current weights: afterwards O(1).
class OrientedScores {
 public:
  /// The arguments outlive it.
  OrientedScores(const OrientedNames& names, const Whitelist& only, const LabelSets& source,
                 const LabelSets& target, const weights::WeightStore& weights)
      : names_(names), only_(only), source_(source), target_(target), weights_(weights) {}

  /// Forgets what was computed under other weights.
  void refresh();
  /// One score per orientation; valid until `refresh`.
  const float* operator()(WordPlace place, uint32_t set) {
    Table& table = tables_[static_cast<size_t>(place)];
    if (set >= table.computed.size() || table.computed[set] != round_) compute(place, set);
    return table.scores.data() + set * names_.orientations();
  }
  /// The features themselves.
  void add(WordPlace place, uint32_t set, size_t orientation, FeatureSink& sink) const;

 private:
  struct Table {
    std::vector<float> scores;       // by set and orientation
    std::vector<uint32_t> computed;  // the round in which a set was
  };
  const LabelSets& sets(WordPlace place) const;
  void compute(WordPlace place, uint32_t set);

  const OrientedNames& names_;
  const Whitelist& only_;
  const LabelSets& source_;
  const LabelSets& target_;
  const weights::WeightStore& weights_;
  std::array<Table, kWordPlaces> tables_;
  uint32_t round_ = 1;
  uint64_t version_ = 0;
};

}  // namespace tunesmith::decode::features

// The scores of rules, grouped by ranges of their lengths.
#pragma once

#include <string>
#include <vector>

#include "tunesmith/decode/feature.h"

namespace tunesmith::decode::features {

/// The sides of a rule whose lengths are grouped.
enum class GroupedSides : uint8_t { kSource, kTarget, kProduct };

struct LengthGroups {
  std::string name;
  std::vector<std::string> scores;  // features whose values are grouped
  GroupedSides sides = GroupedSides::kSource;
  size_t longest = 10;     // longer sides count as this long
  bool needs_all = false;  // if false, scores that the model does not have are left out
};

/// A feature `name_sA-B_F` for each score F and each range [A, B] within [1, longest]; its value is the
/// rule's score F if the length of the rule's source side, gaps counted, lies in the range (Xia, Zhai and
/// Wang 2019, section 4). `tA-B` is the same for the target side, `sA-B_tC-D` for both.
///
/// All ranges that contain a length act as one weight, the sum of theirs, per score and length: scoring an
/// option is O(scores), independent of the number of ranges.
class LengthGroupFeature : public ScoreFeature {
 public:
  /// Throws InputError if `longest` is not between 1 and kMostLengths.
  explicit LengthGroupFeature(LengthGroups groups);
  static constexpr size_t kMostLengths = 20;

  std::unique_ptr<WeightedScores> under(const DecoderModel& model,
                                        const weights::WeightStore& weights) const override;

 private:
  LengthGroups groups_;
};

}  // namespace tunesmith::decode::features

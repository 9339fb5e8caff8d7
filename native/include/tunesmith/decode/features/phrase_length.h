// Indicator features of the lengths of phrase pairs.
#pragma once

#include "tunesmith/decode/feature.h"

namespace tunesmith::decode::features {

/// An indicator `name_SxT` for S words of the source side and T of the target side; gaps are not counted.
class PhraseLengthFeature : public PairFeature {
 public:
  explicit PhraseLengthFeature(std::string name) : name_(std::move(name)) {}

  std::vector<std::string> names() const override { return {}; }
  bool is_stored() const override { return false; }
  void values(const Option& option, std::span<const std::string_view> source, const TargetWords& words,
              FeatureSink& sink) const override;

 private:
  std::string name_;
};

}  // namespace tunesmith::decode::features

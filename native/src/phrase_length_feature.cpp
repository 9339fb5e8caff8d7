#include "tunesmith/phrase_length_feature.h"

namespace tunesmith {

void PhraseLengthFeature::values(const Option& option, std::span<const std::string_view> source,
                                 const TargetWords&, FeatureSink& sink) const {
  sink.add(name_ + "_" + std::to_string(source.size()) + "x" + std::to_string(option.words.size()), 1);
}

}  // namespace tunesmith

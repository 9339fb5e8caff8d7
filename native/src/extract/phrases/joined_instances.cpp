#include "tunesmith/extract/phrases/joined_instances.h"

#include <tuple>

namespace tunesmith::extract::phrases {

namespace {

auto place(const PhraseInstance& instance) {
  const tables::PhraseSpan& span = instance.span;
  return std::tie(span.target_begin, span.target_end, span.source_begin, span.source_end);
}

}  // namespace

void JoinedInstances::add(std::span<const PhraseInstance> further) {
  std::swap(all_, before_);
  all_.clear();
  size_t at = 0;
  for (const PhraseInstance& each : further) {
    while (at < before_.size() && place(before_[at].instance) < place(each)) all_.push_back(before_[at++]);
    bool known = false;
    for (size_t same = at; same < before_.size() && place(before_[same].instance) == place(each); ++same)
      if (before_[same].instance.links == each.links &&
          before_[same].instance.orientations.bits() == each.orientations.bits()) {
        ++before_[same].times;
        known = true;
      }
    if (!known) all_.push_back({each, 1});
  }
  all_.insert(all_.end(), before_.begin() + static_cast<std::ptrdiff_t>(at), before_.end());
}

}  // namespace tunesmith::extract::phrases

#include "tunesmith/reestimate/step_trees.h"

#include <utility>

namespace tunesmith::reestimate {

bool StepTrees::read(const RuleSteps& derivation) {
  open_.clear();
  words_.clear();
  owners_.clear();
  columns_.clear();
  places_.clear();
  children_.clear();
  first_column_.assign(1, 0);
  first_place_.assign(1, 0);
  covered_.assign(derivation.source.size(), 0);
  const auto steps = static_cast<uint32_t>(derivation.steps.size());
  uint32_t at = 0;
  while (!open_.empty() || at < steps) {
    if (open_.empty()) {
      open(derivation, at++);
      continue;
    }
    auto& [step, next] = open_.back();
    const auto target = derivation.target(step);
    if (next == target.size()) {
      if (!close(derivation, step)) return false;
      open_.pop_back();
      continue;
    }
    const uint32_t symbol = target[next], place = first_place_[step] + next++;
    places_[place] = static_cast<uint32_t>(words_.size());
    if (!is_gap(symbol)) {
      words_.push_back(symbol);
      owners_.push_back(step);
    } else {
      if (at == steps) return false;
      children_[place] = at;
      open(derivation, at++);
    }
  }
  return true;
}

void StepTrees::open(const RuleSteps& derivation, uint32_t step) {
  columns_.resize(columns_.size() + derivation.side(step).size(), kNoColumn);
  first_column_.push_back(static_cast<uint32_t>(columns_.size()));
  places_.resize(places_.size() + derivation.target(step).size());
  children_.resize(places_.size());
  first_place_.push_back(static_cast<uint32_t>(places_.size()));
  open_.push_back({step, 0});
}

/// Compares the source side with the words of the sentence and with the columns of what fills its gaps.
bool StepTrees::close(const RuleSteps& derivation, uint32_t step) {
  const UsedPhrase& phrase = derivation.phrase(step);
  const auto side = derivation.side(step), target = derivation.target(step);
  size_t column = phrase.begin;
  for (size_t i = 0; i < side.size(); ++i) {
    if (is_gap(side[i])) {
      size_t place = 0;
      while (target[place] != side[i]) ++place;
      const UsedPhrase& child = derivation.phrase(children_[first_place_[step] + place]);
      if (child.begin != column) return false;
      column = child.end;
    } else {
      if (column >= phrase.end || derivation.source[column] != side[i] ||
          std::exchange(covered_[column], 1) != 0)
        return false;
      columns_[first_column_[step] + i] = static_cast<uint32_t>(column++);
    }
  }
  return column == phrase.end;
}

}  // namespace tunesmith::reestimate

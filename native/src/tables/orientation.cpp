#include "tunesmith/tables/orientation.h"

#include <limits>

namespace tunesmith::tables {

bool OrientationSet::valid() const {
  for (OrientationModel model : {OrientationModel::kWord, OrientationModel::kPhrase})
    for (Direction direction : {Direction::kBackward, Direction::kForward})
      if (is_global(get(model, direction))) return false;
  return bits_ >> 18 == 0;
}

void PositionSets::reset(int rows, int columns) {
  rows_ = rows;
  columns_ = columns;
  words_ = (columns + 63) / 64;
  bits_.assign(index(rows, 0), 0);
  least_.assign(static_cast<size_t>(rows), std::numeric_limits<int>::max());
}

void PositionSets::insert(int row, int first, int last) {
  for (int word = first / 64; word <= last / 64; ++word) {
    uint64_t bits = ~uint64_t{0};
    if (word == first / 64) bits &= ~uint64_t{0} << first % 64;
    if (word == last / 64) bits &= ~uint64_t{0} >> (63 - last % 64);
    at(row, word) |= bits;
  }
  least_[static_cast<size_t>(row)] = std::min(least_[static_cast<size_t>(row)], first);
}

bool PositionSets::contains_any(int row, int first, int last) const {
  if (row < 0 || row >= rows_) return false;
  first = std::max(first, 0);
  last = std::min(last, columns_);
  if (first >= last) return false;
  for (int word = first / 64; word <= (last - 1) / 64; ++word) {
    uint64_t bits = bits_[index(row, word)];
    if (word == first / 64) bits &= ~uint64_t{0} << first % 64;
    if (word == (last - 1) / 64) bits &= ~uint64_t{0} >> (63 - (last - 1) % 64);
    if (bits != 0) return true;
  }
  return false;
}

void OrientationReader::Corners::reset(int rows, int columns) {
  begins.reset(rows, columns);
  ends.reset(rows, columns);
}

/// The aligned word at the inner end of a range determines the other end: unaligned words extend it.
void OrientationReader::Corners::insert(int row, const Block& block) {
  begins.insert_once(row, block.first_begin, block.last_begin, block.last_begin);
  ends.insert_once(row, block.first_end, block.last_end, block.first_end);
}

void OrientationReader::Corners::insert_short(int row, const Block& block) {
  begins.insert(row, block.short_begin, block.last_begin);
  ends.insert(row, block.first_end, block.short_end);
}

void OrientationReader::reset(int source_length, int target_length, std::span<const corpus::Link> links) {
  source_length_ = source_length;
  target_length_ = target_length;
  for (PositionSets* sets : {&links_, &ends_of_prefix_, &begins_of_suffix_})
    sets->reset(target_length, source_length);
  for (Blocks* blocks : {&short_, &any_}) {
    blocks->before.reset(target_length, source_length);
    if (events_ != OrientationEvents::kMoses) blocks->after.reset(target_length, source_length);
  }
  last_link_.assign(static_cast<size_t>(target_length), -1);
  for (const corpus::Link& link : links) {
    links_.insert(link.target, link.source, link.source);
    last_link_[static_cast<size_t>(link.target)] =
        std::max(last_link_[static_cast<size_t>(link.target)], link.source);
  }
  if (events_ == OrientationEvents::kDecoder) find_targets(links);
}

/// Passes over unaligned words, which are covered together with an aligned one.
void OrientationReader::find_targets(std::span<const corpus::Link> links) {
  const auto size = static_cast<size_t>(source_length_);
  target_after_.assign(size + 1, target_length_);
  for (const corpus::Link& link : links) {
    int& target = target_after_[static_cast<size_t>(link.source)];
    target = std::min(target, link.target);
  }
  target_before_.assign(size + 1, target_length_);
  for (size_t i = 0; i < size; ++i)
    target_before_[i + 1] = target_after_[i] < target_length_ ? target_after_[i] : target_before_[i];
  for (size_t i = size; i-- > 0;)
    if (target_after_[i] == target_length_) target_after_[i] = target_after_[i + 1];
}

void OrientationReader::add(const Block& block) {
  const int last_target = block.target_end - 1;
  any_.before.insert(last_target, block);
  if (block.is_short) short_.before.insert_short(last_target, block);
  if (events_ != OrientationEvents::kMoses) {
    any_.after.insert(block.target_begin, block);
    if (block.is_short) short_.after.insert_short(block.target_begin, block);
  }
  if (block.target_begin == 0) ends_of_prefix_.insert(last_target, block.first_end, block.last_end);
  if (block.target_end == target_length_)
    begins_of_suffix_.insert(block.target_begin, block.first_begin, block.last_begin);
}

OrientationSet OrientationReader::read(const PhraseSpan& span) const {
  OrientationSet result;
  for (Direction direction : {Direction::kBackward, Direction::kForward}) {
    const Neighbor neighbor = beside(span, direction);
    result.set(OrientationModel::kWord, direction, word(span, neighbor));
    const Orientation phrase = block(span, neighbor, short_);
    result.set(OrientationModel::kPhrase, direction, phrase);
    // A phrase pair within the length limit is a block of any size, too.
    const Orientation found = phrase == Orientation::kMonotone ? phrase : hierarchical(span, neighbor);
    result.set(OrientationModel::kHierarchical, direction,
               global(span, direction) ? with_global(found) : found);
  }
  return result;
}

/// The sentence boundaries count as aligned with each other.
bool OrientationReader::aligned(int source, int target) const {
  if (source == -1 && target == -1) return true;
  if (source == source_length_ && target == target_length_) return true;
  return links_.contains(target, source);
}

OrientationReader::Neighbor OrientationReader::beside(const PhraseSpan& span, Direction direction) const {
  const int target = direction == Direction::kBackward ? span.target_begin - 1 : span.target_end;
  return {direction, target, aligned(span.source_begin - 1, target), aligned(span.source_end, target)};
}

Orientation OrientationReader::word(const PhraseSpan& span, const Neighbor& neighbor) const {
  const bool backward = neighbor.direction == Direction::kBackward;
  const int target = neighbor.target;
  const bool before = neighbor.link_before, after = neighbor.link_after;
  const bool monotone = backward ? before : after;
  const bool swap = backward ? after : before;
  if (monotone && !swap) return Orientation::kMonotone;
  if (swap && !monotone) return Orientation::kSwap;
  const bool inside = target >= 0 && target < target_length_;
  const bool left = before || links_.contains_below(target, span.source_begin - 1);
  const bool right = after || (inside && last_link_[static_cast<size_t>(target)] > span.source_end);
  // As in Moses: "right" if the neighbor has links on both sides or on neither.
  return (backward ? right && !left : left && !right) ? Orientation::kLeft : Orientation::kRight;
}

/// A link beside the phrase pair counts as a block, which matters only where no block ends (begins) with the
/// neighbor: there no derivation of the sentence pair has both the phrase pair and a border beside it.
Orientation OrientationReader::block(const PhraseSpan& span, const Neighbor& neighbor,
                                     const Blocks& blocks) const {
  const bool backward = neighbor.direction == Direction::kBackward;
  const bool moses = events_ == OrientationEvents::kMoses;
  const Corners& corners = backward || moses ? blocks.before : blocks.after;
  const int target = neighbor.target;
  const bool before =
      (neighbor.link_before && !neighbor.link_after) || corners.ends.contains(target, span.source_begin - 1);
  const bool after =
      (neighbor.link_after && !neighbor.link_before) || corners.begins.contains(target, span.source_end);
  if (backward ? before : after) return Orientation::kMonotone;
  if (backward ? after : before) return Orientation::kSwap;
  const bool left = corners.ends.contains_below(target, span.source_begin - 1);
  const bool right =
      corners.begins.contains_any(target, span.source_end + 1, moses ? source_length_ - 1 : source_length_);
  return (backward ? right && !left : left && !right) ? Orientation::kLeft : Orientation::kRight;
}

/// With `kDecoder`, what follows on the right (left) is monotone (swapped) unless the word beside the phrase
/// pair was covered before, as in `decode::forward_orientation`.
Orientation OrientationReader::hierarchical(const PhraseSpan& span, const Neighbor& neighbor) const {
  const Orientation found = block(span, neighbor, any_);
  if (events_ != OrientationEvents::kDecoder || neighbor.direction == Direction::kBackward) return found;
  const int next = neighbor.target;
  if (found == Orientation::kRight && any_.after.begins.contains_any(next, span.source_end, source_length_))
    return target_after_[static_cast<size_t>(span.source_end)] < next ? found : Orientation::kMonotone;
  if (found == Orientation::kLeft)
    return target_before_[static_cast<size_t>(span.source_begin)] < next ? found : Orientation::kSwap;
  return found;
}

/// Whether all target words before (after) form one block that is adjacent to the source side; if there are
/// none, the source side must be at the sentence boundary.
bool OrientationReader::global(const PhraseSpan& span, Direction direction) const {
  if (direction == Direction::kBackward)
    return span.target_begin == 0 ? span.source_begin == 0
                                  : ends_of_prefix_.contains(span.target_begin - 1, span.source_begin - 1);
  return span.target_end == target_length_ ? span.source_end == source_length_
                                           : begins_of_suffix_.contains(span.target_end, span.source_end);
}

}  // namespace tunesmith::tables

#include "tunesmith/extract/phrases/counts.h"

#include "tunesmith/base/errors.h"

namespace tunesmith::extract::phrases {

namespace {

[[noreturn]] void fail(const std::string& file) {
  throw InputError((file.empty() ? "" : file + ": ") + "the file of phrase counts is damaged; count again");
}

}  // namespace

void PhraseCountCursor::damaged() const { fail(file_); }

uint64_t PhraseCountCursor::number(uint64_t largest) {
  uint64_t value = 0;
  try {
    value = rest_.next();
  } catch (const InputError&) {
    damaged();
  }
  if (value > largest) damaged();
  return value;
}

bool PhraseCountCursor::next_source() {
  while (pairs_left_ > 0) next_pair();
  if (rest_.left() == 0) return false;
  const uint64_t length = number(totals_.max_length);
  if (length == 0 || totals_.source_words == 0) damaged();
  source_.clear();
  for (uint64_t i = 0; i < length; ++i)
    source_.push_back(static_cast<int32_t>(number(totals_.source_words - 1)));
  pairs_left_ = number(totals_.pairs);
  is_first_ = true;
  return true;
}

bool PhraseCountCursor::next_pair() {
  if (pairs_left_ == 0) return false;
  --pairs_left_;
  if (totals_.targets == 0) damaged();
  const uint32_t previous = is_first_ ? 0 : target_;
  target_ = previous + static_cast<uint32_t>(number(totals_.targets - 1 - previous));
  if (!is_first_ && target_ == previous) damaged();
  is_first_ = false;
  const uint64_t events = number(totals_.events);
  if (events > rest_.left()) damaged();
  events_.clear();
  if (events == 0) events_.push_back(event(false));
  for (uint64_t i = 0; i < events; ++i) events_.push_back(event(true));
  return true;
}

PhraseEvent PhraseCountCursor::event(bool counted) {
  PhraseEvent event{};
  event.links = number(UINT64_MAX);
  event.orientations = tables::OrientationSet(static_cast<uint32_t>(number((1 << 18) - 1)));
  event.fold = totals_.folds > 1 ? static_cast<uint32_t>(number(totals_.folds - 1)) : 0;
  event.count = counted ? number(kMaxCount) : 1;
  if (!event.orientations.valid()) damaged();
  return event;
}

void PhraseCountEncoder::number(uint64_t value) { append_varint(value, bytes_); }

void PhraseCountEncoder::source(std::span<const int32_t> words, uint64_t pairs) {
  number(words.size());
  for (int32_t word : words) number(static_cast<uint32_t>(word));
  number(pairs);
  previous_ = 0;
  is_first_ = true;
}

void PhraseCountEncoder::pair(uint32_t target, std::span<const PhraseEvent> events) {
  if (!is_first_ && target <= previous_)
    throw InputError("the target phrases of a source phrase do not increase");
  number(target - previous_);
  previous_ = target;
  is_first_ = false;
  const bool once = events.size() == 1 && events[0].count == 1;
  number(once ? 0 : events.size());
  for (const PhraseEvent& event : events) {
    number(event.links);
    number(event.orientations.bits());
    if (folds_ > 1) number(event.fold);
    if (!once) number(event.count);
  }
}

void PhraseCountFile::damaged() const { fail(container_.path()); }

PhraseCountFile::PhraseCountFile(const std::string& path)
    : container_(path, kPhraseCountsKind, kPhraseCountsVersion),
      source_vocabulary_(container_, "source"),
      target_vocabulary_(container_, "target"),
      target_words_(container_.section<int32_t>("target.phrases.words")),
      blocks_(container_.section<int64_t>("blocks")),
      bytes_(container_.section<uint8_t>("pairs")) {
  const auto totals = container_.section<PhraseTotals>("totals");
  if (totals.size() != 1) damaged();
  totals_ = totals[0];
  if (container_.has(kUnitSection)) {
    const auto unit = container_.section<uint64_t>(kUnitSection);
    if (unit.size() != 1 || unit[0] == 0 || unit[0] > kMaxUnit) damaged();
    unit_ = unit[0];
  }
  try {
    targets_ = ShortOffsets(container_.section<uint8_t>("target.phrases.lengths"),
                            container_.section<uint64_t>("target.phrases.starts"), target_words_.size());
    check_offsets(blocks_, bytes_.size(), "blocks of phrase pairs");
  } catch (const InputError&) {
    damaged();
  }
  if (totals_.targets != targets_.size() || totals_.max_length > kMaxPhraseLength || totals_.folds == 0 ||
      totals_.folds > kMaxFolds || totals_.source_words != source_vocabulary_.size())
    damaged();
  const auto words = static_cast<int32_t>(target_vocabulary_.size());
  for (int32_t word : target_words_)
    if (word < 0 || word >= words) damaged();
  for (size_t i = 0; i < totals_.targets; ++i)
    if (targets_.length(i) == 0 || targets_.length(i) > totals_.max_length) damaged();
}

PhraseCountCursor PhraseCountFile::block(size_t index) const {
  const auto begin = static_cast<size_t>(blocks_[index]);
  return {bytes_.subspan(begin, static_cast<size_t>(blocks_[index + 1]) - begin), totals_, container_.path()};
}

uint64_t PhraseCountFile::instances_without(uint32_t fold) const {
  uint64_t sum = 0;
  for (size_t i = 0; i < blocks(); ++i) {
    PhraseCountCursor cursor = block(i);
    while (cursor.next_source())
      while (cursor.next_pair())
        for (const PhraseEvent& event : cursor.events()) sum += event.fold == fold ? 0 : event.count;
  }
  return (sum + unit_ / 2) / unit_;
}

}  // namespace tunesmith::extract::phrases

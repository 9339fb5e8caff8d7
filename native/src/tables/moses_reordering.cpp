#include "tunesmith/tables/moses_reordering.h"

#include <algorithm>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/text.h"
#include "tunesmith/corpus/moses_fields.h"
#include "tunesmith/corpus/sentences.h"

namespace tunesmith::tables {

namespace {

constexpr uint32_t kFree = SequencePool<float>::kUnknown;

uint64_t phrase_hash(uint64_t hash, std::string_view phrase) {
  corpus::for_each_token(phrase, [&](std::string_view token) { hash = mix(hash, hash_bytes(token)); });
  return mix(hash, 0x7c7c7c);  // separator, so that ("a b", "c") and ("a", "b c") differ
}

}  // namespace

void MosesReordering::parse_line(std::string_view line) {
  corpus::split_fields(line, fields_);
  if (columns_ == 0) columns_ = fields_.size() == 2 ? 2 : 3;
  if (fields_.size() != columns_ || fields_[0].empty() || (columns_ == 3 && fields_[1].empty()))
    throw InputError("found " + std::to_string(fields_.size()) + " fields; expected 'source ||| " +
                     (columns_ == 3 ? "target ||| " : "") + "probabilities', none of them empty");
  row_.clear();
  corpus::parse_probabilities(fields_.back(), row_);
  if (width_ == 0) width_ = row_.size();
  if (row_.empty() || row_.size() != width_)
    throw InputError("found " + std::to_string(row_.size()) + " probabilities; expected " +
                     (width_ == 0 ? "some" : std::to_string(width_) + ", as on the first line"));
  if (4 * (count_ + 1) > 3 * slots_.size()) grow();
  const uint64_t key = phrase_hash(phrase_hash(0, fields_[0]), columns_ == 3 ? fields_[1] : "");
  Slot& found = slots_[slot(key)];
  if (found.row != kFree) throw InputError("duplicate phrase pair; expected each pair once");
  found = {key, rows_.intern(row_)};
  ++count_;
}

std::span<const float> MosesReordering::find(std::string_view source, std::string_view target) const {
  if (slots_.empty()) return {};
  const uint64_t key = phrase_hash(phrase_hash(0, source), columns_ == 3 ? target : "");
  const Slot& found = slots_[slot(key)];
  return found.row == kFree ? std::span<const float>() : rows_[found.row];
}

size_t MosesReordering::slot(uint64_t key) const {
  const size_t mask = slots_.size() - 1;
  size_t at = key & mask;
  while (slots_[at].row != kFree && slots_[at].key != key) at = (at + 1) & mask;
  return at;
}

void MosesReordering::grow() {
  std::vector<Slot> old(std::max<size_t>(16, 2 * slots_.size()), Slot{0, kFree});
  old.swap(slots_);
  for (const Slot& each : old)
    if (each.row != kFree) slots_[slot(each.key)] = each;
}

}  // namespace tunesmith::tables

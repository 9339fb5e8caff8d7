#include "tunesmith/xbleu/list_file.h"

#include <algorithm>
#include <cmath>

#include "tunesmith/base/container_texts.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/base/varint.h"

namespace tunesmith::xbleu {

namespace {

constexpr std::string_view kKind = "xbleu";
constexpr uint32_t kVersion = 1;

template <class T>
void append(std::vector<T>& values, const std::vector<T>& more, std::vector<uint64_t>& offsets) {
  values.insert(values.end(), more.begin(), more.end());
  offsets.push_back(values.size());
}

/// Whether offsets go from 0 to `total` without falling, and have one more entry than there are rows.
template <class T>
bool are_sound(std::span<const T> offsets, size_t rows, size_t total) {
  return offsets.size() == rows + 1 && offsets.front() == 0 && offsets.back() == total &&
         std::is_sorted(offsets.begin(), offsets.end());
}

template <class T>
std::span<const T> row(std::span<const T> values, std::span<const uint64_t> offsets, size_t number) {
  return values.subspan(offsets[number], offsets[number + 1] - offsets[number]);
}

}  // namespace

void ListWriter::add(const ListDraft& list) {
  const EventTextsWriter::Numbers numbers = texts_.add(list.words, list.phrases);
  sentences_.push_back(list.sentence);
  reference_lengths_.push_back(list.reference_length);
  for (const uint32_t word : list.source) source_.push_back(numbers.words[word]);
  source_offsets_.push_back(source_.size());
  append(scores_, list.scores, candidate_offsets_);
  matches_.insert(matches_.end(), list.matches.begin(), list.matches.end());
  for (const Event& event : list.events) events_.push_back(numbers(event));
  event_offsets_.push_back(events_.size());
  append(common_, list.common, common_offsets_);
  for (size_t candidate = 0; candidate < list.uses.size(); ++candidate) {
    const auto uses = list.uses[candidate];
    uses_.insert(uses_.end(), uses.begin(), uses.end());
    if (uses_.size() > UINT32_MAX) throw InputError("a file of lists has more than 2^32 uses of events");
    use_offsets_.push_back(static_cast<uint32_t>(uses_.size()));
  }
  if (!dense_names_.empty()) append_packed(list.dense, list.scores.size(), dense_);
  dense_offsets_.push_back(dense_.size());
}

void ListWriter::write(const std::string& path) const {
  std::vector<uint8_t> packed;
  for (size_t i = 0; i < matches_.size(); ++i) {
    append_varint(matches_[i].length, packed);
    for (const uint16_t count : matches_[i].of) append_varint(count, packed);
    append_varint(use_offsets_[i + 1] - use_offsets_[i], packed);
  }
  ContainerWriter writer(path, kKind, kVersion);
  texts_.write(writer);
  writer.add("sentences", sentences_);
  writer.add("reference_lengths", reference_lengths_);
  writer.add("source_offsets", source_offsets_);
  writer.add("source", source_);
  writer.add("candidate_offsets", candidate_offsets_);
  writer.add("scores", scores_);
  writer.add("packed", packed);
  writer.add("event_offsets", event_offsets_);
  writer.add("events", events_);
  writer.add("common_offsets", common_offsets_);
  writer.add("common", common_);
  writer.add("uses", uses_);
  if (!dense_names_.empty()) {
    TextColumn names;
    for (const std::string& name : dense_names_) names.add(name);
    add_texts(writer, "dense_names", names);
    writer.add("dense_offsets", dense_offsets_);
    writer.add("dense", dense_);
  }
  writer.finish();
}

ListFile::ListFile(const std::string& path)
    : container_(path, kKind, kVersion),
      texts_(container_),
      sentences_(container_.section<uint32_t>("sentences")),
      reference_lengths_(container_.section<uint32_t>("reference_lengths")),
      source_offsets_(container_.section<uint64_t>("source_offsets")),
      candidate_offsets_(container_.section<uint64_t>("candidate_offsets")),
      event_offsets_(container_.section<uint64_t>("event_offsets")),
      common_offsets_(container_.section<uint64_t>("common_offsets")),
      source_(container_.section<uint32_t>("source")),
      scores_(container_.section<float>("scores")),
      packed_(container_.section<uint8_t>("packed")),
      events_(container_.section<Event>("events")),
      common_(container_.section<uint16_t>("common")),
      uses_(container_.section<uint16_t>("uses")) {
  try {
    unpack();
  } catch (const InputError& error) {
    throw InputError(std::string("is damaged: ") + error.what(), this->path());
  }
  check();
  if (container_.has("dense")) open_dense();
}

void ListFile::open_dense() {
  dense_names_ = read_texts(container_, "dense_names");
  dense_offsets_ = container_.section<uint64_t>("dense_offsets");
  dense_ = container_.section<uint8_t>("dense");
  if (dense_names_.size() > UINT16_MAX || !are_sound(dense_offsets_, size(), dense_.size()))
    throw InputError("is damaged: its values of features do not fit its lists", path());
  for (size_t i = 0; i < size(); ++i) dense(i);
}

DenseValues ListFile::dense(size_t list) const {
  if (dense_names_.size() == 0) return {};
  const size_t candidates = candidate_offsets_[list + 1] - candidate_offsets_[list];
  try {
    return unpacked(row(dense_, dense_offsets_, list), candidates, dense_names_.size());
  } catch (const InputError& error) {
    throw InputError(std::string("is damaged: ") + error.what(), path());
  }
}

void ListFile::unpack() {
  VarintReader reader(packed_);
  const auto next = [&] {
    const uint64_t value = reader.next();
    if (value > UINT16_MAX) throw InputError("a candidate has more than 65535 words");
    return static_cast<uint16_t>(value);
  };
  matches_.reserve(scores_.size());
  use_offsets_.reserve(scores_.size() + 1);
  use_offsets_.push_back(0);
  for (size_t i = 0; i < scores_.size(); ++i) {
    Matches& matches = matches_.emplace_back();
    matches.length = next();
    for (uint16_t& count : matches.of) count = next();
    const uint64_t uses = reader.next();
    if (uses > uses_.size() - use_offsets_.back()) throw InputError("a candidate has too many events");
    use_offsets_.push_back(use_offsets_.back() + static_cast<uint32_t>(uses));
  }
  if (reader.left() > 0) throw InputError("a block of numbers is too long");
}

void ListFile::check() const {
  const auto require = [&](bool is_sound) {
    if (!is_sound) throw InputError("is damaged: its numbers do not fit its lists", path());
  };
  require(texts_.is_sound());
  require(reference_lengths_.size() == size());
  require(are_sound(source_offsets_, size(), source_.size()));
  require(are_sound(candidate_offsets_, size(), scores_.size()));
  require(are_sound(event_offsets_, size(), events_.size()));
  require(are_sound(common_offsets_, size(), common_.size()));
  require(use_offsets_.back() == uses_.size());
  require(std::all_of(source_.begin(), source_.end(), [&](uint32_t word) { return texts_.has_word(word); }));
  require(std::all_of(scores_.begin(), scores_.end(), [](float score) { return std::isfinite(score); }));
  for (size_t i = 0; i < size(); ++i) {
    const ListView list = (*this)[i];
    const auto is_event = [&](uint16_t event) { return event < list.events.size(); };
    require(std::all_of(list.common.begin(), list.common.end(), is_event));
    require(std::all_of(list.all_uses.begin(), list.all_uses.end(), is_event));
    for (const Event& event : list.events) require(texts_.fits(event, list.source.size()));
  }
}

ListView ListFile::operator[](size_t list) const {
  const size_t first = candidate_offsets_[list], end = candidate_offsets_[list + 1];
  const auto offsets = std::span(use_offsets_).subspan(first, end - first + 1);
  return {sentences_[list],
          reference_lengths_[list],
          row(source_, source_offsets_, list),
          scores_.subspan(first, end - first),
          std::span(matches_).subspan(first, end - first),
          row(events_, event_offsets_, list),
          row(common_, common_offsets_, list),
          offsets,
          uses_.subspan(offsets.front(), offsets.back() - offsets.front())};
}

}  // namespace tunesmith::xbleu

#include "tunesmith/forest/file.h"

#include <limits>
#include <new>

#include "tunesmith/base/checksum.h"
#include "tunesmith/base/container_texts.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/base/text.h"
#include "tunesmith/forest/block.h"

namespace tunesmith::forest {

namespace {

constexpr std::string_view kKind = "forests";
constexpr uint32_t kVersion = 1;
constexpr uint32_t kUnnumbered = std::numeric_limits<uint32_t>::max();

uint64_t checksum_of_block(const void* data, size_t bytes) {
  Checksum checksum;
  checksum.update(data, bytes);
  return checksum.value();
}

/// Names and index are read when a file is opened and their checksums verified then; those of blocks when
/// they are read.
void check_names_and_index(const Container& container) {
  for (const Section& section : container.sections())
    if (std::string_view(section.name) != "blocks" &&
        checksum_of_block(container.data() + section.begin, section.bytes) != section.checksum)
      throw InputError("is damaged: the checksum of its names or its index is wrong", container.path());
}

}  // namespace

ForestWriter::ForestWriter(const std::string& path) : container_(path, kKind, kVersion) {
  container_.open<uint8_t>("blocks");
}

/// Words are numbered when an edge uses them, features at once: names of unused features are stored too.
std::shared_ptr<const ForestWriter::Numbers> ForestWriter::number_names(const Forest& forest) {
  const ForestNames& names = forest.names();
  if (last_names_ != forest.shared_names()) {
    auto numbers = std::make_shared<Numbers>();
    numbers->words.assign(names.words.size(), kUnnumbered);
    for (size_t i = 0; i < names.features.size(); ++i)
      numbers->features.push_back(static_cast<uint32_t>(features_.intern(names.features[i])));
    last_names_ = forest.shared_names();
    last_numbers_ = std::move(numbers);
  }
  for (const Rows<grammar::Symbol>* side : {&forest.rules().sources, &forest.rules().targets})
    for (const grammar::Symbol symbol : side->values) {
      if (grammar::is_gap(symbol)) continue;
      const auto word = static_cast<size_t>(symbol);
      if (last_numbers_->words[word] != kUnnumbered) continue;
      if (last_numbers_.use_count() > 1) last_numbers_ = std::make_shared<Numbers>(*last_numbers_);
      last_numbers_->words[word] = static_cast<uint32_t>(words_.intern(names.words[word]));
    }
  return last_numbers_;
}

std::string ForestWriter::check_id(std::string_view id) const {
  std::string name = id.empty() ? std::to_string(checksums_.size()) : std::string(id);
  if (find_invalid_utf8(name) != std::string_view::npos)
    throw InputError("the id " + quoted(name) + " is not UTF-8");
  if (ids_.find(name) != NameTable::kUnknown)
    throw InputError("two forests have the id " + quoted(name) + "; expected one forest per sentence");
  return name;
}

void ForestWriter::add(const Forest& forest, std::string_view id) {
  std::shared_ptr<const Numbers> numbers;
  {
    const std::lock_guard lock(mutex_);
    if (!id.empty()) check_id(id);  // first, so that a rejected forest adds no words
    numbers = number_names(forest);
  }
  const std::vector<uint8_t> block = encode_forest(forest.arrays(), numbers->words, numbers->features);
  const uint64_t checksum = checksum_of_block(block.data(), block.size());

  const std::lock_guard lock(mutex_);
  numbers.reset();
  const std::string name = check_id(id);
  check_whole();
  whole_ = false;  // stays so if the disk is full: the file then ends in part of a block
  container_.append<uint8_t>(block);
  whole_ = true;
  ids_.intern(name);
  offsets_.push_back(offsets_.back() + block.size());
  checksums_.push_back(checksum);
  node_counts_.push_back(static_cast<uint32_t>(forest.node_count()));
  edge_counts_.push_back(static_cast<uint32_t>(forest.edge_count()));
}

void ForestWriter::check_whole() const {
  if (!whole_) throw InputError("writing to this forest file failed before; write a new one");
}

void ForestWriter::finish() {
  const std::lock_guard lock(mutex_);
  check_whole();
  whole_ = false;
  container_.add("block_offsets", offsets_);
  container_.add("block_checksums", checksums_);
  container_.add("node_counts", node_counts_);
  container_.add("edge_counts", edge_counts_);
  add_texts(container_, "ids", ids_.names());
  add_texts(container_, "words", words_.names());
  add_texts(container_, "features", features_.names());
  container_.finish();
}

ForestFile::ForestFile(const std::string& path)
    : container_(path, kKind, kVersion, false, Verification::kNever),  // see check_names_and_index
      blocks_(container_.section<uint8_t>("blocks")),
      offsets_(container_.section<uint64_t>("block_offsets")),
      checksums_(container_.section<uint64_t>("block_checksums")),
      node_counts_(container_.section<uint32_t>("node_counts")),
      edge_counts_(container_.section<uint32_t>("edge_counts")) {
  check_names_and_index(container_);
  bool sound = !offsets_.empty() && offsets_.front() == 0 && offsets_.back() == blocks_.size() &&
               offsets_.size() == size() + 1 && node_counts_.size() == size() &&
               edge_counts_.size() == size();
  for (size_t i = 1; sound && i < offsets_.size(); ++i) sound = offsets_[i - 1] <= offsets_[i];
  if (!sound) throw InputError("is damaged: its index does not fit its forests", path);
  auto names = std::make_shared<ForestNames>();
  names->words = read_texts(container_, "words");
  names->features = read_texts(container_, "features");
  names_ = std::move(names);
  const TextColumn ids = read_texts(container_, "ids");
  for (size_t i = 0; i < ids.size(); ++i) ids_.intern(ids[i]);
  if (ids.size() != size() || ids_.size() != size())
    throw InputError("is damaged: two forests have the same id", path);
}

Forest ForestFile::forest(size_t number) const {
  if (number >= size())
    throw InputError(
        "has " + std::to_string(size()) + " forests; there is none of number " + std::to_string(number),
        path());
  const auto block = blocks_.subspan(offsets_[number], offsets_[number + 1] - offsets_[number]);
  const std::string where = "is damaged: forest " + std::to_string(number) + ": ";
  if (checksum_of_block(block.data(), block.size()) != checksums_[number])
    throw InputError(where + "the checksum of its block is wrong", path());
  try {
    return Forest(decode_forest(block), names_);
  } catch (const InputError& error) {
    throw InputError(where + error.what(), path());
  } catch (const std::bad_alloc&) {
    throw InputError(where + "its counts need more memory than there is", path());
  } catch (const std::length_error&) {
    throw InputError(where + "its counts need more memory than there is", path());
  }
}

}  // namespace tunesmith::forest

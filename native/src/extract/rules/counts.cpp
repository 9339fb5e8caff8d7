#include "tunesmith/extract/rules/counts.h"

#include <algorithm>
#include <array>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/base/text.h"
#include "tunesmith/extract/rules/extraction.h"

namespace tunesmith::extract::rules {

namespace {

constexpr size_t kRoundPairs = 1024;            // pairs whose rules are buffered before counting
constexpr size_t kMinBuffer = size_t{1} << 20;  // bytes; smaller buffers would cost more in locking
constexpr size_t kChunkPairs = 32;

/// Rules of some sentence pairs as records by part: length of the key, key, number of siblings.
struct Extracted {
  std::array<std::string, RuleCounts::kParts> parts;
  uint64_t occurrences = 0;

  size_t bytes() const {
    size_t sum = 0;
    for (const std::string& records : parts) sum += records.size();
    return sum;
  }
};

size_t part_of(std::string_view source) {
  return static_cast<size_t>(hash_bytes(source) >> 32) % RuleCounts::kParts;
}

void count_records(const std::string& records, TallyTable& table) {
  for (const char* at = records.data(); at < records.data() + records.size();) {
    const uint32_t length = read_ordered(at);
    const std::string_view key(at, length);
    at += length;
    table.add(key, {weight_of(read_ordered(at)), 1});
  }
}

/// Checks words and links, which are used as indices later.
void check_pair(const AlignedPair& pair, size_t source_words, size_t target_words, size_t line) {
  const auto number = static_cast<int64_t>(line);
  const auto check_words = [&](std::span<const int32_t> words, size_t known) {
    for (const int32_t word : words)
      if (word < 0 || static_cast<size_t>(word) >= known)
        throw InputError("word " + std::to_string(word) + " is not in the vocabulary of " +
                             std::to_string(known) + "; rules are extracted from known words only",
                         number);
  };
  check_words(pair.source, source_words);
  check_words(pair.target, target_words);
  for (const corpus::Link& link : pair.links)
    if (link.source < 0 || static_cast<size_t>(link.source) >= pair.source.size() || link.target < 0 ||
        static_cast<size_t>(link.target) >= pair.target.size())
      throw InputError("the link " + std::to_string(link.source) + "-" + std::to_string(link.target) +
                           " is outside of its sentences",
                       number);
  if (!std::is_sorted(pair.links.begin(), pair.links.end()))
    throw InputError("the links are not sorted; expected them by source, then target position", number);
}

}  // namespace

RuleCounts::RuleCounts(const Texts& source_words, const Texts& target_words, const RuleCountOptions& options)
    : options_(options),
      source_words_(source_words.size()),
      target_words_(target_words.size()),
      source_order_(source_words),
      target_order_(target_words),
      tables_(kParts),
      files_(kParts),
      locks_(kParts) {
  check_limits(options.limits);
}

void RuleCounts::count_only(const Rows<grammar::Symbol>& sides) {
  std::string key;
  for (size_t i = 0; i < sides.size(); ++i) {
    const KeyParts parts = write_key({sides[i], sides[i], {}}, source_order_, source_order_, key);
    only_.insert(hash_bytes({key.data(), parts.source}), 1);
  }
}

void RuleCounts::add(const corpus::Sentences& source, const corpus::Sentences& target,
                     const corpus::Alignments& alignments, size_t begin, size_t end) {
  if (source.size() != target.size() || source.size() != alignments.size())
    throw InputError("there are " + std::to_string(source.size()) + " source sentences, " +
                     std::to_string(target.size()) + " target sentences and " +
                     std::to_string(alignments.size()) + " alignments; expected the same number of each");
  if (begin > end || end > source.size())
    throw InputError("the range [" + std::to_string(begin) + ", " + std::to_string(end) +
                     ") is outside of the " + std::to_string(source.size()) + " sentence pairs");
  for (; begin < end; begin += kRoundPairs)
    add_round(source, target, alignments, begin, std::min(end, begin + kRoundPairs));
}

void RuleCounts::add_round(const corpus::Sentences& source, const corpus::Sentences& target,
                           const corpus::Alignments& alignments, size_t begin, size_t end) {
  // An eighth of the memory, because growing strings may allocate twice their size. The order of counting
  // does not matter: counts are integers, and keys are sorted afterwards.
  const size_t most = std::max(kMinBuffer, options_.memory_bytes / 8);
  std::atomic<size_t> waiting = 0;
  std::vector<Extracted> extracted(chunk_count(end - begin, kChunkPairs));
  parallel_chunks(end - begin, kChunkPairs, options_.threads, [&](size_t chunk, size_t from, size_t to) {
    RuleExtractor extractor(options_.limits);
    std::vector<Reach> source_reach, target_reach;
    std::string key;
    Extracted& out = extracted[chunk];
    size_t mine = 0;  // bytes of `waiting` in `out`
    for (size_t i = begin + from; i < begin + to; ++i) {
      source_reach.resize(source[i].size());
      target_reach.resize(target[i].size());
      const AlignedPair pair{source[i], target[i], alignments[i], source_reach, target_reach};
      check_pair(pair, source_words_, target_words_, i + 1);
      make_reaches(pair.links, source_reach, target_reach);
      extractor.extract_all(pair, [&](const RuleOccurrence& found, int64_t siblings) {
        const KeyParts parts = write_key(found.rule, source_order_, target_order_, key);
        const std::string_view side(key.data(), parts.source);
        if (only_.size() > 0 && only_.find(hash_bytes(side)) == nullptr) return;
        std::string& records = out.parts[part_of(side)];
        append_ordered(static_cast<uint32_t>(key.size()), records);
        records += key;
        append_ordered(options_.fractional ? static_cast<uint32_t>(siblings) : 1, records);
        ++out.occurrences;
      });
      const size_t now = out.bytes();
      waiting += now - mine;
      mine = now;
      if (waiting <= most) continue;
      for (size_t part = 0; part < kParts; ++part) count(part, out.parts[part]);
      waiting -= mine;
      mine = 0;
    }
  });
  parallel_chunks(kParts, 1, options_.threads, [&](size_t part, size_t, size_t) {
    for (Extracted& chunk : extracted) count(part, chunk.parts[part]);
  });
  size_t bytes = 0;
  for (const Extracted& chunk : extracted) occurrences_ += chunk.occurrences;
  for (const TallyTable& table : tables_) bytes += table.bytes();
  if (bytes > options_.memory_bytes / 2) spill();  // the other half is for buffers and sorting
}

void RuleCounts::add(const grammar::Rule& rule, const Tally& tally) {
  std::string key;
  const KeyParts parts = write_key(rule, source_order_, target_order_, key);
  tables_[part_of({key.data(), parts.source})].add(key, tally);
  occurrences_ += tally.occurrences;
}

void RuleCounts::count(size_t part, std::string& records) {
  if (records.empty()) return;
  const std::lock_guard lock(locks_[part]);
  count_records(records, tables_[part]);
  std::string().swap(records);
  const size_t share = std::max(kMinBuffer, options_.memory_bytes / 2) / kParts;
  if (tables_[part].bytes() > 2 * share) spill(part);  // parts are not quite of equal size
}

void RuleCounts::spill() {
  parallel_chunks(kParts, 1, options_.threads, [&](size_t part, size_t, size_t) { spill(part); });
}

void RuleCounts::spill(size_t part) {
  on_disk_ = true;
  files_[part].move_to_disk(options_.folder);
  tables_[part].save(files_[part]);
  tables_[part].clear();
}

TallyTable RuleCounts::take_part(size_t part) {
  TallyTable table = std::move(tables_[part]);
  tables_[part].clear();
  if (on_disk_) {
    table.load(files_[part].view());
    files_[part] = Scratch();
  }
  return table;
}

}  // namespace tunesmith::extract::rules

#include "tunesmith/decode/features/pair_scores.h"

#include <bit>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/flat_map.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/base/text.h"

namespace tunesmith::decode::features {

namespace {

/// Numbers distinct rows in order of first occurrence.
class RowInterner {
 public:
  explicit RowInterner(size_t width) : width_(width) {}

  uint32_t number(std::span<const float> row) {
    uint64_t hash = 0;
    for (const float value : row) hash = mix(hash, std::bit_cast<uint32_t>(value));
    for (;; ++hash) {
      const auto next = static_cast<uint32_t>(values_.size() / width_);
      const auto [number, is_new] = numbers_.insert(hash, next);
      if (is_new) values_.insert(values_.end(), row.begin(), row.end());
      if (is_new || std::equal(row.begin(), row.end(), values_.begin() + begin(number))) return number;
    }
  }
  const std::vector<float>& values() const { return values_; }

 private:
  std::ptrdiff_t begin(uint32_t number) const { return static_cast<std::ptrdiff_t>(size_t{number} * width_); }

  size_t width_;
  std::vector<float> values_;
  FlatMap<uint32_t> numbers_;
};

constexpr size_t kNodesPerChunk = 1 << 12, kChunksPerRound = 64;

}  // namespace

PairScores::PairScores(const std::string& path)
    : container_(path, kKind, kVersion),
      pairs_(container_.section<uint32_t>("pairs")),
      rows_(container_.section<float>("rows")) {
  const auto about = container_.section<uint64_t>("about");
  if (about.size() != 2 || about[0] == 0 || rows_.size() % about[0] != 0) damaged("the width of its rows");
  width_ = about[0];
}

void PairScores::damaged(const char* what) const {
  throw InputError(std::string("is damaged: ") + what + " is wrong; make the model again", path());
}

void PairScores::check(const tables::PhraseTable& table, size_t width) const {
  if (width_ != width)
    throw InputError("has " + std::to_string(width_) + " scores per pair; expected " + std::to_string(width),
                     path());
  if (size() != table.pair_count() || container_.section<uint64_t>("about")[1] != table.fingerprint())
    throw InputError("has the scores of the pairs of another table than " + quoted(table.path()) +
                         "; make the model again with `tunesmith xbleu attach`",
                     path());
}

void write_pair_scores(const tables::PhraseTable& table, size_t width, const RowOfPair& row, int threads,
                       const std::string& path) {
  std::vector<uint32_t> numbers(table.pair_count());
  RowInterner rows(width);
  const size_t nodes = table.node_count(), round = kNodesPerChunk * kChunksPerRound;
  std::vector<std::vector<float>> computed(kChunksPerRound);
  // Rows are computed by several threads, and numbered by one, in the order of the table.
  for (size_t first = 0; first < nodes; first += round) {
    const size_t count = std::min(round, nodes - first);
    parallel_chunks(count, kNodesPerChunk, threads, [&](size_t chunk, size_t begin, size_t end) {
      std::vector<float>& values = computed[chunk];
      values.clear();
      for (size_t i = begin; i < end; ++i) {
        const auto node = static_cast<uint32_t>(first + i);
        const tables::PairRange pairs = table.pairs(node);
        if (pairs.empty()) continue;
        const std::vector<int32_t> source = table.source(node);
        for (uint32_t pair = pairs.begin; pair < pairs.end; ++pair) {
          values.resize(values.size() + width);
          row(source, pair, std::span(values).last(width));
        }
      }
    });
    for (size_t chunk = 0; chunk < chunk_count(count, kNodesPerChunk); ++chunk) {
      const float* at = computed[chunk].data();
      const size_t begin = first + chunk * kNodesPerChunk;
      for (size_t node = begin; node < std::min(begin + kNodesPerChunk, first + count); ++node) {
        const tables::PairRange pairs = table.pairs(static_cast<uint32_t>(node));
        for (uint32_t pair = pairs.begin; pair < pairs.end; ++pair, at += width)
          numbers[pair] = rows.number({at, width});
      }
    }
  }
  ContainerWriter writer(path, PairScores::kKind, PairScores::kVersion);
  writer.add("about", std::vector<uint64_t>{width, table.fingerprint()});
  writer.add("pairs", numbers);
  writer.add("rows", rows.values());
  writer.finish();
}

}  // namespace tunesmith::decode::features

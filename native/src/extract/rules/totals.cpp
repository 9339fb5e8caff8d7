#include "tunesmith/extract/rules/totals.h"

#include <algorithm>
#include <tuple>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/base/text.h"

namespace tunesmith::extract::rules {

namespace {

constexpr size_t kRanges = 64;

size_t range_of(uint64_t hash) { return static_cast<size_t>(hash >> 58); }

uint64_t other_hash(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mix(hash, bytes.size());
}

bool before(const TargetRecord& a, const TargetRecord& b) {
  return std::tie(a.hash, a.check) < std::tie(b.hash, b.check);
}

bool same_target(const TargetRecord& a, const TargetRecord& b) {
  return a.hash == b.hash && a.check == b.check;
}

}  // namespace

TargetRecord target_record(std::string_view target, uint64_t weight, size_t part, uint64_t rule) {
  if (rule >= UINT32_MAX)
    throw InputError("a part of the rule counts has 2^32 - 1 rules; extract from less text or fewer rules");
  return {hash_bytes(target), other_hash(target), weight, static_cast<uint32_t>(part),
          static_cast<uint32_t>(rule)};
}

void TargetTotals::add(size_t part, std::vector<TargetRecord>&& records, const std::string& folder) {
  std::sort(records.begin(), records.end(), before);
  if (!folder.empty()) files_[part].move_to_disk(folder);
  files_[part].append({reinterpret_cast<const char*>(records.data()), records.size() * sizeof(TargetRecord)});
  borders_[part].assign(kRanges + 1, 0);
  for (const TargetRecord& record : records) ++borders_[part][range_of(record.hash) + 1];
  for (size_t range = 0; range < kRanges; ++range) borders_[part][range + 1] += borders_[part][range];
}

void TargetTotals::sum(std::span<const std::span<uint64_t>> totals, int threads) {
  std::vector<const TargetRecord*> parts;
  for (Scratch& file : files_) parts.push_back(reinterpret_cast<const TargetRecord*>(file.view().data()));
  parallel_chunks(kRanges, 1, threads, [&](size_t range, size_t, size_t) {
    std::vector<TargetRecord> records;
    for (size_t part = 0; part < parts.size(); ++part)
      records.insert(records.end(), parts[part] + borders_[part][range],
                     parts[part] + borders_[part][range + 1]);
    std::sort(records.begin(), records.end(), before);
    for (size_t begin = 0, end = 0; begin < records.size(); begin = end) {
      uint64_t weight = 0;
      for (; end < records.size() && same_target(records[begin], records[end]); ++end)
        weight += records[end].weight;
      for (size_t i = begin; i < end; ++i) totals[records[i].part][records[i].rule] = weight;
    }
  });
}

}  // namespace tunesmith::extract::rules

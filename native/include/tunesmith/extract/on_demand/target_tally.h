// Hash table of counts of the target sides and alignments of one source side.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/extract/on_demand/grammar.h"

namespace tunesmith::extract::on_demand {

/// Counts pairs of a target side and an alignment. O(length) per addition.
class TargetTally {
 public:
  TargetTally() { slots_.assign(64, -1); }

  bool empty() const { return entries_.empty(); }
  void add(std::span<const grammar::Symbol> target, std::span<const corpus::Link> alignment);

  struct Total {
    std::span<const grammar::Symbol> target;
    std::span<const corpus::Link> alignment;  // the most frequent one; ties are broken as in Moses
    uint32_t count = 0;
  };
  /// Target sides by decreasing count, then by symbols. The spans are valid until the next change.
  std::vector<Total> totals() const;
  void clear();

 private:
  struct Entry {
    uint64_t hash = 0;
    size_t target = 0;  // offset in symbols_
    size_t links = 0;
    uint32_t target_size = 0;
    uint32_t link_count = 0;
    uint32_t count = 1;
  };
  std::span<const grammar::Symbol> target_of(const Entry& entry) const {
    return std::span(symbols_).subspan(entry.target, entry.target_size);
  }
  std::span<const corpus::Link> links_of(const Entry& entry) const {
    return std::span(links_).subspan(entry.links, entry.link_count);
  }
  void grow();

  std::vector<grammar::Symbol> symbols_;
  std::vector<corpus::Link> links_;
  std::vector<Entry> entries_;
  std::vector<int32_t> slots_;  // open addressing; a power of two, at most half full
};

}  // namespace tunesmith::extract::on_demand

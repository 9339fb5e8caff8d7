// Rules as short byte strings whose order is the order of a sorted rule table.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/texts.h"
#include "tunesmith/grammar/rule.h"

namespace tunesmith::extract::rules {

/// The ranks of a vocabulary's words, and of the marks `[X][X]` (a gap) and `[X]` (the end of a side), among
/// each other by bytes. Sides written as ranks sort as `LC_ALL=C sort` sorts Moses' rule tables.
class SymbolOrder {
 public:
  explicit SymbolOrder(const Texts& words);

  uint32_t end() const { return end_; }
  uint32_t rank(grammar::Symbol symbol) const {
    return grammar::is_gap(symbol) ? gap_ : ranks_[static_cast<size_t>(symbol)];
  }
  bool is_gap_rank(uint32_t rank) const { return rank == gap_; }
  grammar::Symbol word(uint32_t rank) const { return words_[rank]; }

 private:
  std::vector<uint32_t> ranks_;         // of words
  std::vector<grammar::Symbol> words_;  // of ranks; -1 for the marks
  uint32_t gap_ = 0;
  uint32_t end_ = 0;
};

/// Where the parts of a key end: source side, target side, then a byte that says whether the gaps are
/// swapped, then the links. Keys with the same bytes up to `rule` are the same rule; equal target sides with
/// swapped gaps have the same bytes from `source` to `target`, because seen from the target, gaps are
/// numbered in its own order.
struct KeyParts {
  uint32_t source = 0;
  uint32_t target = 0;
  uint32_t rule() const { return target + 1; }
};

/// Appends a number below 2^32 so that bytes sort as numbers do: 1, 2, 3 or 5 bytes.
void append_ordered(uint32_t value, std::string& key);
uint32_t read_ordered(const char*& at);

/// Replaces `key` by the key of a rule.
KeyParts write_key(const grammar::Rule& rule, const SymbolOrder& source, const SymbolOrder& target,
                   std::string& key);

/// Memory for a rule that was read from its key.
class DecodedRule {
 public:
  void read_source(std::string_view side, const SymbolOrder& order);
  void read_target(std::string_view side, bool swapped, const SymbolOrder& order);
  void read_links(std::string_view links);
  grammar::Rule view() const { return {source_, target_, alignment_}; }

 private:
  std::vector<grammar::Symbol> source_;
  std::vector<grammar::Symbol> target_;
  std::vector<corpus::Link> alignment_;
};

}  // namespace tunesmith::extract::rules

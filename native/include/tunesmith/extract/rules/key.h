// Encoding of rules as short byte strings that sort like the lines of a rule table.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/texts.h"
#include "tunesmith/grammar/rule.h"

namespace tunesmith::extract::rules {

/// Ranks by bytes of a vocabulary's words and of the tokens `[X][X]` (a gap) and `[X]` (the end of a side).
/// Sides encoded as ranks sort as `LC_ALL=C sort` sorts Moses' rule tables.
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
  std::vector<grammar::Symbol> words_;  // by rank; -1 for gap and end
  uint32_t gap_ = 0;
  uint32_t end_ = 0;
};

/// Ends of the parts of a key: source side, target side, then one byte (1 if the gaps are swapped), then the
/// links. Keys with equal bytes up to `rule` are the same rule. Target sides that differ only in the order of
/// gaps have equal bytes from `source` to `target`: there, gaps are numbered from left to right.
struct KeyParts {
  uint32_t source = 0;
  uint32_t target = 0;
  uint32_t rule() const { return target + 1; }
};

/// Appends a number below 2^32 in 1, 2, 3 or 5 bytes that sort like the number.
void append_ordered(uint32_t value, std::string& key);
uint32_t read_ordered(const char*& at);

/// Replaces `key` by the key of a rule.
KeyParts write_key(const grammar::Rule& rule, const SymbolOrder& source, const SymbolOrder& target,
                   std::string& key);

/// A rule decoded from its key.
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

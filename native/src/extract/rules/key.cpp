#include "tunesmith/extract/rules/key.h"

#include <algorithm>
#include <numeric>

#include "tunesmith/base/errors.h"

namespace tunesmith::extract::rules {

namespace {

constexpr std::string_view kGapToken = "[X][X]";
constexpr std::string_view kEndToken = "[X]";

void append_byte(uint32_t value, std::string& key) { key += static_cast<char>(value & 0xff); }

uint32_t next_byte(const char*& at) { return static_cast<unsigned char>(*at++); }

}  // namespace

SymbolOrder::SymbolOrder(const Texts& words) : ranks_(words.size()) {
  // Gap and end have the numbers words.size() and words.size() + 1.
  std::vector<uint32_t> order(words.size() + 2);
  std::iota(order.begin(), order.end(), 0);
  const auto text = [&](uint32_t i) {
    return i < words.size() ? words[i] : i == words.size() ? kGapToken : kEndToken;
  };
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const int difference = text(a).compare(text(b));
    return difference != 0 ? difference < 0 : a < b;
  });
  words_.assign(order.size(), -1);
  for (uint32_t rank = 0; rank < order.size(); ++rank) {
    const uint32_t symbol = order[rank];
    if (symbol < words.size()) {
      ranks_[symbol] = rank;
      words_[rank] = static_cast<grammar::Symbol>(symbol);
    } else {
      (symbol == words.size() ? gap_ : end_) = rank;
    }
  }
}

void append_ordered(uint32_t value, std::string& key) {
  if (value < 0x80) return append_byte(value, key);
  if (value < 0x4000) {
    append_byte(0x80 | value >> 8, key);
    return append_byte(value, key);
  }
  const bool three = value < 0x200000;
  append_byte(three ? 0xc0 | value >> 16 : 0xe0, key);
  if (!three) {
    append_byte(value >> 24, key);
    append_byte(value >> 16, key);
  }
  append_byte(value >> 8, key);
  append_byte(value, key);
}

uint32_t read_ordered(const char*& at) {
  const uint32_t first = next_byte(at);
  if (first < 0x80) return first;
  if (first < 0xc0) return (first & 0x3f) << 8 | next_byte(at);
  uint32_t value = first & 0x1f;
  for (int more = first < 0xe0 ? 2 : 4; more > 0; --more) value = value << 8 | next_byte(at);
  return value;
}

KeyParts write_key(const grammar::Rule& rule, const SymbolOrder& source, const SymbolOrder& target,
                   std::string& key) {
  KeyParts parts;
  key.clear();
  for (const grammar::Symbol symbol : rule.source) append_ordered(source.rank(symbol), key);
  append_ordered(source.end(), key);
  parts.source = static_cast<uint32_t>(key.size());
  grammar::Symbol first_gap = 0;
  for (const grammar::Symbol symbol : rule.target) {
    if (grammar::is_gap(symbol) && first_gap == 0) first_gap = symbol;
    append_ordered(target.rank(symbol), key);
  }
  append_ordered(target.end(), key);
  parts.target = static_cast<uint32_t>(key.size());
  append_byte(first_gap == grammar::gap_symbol(1) ? 1 : 0, key);
  for (const corpus::Link& link : rule.alignment) {
    append_ordered(static_cast<uint32_t>(link.source), key);
    append_ordered(static_cast<uint32_t>(link.target), key);
  }
  return parts;
}

void DecodedRule::read_source(std::string_view side, const SymbolOrder& order) {
  source_.clear();
  size_t gaps = 0;
  for (const char* at = side.data(); at < side.data() + side.size();) {
    const uint32_t rank = read_ordered(at);
    if (rank == order.end()) break;
    source_.push_back(order.is_gap_rank(rank) ? grammar::gap_symbol(gaps++) : order.word(rank));
  }
}

void DecodedRule::read_target(std::string_view side, bool swapped, const SymbolOrder& order) {
  target_.clear();
  size_t gaps = 0;
  for (const char* at = side.data(); at < side.data() + side.size();) {
    const uint32_t rank = read_ordered(at);
    if (rank == order.end()) break;
    target_.push_back(order.is_gap_rank(rank) ? grammar::gap_symbol(swapped ? 1 - gaps++ : gaps++)
                                              : order.word(rank));
  }
}

void DecodedRule::read_links(std::string_view links) {
  alignment_.clear();
  for (const char* at = links.data(); at < links.data() + links.size();) {
    const auto from = static_cast<int32_t>(read_ordered(at));
    const auto to = static_cast<int32_t>(read_ordered(at));
    alignment_.push_back({from, to});
  }
}

}  // namespace tunesmith::extract::rules

#include "tunesmith/extract/on_demand/block.h"

#include <bit>
#include <cmath>

#include "tunesmith/base/byte_coder.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/base/flat_map.h"
#include "tunesmith/base/varint.h"

namespace tunesmith::extract::on_demand {

namespace {

uint64_t whole(float count) {
  if (!(count >= 0) || count != std::floor(count) || count > 4e9F)
    throw InputError("found the count " + std::to_string(count) + " in a grammar; expected a whole number");
  return static_cast<uint64_t>(count);
}

/// Numbers the distinct values of lexical costs in the order of their first occurrence.
class CostTable {
 public:
  uint64_t number(float cost) {
    const auto [known, is_new] =
        numbers_.insert(std::bit_cast<uint32_t>(cost), static_cast<uint32_t>(values_.size()));
    if (is_new) values_.push_back(cost);
    return known;
  }
  void append(std::vector<uint8_t>& out) const {
    append_varint(values_.size(), out);
    for (const float value : values_) {
      const auto bits = std::bit_cast<uint32_t>(value);
      for (unsigned shift = 0; shift < 32; shift += 8) out.push_back(static_cast<uint8_t>(bits >> shift));
    }
  }

 private:
  FlatMap<uint32_t> numbers_;
  std::vector<float> values_;
};

std::vector<float> read_costs(VarintReader& in) {
  const uint64_t count = in.next();
  if (count > in.left() / 4) throw InputError("a block of lexical costs ends too early");
  const auto bytes = in.take(4 * count);
  std::vector<float> values;
  for (size_t i = 0; i < bytes.size(); i += 4) {
    uint32_t bits = 0;
    for (size_t k = 0; k < 4; ++k) bits |= uint32_t{bytes[i + k]} << (8 * k);
    values.push_back(std::bit_cast<float>(bits));
  }
  return values;
}

void append_symbols(std::span<const grammar::Symbol> symbols, std::vector<uint8_t>& out) {
  for (const grammar::Symbol symbol : symbols) append_varint(to_zigzag(symbol), out);
}

void read_symbols(VarintReader& in, uint64_t count, std::vector<grammar::Symbol>& symbols) {
  symbols.clear();
  for (uint64_t i = 0; i < count; ++i) {
    const int64_t symbol = in.next_difference();
    if (symbol < INT32_MIN || symbol > INT32_MAX) throw InputError("a symbol of a grammar is too large");
    symbols.push_back(static_cast<grammar::Symbol>(symbol));
  }
}

int32_t read_position(VarintReader& in) {
  const uint64_t position = in.next();
  if (position > INT32_MAX) throw InputError("a link of a grammar is too large");
  return static_cast<int32_t>(position);
}

bool same_side(const SampledCounts& a, const SampledCounts& b) {
  return a.source == b.source && a.samples == b.samples && a.without_rule == b.without_rule;
}

}  // namespace

std::vector<uint8_t> packed_grammar(const GrammarView& grammar) {
  std::vector<uint8_t> shapes, symbols, links, costs, block;
  CostTable table;
  append_varint(grammar.rules.size() - 1, shapes);
  for (size_t side = 0; side + 1 < grammar.rules.size(); ++side) {
    const auto begin = static_cast<size_t>(grammar.rules[side]);
    const auto end = static_cast<size_t>(grammar.rules[side + 1]);
    append_varint(grammar.source_side(side).size(), shapes);
    append_varint(end - begin, shapes);
    append_symbols(grammar.source_side(side), symbols);
    const SampledCounts shared = begin == end ? SampledCounts() : grammar.counts[begin];
    for (const float count : {shared.source, shared.samples, shared.without_rule})
      append_varint(whole(count), shapes);
    for (size_t rule = begin; rule < end; ++rule) {
      const SampledCounts& counts = grammar.counts[rule];
      if (!same_side(counts, shared))
        throw InputError("the rules of a source side have different counts of the side");
      append_varint(grammar.target_side(rule).size(), shapes);
      append_varint(grammar.alignment(rule).size(), shapes);
      for (const float count : {counts.joint, counts.target_joint, counts.target})
        append_varint(whole(count), shapes);
      append_symbols(grammar.target_side(rule), symbols);
      for (const corpus::Link link : grammar.alignment(rule)) {
        append_varint(static_cast<uint32_t>(link.source), links);
        append_varint(static_cast<uint32_t>(link.target), links);
      }
      append_varint(table.number(counts.lex_source_given_target), costs);
      append_varint(table.number(counts.lex_target_given_source), costs);
    }
  }
  std::vector<uint8_t> values;
  table.append(values);
  for (const auto* stream : {&shapes, &symbols, &links, &values, &costs}) append_coded(*stream, block);
  return block;
}

Grammar unpacked_grammar(std::span<const uint8_t> bytes) {
  VarintReader block(bytes);
  std::vector<uint8_t> streams[5];
  for (auto& stream : streams) stream = read_coded(block);
  VarintReader shapes(streams[0]), symbols(streams[1]), links(streams[2]), values(streams[3]),
      costs(streams[4]);
  const std::vector<float> known = read_costs(values);
  const auto cost = [&] {
    const uint64_t number = costs.next();
    if (number >= known.size()) throw InputError("a lexical cost of a grammar is not in its table");
    return known[static_cast<size_t>(number)];
  };
  Grammar grammar;
  std::vector<grammar::Symbol> source, target;
  std::vector<corpus::Link> alignment;
  for (uint64_t sides = shapes.next(); sides > 0; --sides) {
    const uint64_t length = shapes.next(), rules = shapes.next();
    read_symbols(symbols, length, source);
    SampledCounts counts;
    counts.source = static_cast<float>(shapes.next());
    counts.samples = static_cast<float>(shapes.next());
    counts.without_rule = static_cast<float>(shapes.next());
    for (uint64_t rule = 0; rule < rules; ++rule) {
      const uint64_t words = shapes.next(), pairs = shapes.next();
      counts.joint = static_cast<float>(shapes.next());
      counts.target_joint = static_cast<float>(shapes.next());
      counts.target = static_cast<float>(shapes.next());
      read_symbols(symbols, words, target);
      alignment.clear();
      for (uint64_t i = 0; i < pairs; ++i) {
        const int32_t from = read_position(links);
        alignment.push_back({from, read_position(links)});
      }
      counts.lex_source_given_target = cost();
      counts.lex_target_given_source = cost();
      grammar.add(target, alignment, counts);
    }
    grammar.end_side(source);
  }
  return grammar;
}

}  // namespace tunesmith::extract::on_demand

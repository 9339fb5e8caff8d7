#include "tunesmith/forest/block.h"

#include <algorithm>
#include <limits>
#include <string>

#include "tunesmith/base/byte_coder.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/base/varint.h"
#include "tunesmith/forest/value_coder.h"

namespace tunesmith::forest {

namespace {

using Bytes = std::vector<uint8_t>;

[[noreturn]] void fail_block(const char* what) {
  throw InputError(std::string("the block of a forest is damaged: ") + what);
}

/// Numbers of the file that a block uses, in increasing order; within the block they are 0, 1, ...
struct LocalNumbers {
  std::vector<uint32_t> numbers;

  explicit LocalNumbers(std::vector<uint32_t> used) : numbers(std::move(used)) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  }
  uint32_t local(uint32_t number) const {
    return static_cast<uint32_t>(std::lower_bound(numbers.begin(), numbers.end(), number) - numbers.begin());
  }
  uint32_t global(uint64_t number) const {
    if (number >= numbers.size()) fail_block("a word or a feature is not in its list");
    return numbers[number];
  }
};

/// All streams of a block, in the order in which they are written.
struct BlockStreams {
  Bytes counts, words, columns;
  Bytes node_edges, tail_counts, tails, rules, spans;
  Bytes source_lengths, sources, target_lengths, targets, link_counts, links, ids;
  ValueStreams values;

  template <class Visit>
  void each(Visit visit) {
    for (Bytes* stream : {&counts, &words, &columns, &node_edges, &tail_counts, &tails, &rules, &spans,
                          &source_lengths, &sources, &target_lengths, &targets, &link_counts, &links, &ids,
                          &values.shapes, &values.lists, &values.repeats})
      visit(*stream);
    for (Bytes& plane : values.planes) visit(plane);
  }
};

void append_list(const std::vector<uint32_t>& rising, Bytes& out) {
  uint64_t next = 0;
  for (const uint32_t number : rising) {
    append_varint(number - next, out);
    next = uint64_t{number} + 1;
  }
}

LocalNumbers read_list(const Bytes& bytes) {
  VarintReader in(bytes);
  std::vector<uint32_t> numbers;
  uint64_t next = 0;
  while (in.left() > 0) {
    const uint64_t skipped = in.next();
    if (skipped > std::numeric_limits<uint32_t>::max() ||
        next + skipped > std::numeric_limits<int32_t>::max())
      fail_block("a number of a word or of a feature is too large");
    numbers.push_back(static_cast<uint32_t>(next + skipped));
    next = uint64_t{numbers.back()} + 1;
  }
  return LocalNumbers(std::move(numbers));
}

/// Predicts that an edge has the next new rule, and the span of the rule's last edge.
class EdgeGuess {
 public:
  explicit EdgeGuess(size_t rules) : spans_(rules) {}
  int64_t next_rule() const { return next_rule_; }
  SourceSpan& span(uint32_t rule) { return spans_[rule]; }
  void saw(uint32_t rule) { next_rule_ = std::max(next_rule_, int64_t{rule} + 1); }

 private:
  int64_t next_rule_ = 0;
  std::vector<SourceSpan> spans_;
};

/// Repeated source sides take almost no bytes, so that a damaged file could demand any amount of memory:
/// coding and decoding limit them to an average number of symbols per rule; others are written in full.
class RepeatedSymbols {
 public:
  /// Whether the rule of this number may repeat the `length` symbols of the previous one.
  bool allow(size_t rule, size_t length) {
    if (count_ + length > kFree + kPerRule * rule) return false;
    count_ += length;
    return true;
  }

 private:
  static constexpr size_t kFree = 4096, kPerRule = 32;
  size_t count_ = 0;
};

class Encoder {
 public:
  Encoder(const ForestArrays& arrays, std::span<const uint32_t> words, std::span<const uint32_t> features)
      : arrays_(arrays),
        words_of_(words),
        columns_of_(features),
        words_(used_words()),
        columns_(used_columns()) {}

  Bytes run() {
    for (const uint64_t count :
         {arrays_.edge_offsets.size() - 1, arrays_.edge_rules.size(), arrays_.rules.size()})
      append_varint(count, out_.counts);
    append_list(words_.numbers, out_.words);
    append_list(columns_.numbers, out_.columns);
    add_edges();
    add_rules();
    add_values();
    Bytes block;
    out_.each([&](const Bytes& stream) { append_coded(stream, block); });
    return block;
  }

 private:
  std::vector<uint32_t> used_words() const {
    std::vector<uint32_t> used;
    for (const Rows<grammar::Symbol>* side : {&arrays_.rules.sources, &arrays_.rules.targets})
      for (const grammar::Symbol symbol : side->values)
        if (!grammar::is_gap(symbol)) used.push_back(words_of_[static_cast<size_t>(symbol)]);
    return used;
  }

  std::vector<uint32_t> used_columns() const {
    std::vector<bool> seen(columns_of_.size());
    for (const auto* rows : {&arrays_.rules.features, &arrays_.features})
      for (const FeatureValue& feature : rows->values) seen[feature.column] = true;
    std::vector<uint32_t> used;
    for (size_t i = 0; i < seen.size(); ++i)
      if (seen[i]) used.push_back(columns_of_[i]);
    return used;
  }

  void add_edges() {
    EdgeGuess guess(arrays_.rules.size());
    for (size_t node = 0; node + 1 < arrays_.edge_offsets.size(); ++node) {
      append_varint(arrays_.edge_offsets[node + 1] - arrays_.edge_offsets[node], out_.node_edges);
      for (uint32_t edge = arrays_.edge_offsets[node]; edge < arrays_.edge_offsets[node + 1]; ++edge) {
        append_varint(arrays_.tails[edge].size(), out_.tail_counts);
        for (const uint32_t tail : arrays_.tails[edge]) append_varint(node - tail, out_.tails);
        const uint32_t rule = arrays_.edge_rules[edge];
        append_varint(to_zigzag(guess.next_rule() - rule), out_.rules);
        guess.saw(rule);
        add_span(guess.span(rule), arrays_.spans[edge]);
        guess.span(rule) = arrays_.spans[edge];
      }
    }
  }

  void add_span(SourceSpan last, SourceSpan span) {
    if (span == last) return append_varint(0, out_.spans);
    append_varint(1 + to_zigzag(span.begin), out_.spans);
    append_varint(to_zigzag(int64_t{span.end} - span.begin), out_.spans);
  }

  /// Options of one source phrase are adjacent: 0 stands for the source side of the previous rule.
  void add_rules() {
    const ForestRules& rules = arrays_.rules;
    int64_t last_id = -1;
    RepeatedSymbols repeated;
    for (size_t i = 0; i < rules.size(); ++i) {
      const auto source = rules.sources[i];
      if (i > 0 && std::ranges::equal(source, rules.sources[i - 1]) && repeated.allow(i, source.size())) {
        append_varint(0, out_.source_lengths);
      } else {
        append_varint(1 + source.size(), out_.source_lengths);
        add_symbols(source, out_.sources);
      }
      append_varint(rules.targets[i].size(), out_.target_lengths);
      add_symbols(rules.targets[i], out_.targets);
      append_varint(rules.links[i].size(), out_.link_counts);
      corpus::Link last{-1, -1};
      for (const corpus::Link& link : rules.links[i]) {
        append_varint(to_zigzag(int64_t{link.source} - last.source), out_.links);
        append_varint(to_zigzag(int64_t{link.target} - last.target), out_.links);
        last = link;
      }
      // Unsigned, as differences of 64-bit numbers may overflow; decoding wraps around likewise.
      append_varint(to_zigzag(static_cast<int64_t>(static_cast<uint64_t>(rules.ids[i]) -
                                                   static_cast<uint64_t>(last_id))),
                    out_.ids);
      last_id = rules.ids[i];
    }
  }

  void add_symbols(std::span<const grammar::Symbol> symbols, Bytes& out) const {
    for (const grammar::Symbol symbol : symbols)
      append_varint(to_zigzag(grammar::is_gap(symbol) ? int64_t{symbol}
                                                      : words_.local(words_of_[static_cast<size_t>(symbol)])),
                    out);
  }

  void add_values() {
    ValueEncoder encoder(columns_.numbers.size());
    std::vector<FeatureValue> row;
    for (const auto* rows : {&arrays_.rules.features, &arrays_.features})
      for (size_t i = 0; i < rows->size(); ++i) {
        row.clear();
        for (const FeatureValue& feature : (*rows)[i])
          row.push_back({columns_.local(columns_of_[feature.column]), feature.value});
        encoder.add(row);
      }
    out_.values = encoder.take();
  }

  const ForestArrays& arrays_;
  std::span<const uint32_t> words_of_, columns_of_;
  LocalNumbers words_, columns_;
  BlockStreams out_;
};

int32_t to_int32(int64_t value) {
  if (value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max())
    fail_block("a number is too large");
  return static_cast<int32_t>(value);
}

/// Offsets have 32 bits.
uint64_t check_count(uint64_t count) {
  if (count >= std::numeric_limits<uint32_t>::max()) fail_block("a number is too large");
  return count;
}

class Decoder {
 public:
  explicit Decoder(std::span<const uint8_t> block) {
    VarintReader in(block);
    in_.each([&](Bytes& stream) { stream = read_coded(in); });
    if (in.left() > 0) fail_block("it has bytes after its end");
  }

  ForestArrays run() {
    VarintReader counts(in_.counts);
    const uint64_t nodes = counts.next(), edges = counts.next(), rules = counts.next();
    // Each node, edge and rule has at least a byte in these streams: nothing larger is ever allocated.
    if (counts.left() > 0 || nodes > in_.node_edges.size() || edges > in_.rules.size() ||
        rules > in_.ids.size())
      fail_block("its counts are wrong");
    read_edges(nodes, edges, rules);
    read_rules(rules);
    const LocalNumbers columns = read_list(in_.columns);
    ValueDecoder values(in_.values, columns.numbers.size());
    for (auto [rows, count] :
         {std::pair(&arrays_.rules.features, rules), std::pair(&arrays_.features, edges)}) {
      values.read(count, *rows);
      for (FeatureValue& feature : rows->values) feature.column = columns.numbers[feature.column];
    }
    values.finish();
    return std::move(arrays_);
  }

 private:
  void read_edges(uint64_t nodes, uint64_t edges, uint64_t rules) {
    VarintReader node_edges(in_.node_edges), tail_counts(in_.tail_counts), tails(in_.tails),
        edge_rules(in_.rules), spans(in_.spans);
    EdgeGuess guess(rules);
    arrays_.edge_rules.reserve(edges);
    arrays_.spans.reserve(edges);
    arrays_.tails.offsets.reserve(edges + 1);
    arrays_.features.offsets.reserve(edges + 1);
    for (uint64_t node = 0; node < nodes; ++node) {
      for (uint64_t left = node_edges.next(); left > 0; --left) {
        for (uint64_t tail = tail_counts.next(); tail > 0; --tail)
          arrays_.tails.values.push_back(static_cast<uint32_t>(node - std::min(tails.next(), node + 1)));
        arrays_.tails.close();
        const int64_t rule = guess.next_rule() - edge_rules.next_difference();
        if (rule < 0 || static_cast<uint64_t>(rule) >= rules) fail_block("an edge has no rule");
        const auto number = static_cast<uint32_t>(rule);
        guess.saw(number);
        SourceSpan& span = guess.span(number);
        read_span(spans, span);
        arrays_.edge_rules.push_back(number);
        arrays_.spans.push_back(span);
      }
      arrays_.edge_offsets.push_back(static_cast<uint32_t>(check_count(arrays_.edge_rules.size())));
    }
    if (arrays_.edge_rules.size() != edges ||
        node_edges.left() + tail_counts.left() + tails.left() + edge_rules.left() + spans.left() > 0)
      fail_block("the number of its edges is wrong");
  }

  static void read_span(VarintReader& spans, SourceSpan& span) {
    const uint64_t head = spans.next();
    if (head == 0) return;
    span.begin = to_int32(from_zigzag(head - 1));
    span.end = to_int32(span.begin + spans.next_difference());
  }

  void read_rules(uint64_t count) {
    ForestRules& rules = arrays_.rules;
    const LocalNumbers words = read_list(in_.words);
    VarintReader source_lengths(in_.source_lengths), sources(in_.sources), target_lengths(in_.target_lengths),
        targets(in_.targets), link_counts(in_.link_counts), links(in_.links), ids(in_.ids);
    const auto read_symbols = [&](uint64_t length, VarintReader& in, Rows<grammar::Symbol>& rows) {
      for (; length > 0; --length) {
        const int64_t symbol = in.next_signed();
        rows.values.push_back(
            symbol < 0 ? to_int32(symbol)
                       : static_cast<grammar::Symbol>(words.global(static_cast<uint64_t>(symbol))));
      }
      check_count(rows.values.size());
      rows.close();
    };
    uint64_t last_id = ~uint64_t{0};
    for (uint64_t i = 0; i < count; ++i) {
      if (const uint64_t length = source_lengths.next(); length > 0) {
        read_symbols(length - 1, sources, rules.sources);
      } else {
        if (i == 0) fail_block("the first rule has no source side");
        repeat_source(i - 1);
      }
      read_symbols(target_lengths.next(), targets, rules.targets);
      corpus::Link last{-1, -1};
      for (uint64_t left = link_counts.next(); left > 0; --left) {
        last.source = to_int32(last.source + links.next_difference());
        last.target = to_int32(last.target + links.next_difference());
        rules.links.values.push_back(last);
      }
      rules.links.close();
      last_id += static_cast<uint64_t>(ids.next_signed());
      rules.ids.push_back(static_cast<int64_t>(last_id));
    }
    if (source_lengths.left() + sources.left() + target_lengths.left() + targets.left() + link_counts.left() +
            links.left() + ids.left() >
        0)
      fail_block("the number of its rules is wrong");
  }

  void repeat_source(uint64_t rule) {
    auto& values = arrays_.rules.sources.values;
    const size_t begin = arrays_.rules.sources.offsets[rule], size = arrays_.rules.sources[rule].size();
    if (!repeated_.allow(rule + 1, size)) fail_block("its rules repeat too many words");
    for (size_t i = 0; i < size; ++i) values.push_back(grammar::Symbol{values[begin + i]});
    arrays_.rules.sources.close();
  }

  BlockStreams in_;
  ForestArrays arrays_;
  RepeatedSymbols repeated_;
};

}  // namespace

std::vector<uint8_t> encode_forest(const ForestArrays& arrays, std::span<const uint32_t> words,
                                   std::span<const uint32_t> features) {
  return Encoder(arrays, words, features).run();
}

ForestArrays decode_forest(std::span<const uint8_t> block) { return Decoder(block).run(); }

}  // namespace tunesmith::forest

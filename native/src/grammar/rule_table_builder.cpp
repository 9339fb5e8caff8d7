#include "tunesmith/grammar/rule_table_builder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tunesmith/base/errors.h"

namespace tunesmith::grammar {

namespace {

/// Writes the rows of a flat array in the given order, as numbers of type `Stored`.
template <class Stored, class T>
void write_rows(ContainerWriter& writer, const std::string& name, const std::vector<T>& values,
                const std::vector<size_t>& begins, const std::vector<uint32_t>& order) {
  std::vector<int64_t> offsets{0};
  writer.open<Stored>(name);
  for (const uint32_t rule : order) {
    const size_t size = begins[rule + 1] - begins[rule];
    const auto* first = reinterpret_cast<const Stored*>(values.data() + begins[rule]);
    writer.append(std::span<const Stored>(first, size * sizeof(T) / sizeof(Stored)));
    offsets.push_back(offsets.back() + static_cast<int64_t>(size));
  }
  writer.add<int64_t>(name + ".offsets", offsets);
}

}  // namespace

void RuleTableBuilder::add(const Rule& rule, std::span<const int32_t> columns, std::span<const float> values,
                           std::span<const float> counts) {
  check_rule(rule);
  if (size() + 1 >= UINT32_MAX) throw InputError("a rule table has 2^32 rules; expected fewer");
  if (counts_.size() != (counts.empty() ? 0 : 3 * size()) || (!counts.empty() && counts.size() != 3))
    throw InputError("some rules have three counts and some do not");
  for (const float value : values)
    if (!std::isfinite(value)) throw InputError("a feature of a rule is not a finite number");
  for (const corpus::Link& link : rule.alignment)
    links_.push_back({static_cast<uint16_t>(link.source), static_cast<uint16_t>(link.target)});
  sources_.insert(sources_.end(), rule.source.begin(), rule.source.end());
  targets_.insert(targets_.end(), rule.target.begin(), rule.target.end());
  columns_.insert(columns_.end(), columns.begin(), columns.end());
  values_.insert(values_.end(), values.begin(), values.end());
  counts_.insert(counts_.end(), counts.begin(), counts.end());
  source_begins_.push_back(sources_.size());
  target_begins_.push_back(targets_.size());
  link_begins_.push_back(links_.size());
  value_begins_.push_back(values_.size());
}

RuleTableBuilder::Trie RuleTableBuilder::make_trie() const {
  Trie trie;
  trie.order.resize(size());
  std::iota(trie.order.begin(), trie.order.end(), 0);
  const auto before = [&](uint32_t a, uint32_t b) {
    return std::ranges::lexicographical_compare(source(a), source(b));
  };
  std::stable_sort(trie.order.begin(), trie.order.end(), before);

  // Breadth first: each node is a range of sorted rules that share a prefix of the source side.
  struct Node {
    size_t begin, end, depth;
  };
  std::vector<Node> nodes{{0, size(), 0}};
  std::vector<uint32_t> by_node;
  for (size_t n = 0; n < nodes.size(); ++n) {
    const Node node = nodes[n];
    trie.children.push_back(static_cast<uint32_t>(nodes.size()));
    trie.rules.push_back(by_node.size());
    size_t at = node.begin;
    for (; at < node.end && source(trie.order[at]).size() == node.depth; ++at)
      by_node.push_back(trie.order[at]);
    while (at < node.end) {
      const Symbol symbol = source(trie.order[at])[node.depth];
      size_t end = at + 1;
      while (end < node.end && source(trie.order[end])[node.depth] == symbol) ++end;
      trie.symbols.push_back(symbol);
      nodes.push_back({at, end, node.depth + 1});
      at = end;
    }
  }
  trie.children.push_back(static_cast<uint32_t>(nodes.size()));
  trie.rules.push_back(by_node.size());
  trie.order = std::move(by_node);
  return trie;
}

void RuleTableBuilder::write(const std::string& path, const std::string& meta) const {
  if (names.size() > kMaxFeatures)
    throw InputError("the rules have " + std::to_string(names.size()) +
                     " different features; a rule table holds at most " + std::to_string(kMaxFeatures) +
                     ": sparse features belong to templates, not to tables");
  const Trie trie = make_trie();
  ContainerWriter writer(path, RuleTable::kKind, RuleTable::kVersion);
  corpus::write_vocabulary(writer, "source", source_words.names().view());
  corpus::write_vocabulary(writer, "target", target_words.names().view());
  writer.add<Symbol>("trie.symbols", trie.symbols);
  writer.add<uint32_t>("trie.children", trie.children);
  writer.add<uint64_t>("trie.rules", trie.rules);
  write_rows<Symbol>(writer, "targets", targets_, target_begins_, trie.order);
  write_rows<uint16_t>(writer, "links", links_, link_begins_, trie.order);
  std::vector<float> row(names.size());
  writer.open<float>("features");
  for (const uint32_t rule : trie.order) {
    std::fill(row.begin(), row.end(), 0.0f);
    for (size_t k = value_begins_[rule]; k < value_begins_[rule + 1]; ++k)
      row[static_cast<size_t>(columns_[k])] = values_[k];
    writer.append(std::span<const float>(row));
  }
  writer.open<float>("counts");
  if (!counts_.empty())
    for (const uint32_t rule : trie.order)
      writer.append(std::span<const float>(counts_).subspan(3 * rule, 3));
  const Texts feature_names = names.names().view();
  writer.add<char>("names.blob", feature_names.blob);
  writer.add<int64_t>("names.offsets", feature_names.offsets);
  writer.add<char>("meta", std::span<const char>(meta));
  writer.finish();
}

}  // namespace tunesmith::grammar

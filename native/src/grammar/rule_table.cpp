#include "tunesmith/grammar/rule_table.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/text.h"

namespace tunesmith::grammar {

namespace {

template <class T>
bool rises(std::span<const T> values, size_t size, T first, uint64_t last) {
  return values.size() == size && values.front() == first && static_cast<uint64_t>(values.back()) == last &&
         std::is_sorted(values.begin(), values.end());
}

static_assert(sizeof(PackedLink) == 2 * sizeof(uint16_t));

std::span<const PackedLink> packed(std::span<const uint16_t> numbers) {
  return {reinterpret_cast<const PackedLink*>(numbers.data()), numbers.size() / 2};
}

bool are_symbols(std::span<const Symbol> symbols, size_t words) {
  return std::all_of(symbols.begin(), symbols.end(), [&](Symbol symbol) {
    return symbol >= -kMaxGaps && symbol < static_cast<int64_t>(words);
  });
}

/// The source side's gaps must be numbered from left to right, and the target side must have the same gaps.
void check_gaps(const Rule& rule) {
  int gaps = 0;
  for (const Symbol symbol : rule.source)
    if (is_gap(symbol) && symbol != gap_symbol(static_cast<size_t>(gaps++)))
      throw InputError("the gaps of the source side are not numbered in order");
  if (gaps > kMaxGaps) throw InputError("a rule has " + std::to_string(gaps) + " gaps; expected at most 2");
  bool seen[kMaxGaps] = {};
  int target_gaps = 0;
  for (const Symbol symbol : rule.target) {
    if (!is_gap(symbol)) continue;
    const size_t gap = gap_index(symbol);
    if (gap >= static_cast<size_t>(gaps) || seen[gap])
      throw InputError("the target side does not have each gap of the source side exactly once");
    seen[gap] = true;
    ++target_gaps;
  }
  if (target_gaps != gaps)
    throw InputError("the source side has " + std::to_string(gaps) + " gaps, the target side " +
                     std::to_string(target_gaps) + "; expected the same number");
}

bool are_finite(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

}  // namespace

void check_rule(const Rule& rule) {
  if (rule.source.empty() || rule.target.empty()) throw InputError("a side of a rule is empty");
  if (rule.source.size() > UINT16_MAX || rule.target.size() > UINT16_MAX)
    throw InputError("a side of a rule has 2^16 symbols or more");
  check_gaps(rule);
  for (const corpus::Link& link : rule.alignment)
    if (link.source < 0 || static_cast<size_t>(link.source) >= rule.source.size() || link.target < 0 ||
        static_cast<size_t>(link.target) >= rule.target.size())
      throw InputError("the link " + std::to_string(link.source) + "-" + std::to_string(link.target) +
                       " is outside of a rule of " + std::to_string(rule.source.size()) + " and " +
                       std::to_string(rule.target.size()) + " symbols");
}

RuleTable::RuleTable(const std::string& path)
    : container_(path, kKind, kVersion),
      source_words_(container_, "source"),
      target_words_(container_, "target"),
      symbols_(container_.section<Symbol>("trie.symbols")),
      children_(container_.section<uint32_t>("trie.children")),
      rules_(container_.section<uint64_t>("trie.rules")),
      targets_(container_.section<Symbol>("targets")),
      target_offsets_(container_.section<int64_t>("targets.offsets")),
      links_(packed(container_.section<uint16_t>("links"))),
      link_offsets_(container_.section<int64_t>("links.offsets")),
      features_(container_.section<float>("features")),
      counts_(container_.section<float>("counts")),
      names_{container_.section<char>("names.blob"), container_.section<int64_t>("names.offsets")} {
  check();
}

void RuleTable::check() const {
  check_offsets(names_.offsets, names_.blob.size(), "the names of features");
  check_offsets(target_offsets_, targets_.size(), "target sides");
  check_offsets(link_offsets_, links_.size(), "links of rules");
  const size_t count = target_offsets_.size() - 1;
  const bool whole =
      !symbols_.empty() && link_offsets_.size() == count + 1 && features_.size() == count * names_.size() &&
      (counts_.empty() || counts_.size() == 3 * count) &&
      rises<uint32_t>(children_, symbols_.size() + 1, 1, symbols_.size()) &&
      rises<uint64_t>(rules_, symbols_.size() + 1, 0, count) &&
      are_symbols(symbols_.subspan(1), source_words_.size()) && are_symbols(targets_, target_words_.size());
  if (!whole) throw InputError(container_.path() + ": is damaged: its parts do not fit together");
  for (const Texts& texts : {source_words_.words(), target_words_.words(), names_})
    for (size_t i = 0; i < texts.size(); ++i)
      if (find_invalid_utf8(texts[i]) != std::string_view::npos)
        throw InputError(container_.path() + ": is damaged: a word is not UTF-8");
  // A node's children come after it, so that every descent of the trie ends.
  for (size_t node = 0; node < symbols_.size(); ++node)
    if (children_[node] <= node && children_[node] != children_[node + 1])
      throw InputError(container_.path() + ": is damaged: its trie has a loop");
  check_rules();
}

void RuleTable::check_rules() const {
  const auto damaged = [&](const std::string& what) {
    return InputError(container_.path() + ": is damaged: " + what);
  };
  if (!are_finite(features_)) throw damaged("a feature is not a finite number");
  if (!are_finite(counts_) || std::any_of(counts_.begin(), counts_.end(), [](float c) { return c < 0; }))
    throw damaged("a count is not a finite number of 0 or more");
  std::vector<uint32_t> parents(nodes(), kRoot), depths(nodes(), 0);
  std::vector<Symbol> side;
  std::vector<corpus::Link> links_of_rule;
  for (uint32_t node = 0; node < nodes(); ++node) {
    const auto below = symbols_.subspan(children_[node], children_[node + 1] - children_[node]);
    if (std::adjacent_find(below.begin(), below.end(), std::greater_equal<>()) != below.end())
      throw damaged("its trie is not sorted");
    for (uint32_t child = children_[node]; child < children_[node + 1]; ++child) {
      parents[child] = node;
      depths[child] = depths[node] + 1;
    }
    if (rules_[node] == rules_[node + 1]) continue;
    if (depths[node] > UINT16_MAX) throw damaged("a side of a rule has 2^16 symbols or more");
    side.resize(depths[node]);
    uint32_t at = node;
    for (size_t i = side.size(); i > 0; at = parents[at]) side[--i] = symbols_[at];
    for (uint64_t rule = rules_[node]; rule < rules_[node + 1]; ++rule) {
      links_of_rule.clear();
      for (const PackedLink link : links(rule)) links_of_rule.push_back({link.source, link.target});
      try {
        check_rule({side, target(rule), links_of_rule});
      } catch (const InputError& error) {
        throw damaged(error.what());
      }
    }
  }
}

uint32_t RuleTable::child(uint32_t node, Symbol symbol) const {
  const auto begin = symbols_.begin() + children_[node], end = symbols_.begin() + children_[node + 1];
  const auto found = std::lower_bound(begin, end, symbol);
  return found != end && *found == symbol ? static_cast<uint32_t>(found - symbols_.begin()) : kNoNode;
}

uint32_t RuleTable::parent(uint32_t node) const {
  // The last node whose children begin at or before this one; nodes without children share their begin with
  // the next node that has some.
  const auto after = std::upper_bound(children_.begin(), children_.end(), node);
  return static_cast<uint32_t>(after - children_.begin() - 1);
}

uint32_t RuleTable::find(std::span<const Symbol> source) const {
  uint32_t node = kRoot;
  for (const Symbol symbol : source) {
    node = child(node, symbol);
    if (node == kNoNode) return kNoNode;
  }
  return node;
}

}  // namespace tunesmith::grammar

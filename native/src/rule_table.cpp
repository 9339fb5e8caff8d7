#include "tunesmith/rule_table.h"

#include <algorithm>
#include <cmath>

#include "tunesmith/errors.h"

namespace tunesmith {

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

}  // namespace

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
  // A node's children come after it, so that walking down the trie ends.
  for (size_t node = 0; node < symbols_.size(); ++node)
    if (children_[node] <= node && children_[node] != children_[node + 1])
      throw InputError(container_.path() + ": is damaged: its trie has a loop");
}

uint32_t RuleTable::child(uint32_t node, Symbol symbol) const {
  const auto begin = symbols_.begin() + children_[node], end = symbols_.begin() + children_[node + 1];
  const auto found = std::lower_bound(begin, end, symbol);
  return found != end && *found == symbol ? static_cast<uint32_t>(found - symbols_.begin()) : kNoNode;
}

uint32_t RuleTable::find(std::span<const Symbol> source) const {
  uint32_t node = kRoot;
  for (const Symbol symbol : source) {
    node = child(node, symbol);
    if (node == kNoNode) return kNoNode;
  }
  return node;
}

}  // namespace tunesmith

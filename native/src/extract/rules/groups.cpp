#include "tunesmith/extract/rules/groups.h"

#include <algorithm>
#include <cstring>

#include "tunesmith/base/parallel.h"
#include "tunesmith/extract/rules/choice.h"
#include "tunesmith/extract/rules/totals.h"

namespace tunesmith::extract::rules {

namespace {

constexpr size_t kParts = RuleCounts::kParts;

template <class T>
void append_raw(const T& value, std::string& out) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

template <class T>
T read_raw(const char*& at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  at += sizeof(value);
  return value;
}

void append_text(std::string_view text, std::string& out) {
  append_ordered(static_cast<uint32_t>(text.size()), out);
  out += text;
}

std::string_view read_text(const char*& at) {
  const uint32_t length = read_ordered(at);
  const std::string_view text(at, length);
  at += length;
  return text;
}

/// The entries of a table sorted by key; the first eight bytes decide most comparisons.
std::vector<uint32_t> sorted_entries(const TallyTable& table) {
  struct Prefixed {
    uint64_t prefix;
    uint32_t entry;
  };
  std::vector<Prefixed> keys(table.size());
  for (uint32_t i = 0; i < keys.size(); ++i) {
    const std::string_view key = table.key(i);
    uint64_t prefix = 0;
    for (size_t k = 0; k < 8; ++k)
      prefix = prefix << 8 | (k < key.size() ? static_cast<unsigned char>(key[k]) : 0);
    keys[i] = {prefix, i};
  }
  std::sort(keys.begin(), keys.end(), [&](const Prefixed& a, const Prefixed& b) {
    return a.prefix != b.prefix ? a.prefix < b.prefix : table.key(a.entry) < table.key(b.entry);
  });
  std::vector<uint32_t> entries(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) entries[i] = keys[i].entry;
  return entries;
}

/// The number of bytes of the first side.
uint32_t side_length(std::string_view bytes, const SymbolOrder& order) {
  const char* at = bytes.data();
  while (read_ordered(at) != order.end()) {
  }
  return static_cast<uint32_t>(at - bytes.data());
}

/// Writes the groups of one part.
class GroupWriter {
 public:
  GroupWriter(const RuleCounts& counts, const TallyTable& table) : counts_(counts), table_(table) {}

  void write(size_t part, Scratch& groups, std::vector<TargetRecord>& targets, uint64_t& rules,
             uint64_t& sources) {
    const std::vector<uint32_t> order = sorted_entries(table_);
    for (size_t i = 0; i < order.size();) {
      const std::string_view first = table_.key(order[i]);
      const std::string_view source = first.substr(0, side_length(first, counts_.source_order()));
      Tally total;
      uint64_t size = 0;
      body_.clear();
      while (i < order.size() && table_.key(order[i]).starts_with(source)) {
        const std::string_view target = side_of_target(table_.key(order[i]), source.size());
        const Tally tally = write_rule(order, i, source.size() + target.size() + 1, target);
        total = {total.weight + tally.weight, total.occurrences + tally.occurrences};
        targets.push_back(target_record(target, tally.weight, part, rules++));
        ++size;
      }
      head_.clear();
      append_text(source, head_);
      append_raw(total, head_);
      append_raw(size, head_);
      append_raw(uint64_t{body_.size()}, head_);
      groups.append(head_);
      groups.append(body_);
      ++sources;
    }
  }

 private:
  std::string_view side_of_target(std::string_view key, size_t source) const {
    const std::string_view rest = key.substr(source);
    return rest.substr(0, side_length(rest, counts_.target_order()));
  }

  /// Consumes the entries of one rule, which differ in their links.
  Tally write_rule(const std::vector<uint32_t>& order, size_t& i, size_t length, std::string_view target) {
    const std::string_view rule = table_.key(order[i]).substr(0, length);
    Tally total;
    size_t best = i, inverse = i;
    for (const size_t first = i; i < order.size() && table_.key(order[i]).starts_with(rule); ++i) {
      const Tally tally = table_.tally(order[i]);
      total = {total.weight + tally.weight, total.occurrences + tally.occurrences};
      if (i == first) continue;
      if (better(order, i, best, length, after_by_target)) best = i;
      if (better(order, i, inverse, length, after_by_source)) inverse = i;
    }
    append_text(target, body_);
    body_ += rule.back();
    append_raw(total, body_);
    append_text(table_.key(order[best]).substr(length), body_);
    append_text(table_.key(order[inverse]).substr(length), body_);
    return total;
  }

  template <class After>
  bool better(const std::vector<uint32_t>& order, size_t a, size_t b, size_t length, After after) {
    const uint64_t weight_a = table_.tally(order[a]).weight, weight_b = table_.tally(order[b]).weight;
    if (weight_a != weight_b) return weight_a > weight_b;
    first_.read_links(table_.key(order[a]).substr(length));
    second_.read_links(table_.key(order[b]).substr(length));
    return after(first_.view().alignment, second_.view().alignment);
  }

  const RuleCounts& counts_;
  const TallyTable& table_;
  std::string head_, body_;
  DecodedRule first_, second_;
};

}  // namespace

CountedRule RuleGroup::read_rule(const char*& at) {
  CountedRule rule;
  rule.target = read_text(at);
  rule.swapped = *at++ != 0;
  rule.tally = read_raw<Tally>(at);
  rule.links = read_text(at);
  rule.inverse_links = read_text(at);
  return rule;
}

RuleGroups::RuleGroups(RuleCounts& counts) : parts_(kParts) {
  const RuleCountOptions& options = counts.options();
  const std::string folder = counts.on_disk() ? options.folder : "";
  TargetTotals totals(kParts);
  parallel_chunks(kParts, 1, options.threads, [&](size_t p, size_t, size_t) {
    Part& part = parts_[p];
    if (!folder.empty()) {
      part.groups.move_to_disk(folder);
      part.target_weights.move_to_disk(folder);
    }
    std::vector<TargetRecord> targets;
    const TallyTable table = counts.take_part(p);
    GroupWriter(counts, table).write(p, part.groups, targets, part.rules, part.sources);
    totals.add(p, std::move(targets), folder);
  });
  std::vector<std::span<uint64_t>> weights;
  for (Part& part : parts_) {
    const std::span<char> bytes = part.target_weights.allocate(part.rules * sizeof(uint64_t));
    weights.emplace_back(reinterpret_cast<uint64_t*>(bytes.data()), part.rules);
    rules_ += part.rules;
    sources_ += part.sources;
  }
  totals.sum(weights, options.threads);
  rewind();
}

void RuleGroups::advance(Part& part) {
  if (part.at == part.end) {
    part.head.size = 0;
    return;
  }
  RuleGroup& head = part.head;
  head.source = read_text(part.at);
  head.tally = read_raw<Tally>(part.at);
  head.size = read_raw<uint64_t>(part.at);
  const auto bytes = read_raw<uint64_t>(part.at);
  head.body_ = part.at;
  head.target_weights_ = reinterpret_cast<const uint64_t*>(part.target_weights.view().data()) + part.rule;
  part.at += bytes;
  part.rule += head.size;
}

void RuleGroups::rewind() {
  heap_.clear();
  for (size_t p = 0; p < parts_.size(); ++p) {
    Part& part = parts_[p];
    const std::string_view bytes = part.groups.view();
    part.at = bytes.data();
    part.end = bytes.data() + bytes.size();
    part.rule = 0;
    advance(part);
    if (part.head.size > 0) heap_.push_back(p);
  }
  std::make_heap(heap_.begin(), heap_.end(),
                 [&](size_t a, size_t b) { return parts_[a].head.source > parts_[b].head.source; });
}

bool RuleGroups::next(RuleGroup& group) {
  if (heap_.empty()) return false;
  const auto later = [&](size_t a, size_t b) { return parts_[a].head.source > parts_[b].head.source; };
  std::pop_heap(heap_.begin(), heap_.end(), later);
  Part& part = parts_[heap_.back()];
  group = part.head;
  advance(part);
  if (part.head.size > 0)
    std::push_heap(heap_.begin(), heap_.end(), later);
  else
    heap_.pop_back();
  return true;
}

}  // namespace tunesmith::extract::rules

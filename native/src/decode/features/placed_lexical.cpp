#include "tunesmith/decode/features/placed_lexical.h"

#include <algorithm>

#include "tunesmith/grammar/rule.h"

namespace tunesmith::decode::features {

namespace {

/// The position of a gap among the symbols of a side.
int32_t position_of(std::span<const grammar::Symbol> symbols, grammar::Symbol gap) {
  return static_cast<int32_t>(std::ranges::find(symbols, gap) - symbols.begin());
}

/// Whether a gap is on different sides of another gap or a linked word in source and target.
bool is_reordered(const Option& option, grammar::Symbol gap) {
  const int32_t source = position_of(option.source, gap), target = position_of(option.words, gap);
  const auto crosses = [&](int32_t other_source, int32_t other_target) {
    return (other_source < source) != (other_target < target);
  };
  for (const corpus::Link& link : option.alignment)
    if (!grammar::is_gap(option.source[static_cast<size_t>(link.source)]) &&
        crosses(link.source, link.target))
      return true;
  for (const grammar::Symbol other : option.source)
    if (grammar::is_gap(other) && other != gap &&
        crosses(position_of(option.source, other), position_of(option.words, other)))
      return true;
  return false;
}

class ContextPairSession : public PlacedSession {
 public:
  ContextPairSession(const ContextPairFeature& feature, const DecoderInput& input)
      : feature_(feature), input_(input) {
    for (const std::string_view word : input.source) {
      sources_.push_back(feature.source_number(word));
      labels_.push_back(feature.source_labels()[word]);
    }
  }

  void values(const Option& option, const Place& place, FeatureSink& sink) override {
    if (labels_.empty()) return;
    for (const corpus::Link& link : option.alignment) {
      const auto target = static_cast<size_t>(link.target);
      const uint32_t column = column_of(option, place, link.source);
      if (column == kNoNumber || sources_[column] == NameTable::kUnknown) continue;
      const grammar::Symbol word = option.words[target];
      if (grammar::is_gap(word) || !feature_.is_listed(sources_[column], word, input_.words)) continue;
      add_contexts(column, feature_.target_labels().label(word, input_.words), sink);
    }
  }

 private:
  /// The column of a word of the source side; kNoNumber for a gap.
  static uint32_t column_of(const Option& option, const Place& place, int32_t position) {
    uint32_t column = place.range.begin;
    for (int32_t i = 0; i < position; ++i) {
      const grammar::Symbol symbol = option.source[static_cast<size_t>(i)];
      column += grammar::is_gap(symbol) ? place.gaps[grammar::gap_index(symbol)].size() : 1;
    }
    return grammar::is_gap(option.source[static_cast<size_t>(position)]) ? kNoNumber : column;
  }
  void add_contexts(uint32_t column, const Label& target, FeatureSink& sink) const {
    static const Label kJoin("_"), kLeft("_l_"), kRight("_r_"), kFirst("<s>"), kLast("</s>");
    const Label before = column > 0 ? labels_[column - 1] : kFirst;
    const Label after = column + 1 < labels_.size() ? labels_[column + 1] : kLast;
    if (!target || !labels_[column]) return;
    const auto pair = ((JoinedName(feature_.prefix()) += labels_[column]) += kJoin) += target;
    JoinedName left = pair, right = pair;
    if (before) add(sink, feature_.only(), ((left += kLeft) += before).name());
    if (after) add(sink, feature_.only(), ((right += kRight) += after).name());
  }

  const ContextPairFeature& feature_;
  const DecoderInput& input_;
  std::vector<int32_t> sources_;  // by column
  std::vector<Label> labels_;
};

class StructuralDistortionSession : public PlacedSession {
 public:
  explicit StructuralDistortionSession(const StructuralDistortionFeature& feature) : feature_(feature) {}

  void values(const Option& option, const Place& place, FeatureSink& sink) override {
    for (size_t gap = 0; gap < place.gaps.size(); ++gap)
      add(sink, feature_.only(),
          feature_.name(is_reordered(option, grammar::gap_symbol(gap)), place.gaps[gap].size()));
  }

 private:
  const StructuralDistortionFeature& feature_;
};

class SpanLengthSession : public PlacedSession {
 public:
  explicit SpanLengthSession(const SpanLengthFeature& feature) : feature_(feature) {}

  void values(const Option&, const Place& place, FeatureSink& sink) override {
    if (!place.gaps.empty()) add(sink, feature_.only(), feature_.name(place.range.size()));
  }

 private:
  const SpanLengthFeature& feature_;
};

/// The place of a number of columns among the kept names.
size_t size_index(uint32_t columns) { return std::clamp(columns, 1U, kMostColumns) - 1; }

}  // namespace

ContextPairFeature::ContextPairFeature(LexicalParts parts,
                                       const std::vector<std::pair<std::string, std::string>>& pairs)
    : prefix_text_(parts.name + "_"),
      prefix_(prefix_text_),
      source_labels_(std::move(parts.source)),
      target_labels_(std::move(parts.target)),
      only_(std::move(parts.only)) {
  for (const auto& [source, target] : pairs) {
    const auto from = static_cast<uint64_t>(sources_.intern(source));
    pairs_.insert(from << 32 | static_cast<uint64_t>(targets_.intern(target)), 1);
  }
}

void ContextPairFeature::attach(Texts target_words) {
  target_labels_.attach(target_words);
  target_numbers_.clear();
  for (size_t i = 0; i < target_words.size(); ++i) target_numbers_.push_back(targets_.find(target_words[i]));
}

bool ContextPairFeature::is_listed(int32_t source, int32_t word, const TargetWords& words) const {
  const auto number = static_cast<size_t>(word);
  const int32_t target =
      number < target_numbers_.size() ? target_numbers_[number] : targets_.find(words[word]);
  if (source < 0 || target < 0) return false;
  return pairs_.find(static_cast<uint64_t>(source) << 32 | static_cast<uint64_t>(target)) != nullptr;
}

std::unique_ptr<PlacedSession> ContextPairFeature::session(const DecoderInput& input) const {
  return std::make_unique<ContextPairSession>(*this, input);
}

StructuralDistortionFeature::StructuralDistortionFeature(LexicalParts parts) : only_(std::move(parts.only)) {
  for (size_t i = 0; i < texts_.size(); ++i) {
    texts_[i] = parts.name + (i < kMostColumns ? "_m_" : "_r_") + std::to_string(i % kMostColumns + 1);
    views_[i] = texts_[i];
    keys_[i] = weights::key_of(texts_[i]);
  }
}

weights::FeatureName StructuralDistortionFeature::name(bool is_reordered, uint32_t columns) const {
  const size_t i = size_index(columns) + (is_reordered ? kMostColumns : 0);
  return {{&views_[i], 1}, keys_[i]};
}

std::unique_ptr<PlacedSession> StructuralDistortionFeature::session(const DecoderInput&) const {
  return std::make_unique<StructuralDistortionSession>(*this);
}

SpanLengthFeature::SpanLengthFeature(LexicalParts parts) : only_(std::move(parts.only)) {
  for (size_t i = 0; i < texts_.size(); ++i) {
    texts_[i] = parts.name + "_" + std::to_string(i + 1);
    views_[i] = texts_[i];
    keys_[i] = weights::key_of(texts_[i]);
  }
}

weights::FeatureName SpanLengthFeature::name(uint32_t columns) const {
  const size_t i = size_index(columns);
  return {{&views_[i], 1}, keys_[i]};
}

std::unique_ptr<PlacedSession> SpanLengthFeature::session(const DecoderInput&) const {
  return std::make_unique<SpanLengthSession>(*this);
}

}  // namespace tunesmith::decode::features

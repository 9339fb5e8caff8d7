#include "tunesmith/grammar/rule_parser.h"

#include <algorithm>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/base/text.h"
#include "tunesmith/corpus/moses_fields.h"

namespace tunesmith::grammar {

namespace {

constexpr std::string_view kGap = "[X][X]";
constexpr std::string_view kLabel = "[X]";

[[noreturn]] void refuse_label(std::string_view token) {
  throw InputError("found " + quoted(token) +
                   "; the only label of rules is X: glue rules and syntax labels are not read");
}

void check_cdec_gaps(const RuleSide& side) {
  for (const std::string_view token : side.gaps) {
    const std::string_view label = parse_numbered_gap(token).label;
    if (!label.empty() && label != "X") refuse_label(token);
  }
}

void check_moses_side(const RuleSide& side) {
  if (side.label != kLabel)
    throw InputError("a side ends with " + quoted(side.label) + "; expected the label [X]");
  for (const std::string_view token : side.gaps)
    if (token != kGap) refuse_label(token);
}

auto interning(corpus::Vocabulary& words) {
  return [&words](std::string_view token) { return words.intern(token); };
}

}  // namespace

void RuleParser::parse_line(std::string_view line) {
  corpus::split_fields(line, fields_);
  if (form_ == Form::kUnknown) form_ = is_cdec_line(fields_[0]) ? Form::kCdec : Form::kMoses;
  columns_.clear();
  values_.clear();
  counts_.clear();
  form_ == Form::kMoses ? parse_moses() : parse_cdec();
  builder_.add({source_.symbols, target_.symbols, links_}, columns_, values_, counts_);
  check_unique();
}

uint64_t RuleParser::hash_of(uint32_t rule) const {
  uint64_t hash = builder_.source(rule).size();  // separates the source side from the target side
  for (const auto side : {builder_.source(rule), builder_.target(rule)})
    for (const Symbol symbol : side) hash = mix(hash, static_cast<uint32_t>(symbol));
  return hash;
}

void RuleParser::check_unique() {
  const auto find_slot = [&](uint32_t rule) {  // of the same rule, or a free one
    const size_t mask = known_.size() - 1;
    size_t slot = hash_of(rule) & mask;
    while (known_[slot] != 0 &&
           !(std::ranges::equal(builder_.source(known_[slot] - 1), builder_.source(rule)) &&
             std::ranges::equal(builder_.target(known_[slot] - 1), builder_.target(rule))))
      slot = (slot + 1) & mask;
    return slot;
  };
  const auto added = static_cast<uint32_t>(builder_.size() - 1);
  if (known_.size() < 2 * builder_.size()) {
    known_.assign(std::max<size_t>(1024, 2 * known_.size()), 0);
    for (uint32_t rule = 0; rule < added; ++rule) known_[find_slot(rule)] = rule + 1;
  }
  const size_t slot = find_slot(added);
  if (known_[slot] != 0)
    throw InputError("duplicate of rule " + std::to_string(known_[slot]) + "; expected each rule once");
  known_[slot] = added + 1;
}

void RuleParser::parse_moses() {
  if (fields_.size() < 4)
    throw InputError("found " + std::to_string(fields_.size()) +
                     " fields; expected source ||| target ||| scores ||| links, as in Moses' rule tables");
  read_moses_side(fields_[0], interning(builder_.source_words), source_);
  read_moses_side(fields_[1], interning(builder_.target_words), target_);
  check_moses_side(source_);
  check_moses_side(target_);
  parse_moses_scores(fields_[2], moses_names_.size(), logs_);
  for (size_t i = 0; i < logs_.size(); ++i) add_feature(moses_names_[i], logs_[i]);
  parse_rule_links(fields_[3], links_);
  pair_linked_gaps(source_, target_, links_);
  refuse_sparse_scores(fields_);
  if (fields_.size() > 4 && !fields_[4].empty()) {
    corpus::for_each_token(fields_[4], [&](std::string_view token) {
      counts_.push_back(static_cast<float>(parse_finite(token, "a count")));
      if (counts_.back() < 0) throw InputError("found the count " + quoted(token) + "; expected 0 or more");
    });
    if (counts_.size() != 3)
      throw InputError("found " + std::to_string(counts_.size()) + " counts; expected 3");
  }
}

void RuleParser::parse_cdec() {
  if (fields_.size() < 4 || fields_.size() > 5)
    throw InputError(
        "found " + std::to_string(fields_.size()) +
        " fields; expected [X] ||| source ||| target ||| features [||| links], as in cdec's grammars");
  if (fields_[0] != kLabel) refuse_label(fields_[0]);
  read_cdec_side(fields_[1], interning(builder_.source_words), source_);
  read_cdec_side(fields_[2], interning(builder_.target_words), target_);
  check_cdec_gaps(source_);
  check_cdec_gaps(target_);
  pair_numbered_gaps(source_, target_);
  for_each_cdec_feature(fields_[3], [&](std::string_view name, double value) { add_feature(name, value); });
  parse_rule_links(fields_.size() > 4 ? fields_[4] : std::string_view(), links_);
  drop_gap_links(source_, links_);
}

void RuleParser::add_feature(std::string_view name, double value) {
  const int32_t column = builder_.names.intern(name);
  if (builder_.names.size() > RuleTableBuilder::kMaxFeatures)
    throw InputError("more than " + std::to_string(RuleTableBuilder::kMaxFeatures) +
                     " different features; sparse features belong to templates, not to tables");
  if (std::find(columns_.begin(), columns_.end(), column) != columns_.end())
    throw InputError("the feature " + quoted(name) + " occurs twice in a rule");
  columns_.push_back(column);
  values_.push_back(static_cast<float>(value));
}

}  // namespace tunesmith::grammar

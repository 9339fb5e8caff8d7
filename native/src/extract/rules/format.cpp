#include "tunesmith/extract/rules/format.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"

namespace tunesmith::extract::rules {

namespace {

constexpr size_t kChunkGroups = 64;

/// Six significant digits, as Moses prints them.
void append_score(double value, std::string& out) {
  char digits[32];
  const auto [end, error] =
      std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 6);
  out.append(digits, end);
}

/// The shortest digits that parse to the same 32-bit float.
void append_float(double value, std::string& out) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, static_cast<float>(value));
  out.append(digits, end);
}

/// -log10 p, as a difference because -log10(1) would be -0.
double cost(double probability) {
  return probability > 0 ? 0.0 - std::log10(probability) : RuleLines::kNever;
}

std::vector<std::string> checked_names(std::vector<std::string> names) {
  if (names.size() != RuleLines::kFeatures)
    throw InputError("found " + std::to_string(names.size()) + " names of features; expected " +
                     std::to_string(RuleLines::kFeatures));
  return names;
}

void append_moses_side(std::span<const grammar::Symbol> symbols, const std::vector<std::string>& words,
                       std::string& out) {
  for (const grammar::Symbol symbol : symbols) {
    if (grammar::is_gap(symbol))
      out += "[X][X]";
    else
      out += words[static_cast<size_t>(symbol)];
    out += ' ';
  }
  out += "[X]";
}

void append_cdec_side(std::span<const grammar::Symbol> symbols, const std::vector<std::string>& words,
                      std::string_view gap, std::string& out) {
  for (size_t i = 0; i < symbols.size(); ++i) {
    if (i > 0) out += ' ';
    if (grammar::is_gap(symbols[i]))
      out.append(gap).append(std::to_string(-symbols[i])).append("]");
    else
      out += words[static_cast<size_t>(symbols[i])];
  }
}

/// Appends the links of words and, as Moses does, of gaps, sorted.
void append_links_and_gaps(const grammar::Rule& rule, std::string& out) {
  std::vector<corpus::Link> links(rule.alignment.begin(), rule.alignment.end());
  for (size_t i = 0; i < rule.source.size(); ++i)
    for (size_t j = 0; j < rule.target.size(); ++j)
      if (grammar::is_gap(rule.source[i]) && rule.source[i] == rule.target[j])
        links.push_back({static_cast<int32_t>(i), static_cast<int32_t>(j)});
  std::sort(links.begin(), links.end());
  corpus::append_links(links, out);
}

}  // namespace

RuleLines::RuleLines(const std::vector<std::string>& source_words,
                     const std::vector<std::string>& target_words, RuleFormat format,
                     std::vector<std::string> names)
    : source_words_(source_words),
      target_words_(target_words),
      format_(format),
      names_(checked_names(std::move(names))) {}

std::vector<double> rule_features(const ScoredRule& scored) {
  return {cost(scored.target_given_source),
          cost(scored.source_given_target),
          cost(scored.best_lexical_target_given_source),
          cost(scored.best_lexical_source_given_target),
          std::log10(1.0 + static_cast<double>(scored.source_occurrences)),
          std::log10(1.0 + static_cast<double>(scored.occurrences)),
          scored.source_occurrences == 1 ? 1.0 : 0.0,
          scored.occurrences == 1 ? 1.0 : 0.0};
}

void RuleLines::restrict(const std::vector<std::string>& sources) {
  restricted_ = true;
  sources_ = {sources.begin(), sources.end()};
}

bool RuleLines::prints(std::span<const grammar::Symbol> source) const {
  if (!restricted_) return true;
  std::string side;
  append_source(source, side);
  return sources_.contains(side);
}

void RuleLines::append_source(std::span<const grammar::Symbol> symbols, std::string& out) const {
  format_ == RuleFormat::kMoses ? append_moses_side(symbols, source_words_, out)
                                : append_cdec_side(symbols, source_words_, "[X,", out);
}

void RuleLines::append(const ScoredRule& scored, std::string& out) const {
  format_ == RuleFormat::kMoses ? append_moses(scored, out) : append_cdec(scored, out);
  out += '\n';
}

void RuleLines::append_moses(const ScoredRule& scored, std::string& out) const {
  append_source(scored.rule.source, out);
  out += " ||| ";
  append_moses_side(scored.rule.target, target_words_, out);
  out += " ||| ";
  for (const double score : {scored.source_given_target, scored.lexical_source_given_target,
                             scored.target_given_source, scored.lexical_target_given_source}) {
    append_score(score, out);
    out += ' ';
  }
  out += "||| ";
  append_links_and_gaps(scored.rule, out);
  out += " |||";
  for (const double count : {scored.target_count, scored.source_count, scored.joint_count}) {
    out += ' ';
    append_score(count, out);
  }
  out += " ||| |||";
}

void RuleLines::append_cdec(const ScoredRule& scored, std::string& out) const {
  out += "[X] ||| ";
  append_source(scored.rule.source, out);
  out += " ||| ";
  append_cdec_side(scored.rule.target, target_words_, "[", out);
  out += " |||";
  const std::vector<double> features = rule_features(scored);
  for (size_t i = 0; i < features.size(); ++i) {
    if (names_[i].empty()) continue;
    out.append(" ").append(names_[i]).append("=");
    append_float(features[i], out);
  }
  out += " ||| ";
  corpus::append_links(scored.rule.alignment, out);
}

bool append_lines(RuleGroups& groups, const RuleCounts& counts, const phrases::Lexicon& lexicon,
                  const RuleLines& format, size_t lines, std::string& out) {
  std::vector<RuleGroup> block;
  RuleGroup group;
  for (size_t taken = 0; taken < lines && groups.next(group); taken += group.size) block.push_back(group);
  std::vector<std::string> texts(chunk_count(block.size(), kChunkGroups));
  parallel_chunks(
      block.size(), kChunkGroups, counts.options().threads, [&](size_t chunk, size_t begin, size_t end) {
        RuleScorer scorer(counts.source_order(), counts.target_order(), lexicon);
        for (size_t i = begin; i < end; ++i)
          if (format.prints(scorer.source(block[i])))
            scorer.score(block[i], [&](const ScoredRule& scored) { format.append(scored, texts[chunk]); });
      });
  for (const std::string& text : texts) out += text;
  return !block.empty();
}

}  // namespace tunesmith::extract::rules

// Scored rules as text: Moses' rule tables and cdec's grammars.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/extract/rules/scoring.h"

namespace tunesmith::extract::rules {

enum class RuleFormat { kMoses, kCdec };

/// Writes rules of one line each. Features are those of a cdec line, in the order of `names`:
///   -log10 p(e|f), -log10 p(f|e), -log10 of the best lexical weights (e|f) and (f|e),
///   log10(1 + occurrences of the source side), log10(1 + occurrences of the rule),
///   whether the source side, and whether the rule, was seen once.
/// They have as many digits as a 32-bit float needs to be read back, so that a decoder finds the same values
/// in a file as in memory; Moses' scores have six, as Moses prints them.
class RuleLines {
 public:
  static constexpr size_t kFeatures = 8;
  /// What cdec gives for the logarithm of 0.
  static constexpr double kNever = 99;

  /// The words are not copied. Throws InputError unless there is a name for each feature;
  /// one with an empty name is left out.
  RuleLines(const std::vector<std::string>& source_words, const std::vector<std::string>& target_words,
            RuleFormat format, std::vector<std::string> names);

  void append(const ScoredRule& scored, std::string& out) const;

 private:
  void append_moses(const ScoredRule& scored, std::string& out) const;
  void append_cdec(const ScoredRule& scored, std::string& out) const;

  const std::vector<std::string>& source_words_;
  const std::vector<std::string>& target_words_;
  RuleFormat format_;
  std::vector<std::string> names_;
};

/// Features of a rule in the order above.
std::vector<double> rule_features(const ScoredRule& scored);

/// Appends the lines of the next groups, at least one group and about `lines` lines; scores and formats on
/// `threads` threads. False after the last group.
bool append_lines(RuleGroups& groups, const RuleCounts& counts, const phrases::Lexicon& lexicon,
                  const RuleLines& format, size_t lines, std::string& out);

}  // namespace tunesmith::extract::rules

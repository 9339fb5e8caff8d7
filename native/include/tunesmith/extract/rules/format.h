// Writer of scored rules in the text formats of Moses' rule tables and cdec's grammars.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "tunesmith/extract/rules/scoring.h"

namespace tunesmith::extract::rules {

enum class RuleFormat { kMoses, kCdec };

/// Formats one line per rule. The features of a cdec line, in the order of `names`, are
///   -log10 p(e|f), -log10 p(f|e), -log10 of the best lexical weights (e|f) and (f|e),
///   log10(1 + occurrences of the source side), log10(1 + occurrences of the rule),
///   whether the source side occurred once, and whether the rule did,
/// printed with as many digits as a 32-bit float needs to be restored exactly, so that files and memory give
/// decoders the same values. Moses scores have six digits, as in Moses.
class RuleLines {
 public:
  static constexpr size_t kFeatures = 8;
  /// cdec's value of -log10 0.
  static constexpr double kNever = 99;

  /// Keeps references to the words. Throws InputError unless there is one name per feature; features with an
  /// empty name are omitted.
  RuleLines(const std::vector<std::string>& source_words, const std::vector<std::string>& target_words,
            RuleFormat format, std::vector<std::string> names);

  /// Prints only rules with these source sides, written as in the format, from now on.
  void restrict(const std::vector<std::string>& sources);

  /// Whether rules with this source side are printed.
  bool prints(std::span<const grammar::Symbol> source) const;

  void append(const ScoredRule& scored, std::string& out) const;

 private:
  void append_source(std::span<const grammar::Symbol> symbols, std::string& out) const;
  void append_moses(const ScoredRule& scored, std::string& out) const;
  void append_cdec(const ScoredRule& scored, std::string& out) const;

  const std::vector<std::string>& source_words_;
  const std::vector<std::string>& target_words_;
  RuleFormat format_;
  std::vector<std::string> names_;
  bool restricted_ = false;
  std::unordered_set<std::string> sources_;
};

/// The features of a rule in the order above.
std::vector<double> rule_features(const ScoredRule& scored);

/// Scores and formats the next groups in parallel: at least one group, about `lines` lines, of which only
/// those that `format` prints are appended. Returns false after the last group.
bool append_lines(RuleGroups& groups, const RuleCounts& counts, const phrases::Lexicon& lexicon,
                  const RuleLines& format, size_t lines, std::string& out);

}  // namespace tunesmith::extract::rules

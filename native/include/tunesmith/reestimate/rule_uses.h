// Counts of the rules that derivations use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tunesmith/base/interner.h"
#include "tunesmith/base/name_table.h"
#include "tunesmith/base/sequence_pool.h"
#include "tunesmith/extract/phrases/lexicon.h"
#include "tunesmith/extract/rules/format.h"
#include "tunesmith/reestimate/derivation_shares.h"

namespace tunesmith::reestimate {

/// Counts the rules of a table or index in files of derivations; glue and words that are passed through are
/// not counted. Results do not depend on the order of files.
class RuleUses {
 public:
  explicit RuleUses(DerivationShare share, double scale = 1.0) : shares_{share, scale} {}

  /// O(steps). Throws InputError if the file is one of phrases.
  void count(const DerivationFile& file);

  const UseTotals& totals() const { return totals_; }
  /// Distinct rules.
  size_t rules() const { return rules_.size(); }
  /// The words of both sides.
  Texts words() const { return words_.names().view(); }

  /// Writes a rule table of the used rules, scored as extracted ones are: relative frequencies, lexical
  /// weights of a lexicon in the numbers of `words`, and counts.
  void write(const std::string& path, const extract::phrases::Lexicon& lexicon,
             extract::rules::RuleFormat format, const std::vector<std::string>& names,
             const std::string& meta) const;

 private:
  struct Event {
    uint32_t side, target, links;

    bool operator==(const Event&) const = default;
  };
  struct Sum {
    uint64_t units = 0;
    uint64_t uses = 0;
  };

  DerivationShares shares_;
  NameTable words_;
  SequencePool<grammar::Symbol> sides_;
  SequencePool<PhraseLink> links_;
  Interner<Event> events_;
  std::vector<Sum> sums_;    // by event
  FlatMap<uint32_t> rules_;  // by both sides
  UseTotals totals_;
};

}  // namespace tunesmith::reestimate

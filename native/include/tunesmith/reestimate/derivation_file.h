// Files of derivations: what models are re-estimated from.
//
// Derivations of rules have gaps among the words of their sides, numbered as in grammar/rule.h; all words and
// gaps are stored as numbers without sign.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/base/container.h"
#include "tunesmith/base/name_table.h"
#include "tunesmith/base/rows.h"
#include "tunesmith/base/sequence_pool.h"
#include "tunesmith/grammar/rule.h"

namespace tunesmith::reestimate {

/// Whether a word number of a side stands for a gap.
inline bool is_gap(uint32_t symbol) { return grammar::is_gap(static_cast<grammar::Symbol>(symbol)); }
inline size_t gap_index(uint32_t symbol) { return grammar::gap_index(static_cast<grammar::Symbol>(symbol)); }

/// Where the target side of a phrase or rule is from.
enum class PhraseOrigin : uint16_t {
  kTable = 0,
  kUnknownWord = 1,  // passed through, with one link; or dropped, without words and links
  kGiven = 2,        // by the input; or a rule of a small text grammar, such as glue
};
inline constexpr size_t kPhraseOrigins = 3;

/// A phrase pair or rule in a sentence.
struct UsedPhrase {
  uint32_t target;      // its target side, a phrase of the file
  uint32_t links;       // within the phrase pair, a list of links of the file
  uint16_t begin, end;  // source columns, those of gaps included
  PhraseOrigin origin;
  uint16_t unused = 0;

  bool operator==(const UsedPhrase&) const = default;
};
static_assert(sizeof(UsedPhrase) == 16);

/// Positions within the two sides of a phrase pair or rule, gaps included.
struct PhraseLink {
  uint16_t source, target;

  bool operator==(const PhraseLink&) const = default;
};
static_assert(sizeof(PhraseLink) == 4);

/// What is known about a derivation besides its phrases.
struct DerivationValues {
  float score;                      // of the model
  float gain;                       // B, the BLEU of pseudo-document and sentence times their source words
  float value;                      // what was maximized
  uint16_t length;                  // words of its string
  std::array<uint16_t, 4> matches;  // clipped, of 1-grams to 4-grams
  uint16_t unused = 0;
};
static_assert(sizeof(DerivationValues) == 24);

/// The derivations of one sentence, best first. Phrases that several derivations use are listed once; a step
/// is the number of such a phrase.
struct DerivationList {
  uint32_t sentence;  // its row in the text
  uint32_t reference_length;
  std::span<const uint32_t> source;  // words
  std::span<const UsedPhrase> phrases;
  std::span<const DerivationValues> values;  // by derivation
  std::span<const uint64_t> step_offsets;    // one more than derivations
  std::span<const uint16_t> all_steps;
  std::span<const uint32_t> sides;  // by phrase: its source side, of a file of rules; else empty

  size_t size() const { return values.size(); }
  /// The phrases of a derivation in target order. A rule is followed by those that fill its gaps, in the
  /// order of its target side.
  std::span<const uint16_t> steps(size_t derivation) const {
    return all_steps.subspan(step_offsets[derivation] - step_offsets[0],
                             step_offsets[derivation + 1] - step_offsets[derivation]);
  }
};

/// The derivations of a sentence in the making, with its own numbering of words, target sides and links.
struct DerivationDraft {
  uint32_t sentence = 0;
  uint32_t reference_length = 0;
  std::vector<uint32_t> source;
  std::vector<UsedPhrase> phrases;
  std::vector<DerivationValues> values;
  Rows<uint16_t> steps;    // by derivation
  Rows<uint32_t> targets;  // words of target sides
  Rows<PhraseLink> links;  // lists of links
  TextColumn words;
  bool of_rules = false;
  std::vector<uint32_t> side_of;  // by phrase, if the derivations are of rules
  Rows<uint32_t> sides;           // words and gaps of source sides
};

/// Collects derivations, all of phrases or all of rules, and writes them as one file. Memory is that of the
/// file.
class DerivationWriter {
 public:
  size_t size() const { return sentences_.size(); }
  /// Throws InputError if a number of the draft is out of range: the writer is unchanged then.
  void add(const DerivationDraft& draft);
  /// Atomic.
  void write(const std::string& path) const;

 private:
  NameTable words_;
  SequencePool<uint32_t> targets_;
  SequencePool<PhraseLink> links_;
  std::vector<uint32_t> sentences_, reference_lengths_;
  std::vector<uint64_t> source_offsets_{0}, phrase_offsets_{0}, derivation_offsets_{0}, step_offsets_{0};
  std::vector<uint32_t> source_;
  std::vector<UsedPhrase> phrases_;
  std::vector<DerivationValues> values_;
  std::vector<uint16_t> steps_;
  bool of_rules_ = false;
  std::vector<uint32_t> side_of_;
  SequencePool<uint32_t> sides_;
};

/// A file of derivations, mapped. All numbers in it are checked when it is opened: the phrases of each
/// derivation cover different columns, and links are within their phrases. Rules and the rules in their gaps
/// have the words of the sentence as their source sides.
class DerivationFile {
 public:
  explicit DerivationFile(const std::string& path);

  const std::string& path() const { return container_.path(); }
  /// Number of sentences.
  size_t size() const { return sentences_.size(); }
  DerivationList operator[](size_t number) const;
  const TextColumn& words() const { return words_; }
  /// The words of each target side.
  RowsView<uint32_t> targets() const { return {target_offsets_, target_words_}; }
  /// Lists of links, without repeats, by source and target position.
  RowsView<PhraseLink> links() const { return {link_offsets_, links_}; }
  bool of_rules() const { return !side_offsets_.empty(); }
  /// The source side of each rule, if it is a file of rules.
  RowsView<uint32_t> sides() const { return {side_offsets_, side_symbols_}; }
  size_t derivation_count() const { return values_.size(); }
  size_t step_count() const { return steps_.size(); }
  size_t bytes() const { return container_.bytes(); }

 private:
  void check() const;

  Container container_;
  TextColumn words_;
  std::span<const uint32_t> target_offsets_, target_words_, link_offsets_;
  std::span<const PhraseLink> links_;
  std::span<const uint32_t> sentences_, reference_lengths_;
  std::span<const uint64_t> source_offsets_, phrase_offsets_, derivation_offsets_, step_offsets_;
  std::span<const uint32_t> source_;
  std::span<const UsedPhrase> phrases_;
  std::span<const DerivationValues> values_;
  std::span<const uint16_t> steps_;
  std::span<const uint32_t> side_offsets_, side_symbols_, side_of_;  // empty in files of phrases
};

}  // namespace tunesmith::reestimate

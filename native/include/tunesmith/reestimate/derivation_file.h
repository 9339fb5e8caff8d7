// Files of derivations: what models are re-estimated from.
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

namespace tunesmith::reestimate {

/// Where the target side of a phrase is from.
enum class PhraseOrigin : uint16_t {
  kTable = 0,
  kUnknownWord = 1,  // passed through, with one link; or dropped, without words and links
  kGiven = 2,        // by the input
};
inline constexpr size_t kPhraseOrigins = 3;

/// A phrase pair in a sentence.
struct UsedPhrase {
  uint32_t target;      // its target side, a phrase of the file
  uint32_t links;       // within the phrase pair, a list of links of the file
  uint16_t begin, end;  // source columns
  PhraseOrigin origin;
  uint16_t unused = 0;

  bool operator==(const UsedPhrase&) const = default;
};
static_assert(sizeof(UsedPhrase) == 16);

/// Positions within the two sides of a phrase pair.
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

  size_t size() const { return values.size(); }
  /// The phrases of a derivation in target order.
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
};

/// Collects derivations and writes them as one file. Memory is that of the file.
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
};

/// A file of derivations, mapped. All numbers in it are checked when it is opened: the phrases of each
/// derivation cover different columns, and links are within their phrases.
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
};

}  // namespace tunesmith::reestimate

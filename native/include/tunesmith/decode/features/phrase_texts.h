// The two sides of a phrase pair as texts within feature names.
#pragma once

#include <string>
#include <string_view>

#include "tunesmith/decode/features/word_labels.h"

namespace tunesmith::decode::features {

/// Appends a word to the text of a phrase within a feature name: words are joined by underscores, each in the
/// form of `append_word_part`.
void append_word(std::string_view word, std::string& text);

/// The words of both sides, joined by underscores, with their hashes.
class PhraseTexts {
 public:
  /// The sides of an option. Its labels view the texts.
  struct Sides {
    std::string source_text, target_text;
    Label source, target;
  };

  /// The model outlives it.
  void attach(const DecoderModel& model) { model_ = &model; }
  /// Whether an option has an identity: only pairs of tables do.
  static bool has_identity(const Option& option) { return option.rule >= 0; }
  /// Fills `sides`, whose memory is reused.
  void read(const Option& option, const TargetWords& words, Sides& sides) const;

 private:
  const DecoderModel* model_ = nullptr;
};

}  // namespace tunesmith::decode::features

#include "tunesmith/decode/features/phrase_texts.h"

#include "tunesmith/base/errors.h"
#include "tunesmith/decode/model.h"

namespace tunesmith::decode::features {

void append_word(std::string_view word, std::string& text) {
  if (!text.empty()) text += '_';
  weights::append_word_part(word, text);
}

void PhraseTexts::read(const Option& option, const TargetWords& words, Sides& sides) const {
  if (model_ == nullptr) throw InputError("a feature of phrase identities has joined no model");
  sides.source_text.clear();
  sides.target_text.clear();
  for (const int32_t word : option.source) append_word(model_->source_word(option, word), sides.source_text);
  for (const int32_t word : option.words) append_word(words[word], sides.target_text);
  sides.source = Label(sides.source_text);
  sides.target = Label(sides.target_text);
}

}  // namespace tunesmith::decode::features

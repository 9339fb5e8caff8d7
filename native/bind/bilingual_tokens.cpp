#include "tunesmith/bilingual_tokens.h"

#include "corpus.h"
#include "pool_arrays.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "bilingual_tokens",
      [](const std::pair<Vector<int32_t>, Vector<int64_t>>& source,
         const std::pair<Vector<int32_t>, Vector<int64_t>>& target,
         const std::pair<Matrix<int32_t>, Vector<int64_t>>& links,
         const std::pair<Vector<uint8_t>, Vector<int64_t>>& source_words,
         const std::pair<Vector<uint8_t>, Vector<int64_t>>& target_words, const std::string& joiner) {
        const Sentences from = sentences(source.first, source.second);
        const Sentences to = sentences(target.first, target.second);
        const Alignments all = alignments(links.first, links.second);
        const Texts from_words = texts(source_words.first, source_words.second);
        const Texts to_words = texts(target_words.first, target_words.second);
        TextColumn lines;
        {
          nb::gil_scoped_release release;
          lines = bilingual_tokens(from, to, all, from_words, to_words, joiner);
        }
        return to_numpy(std::move(lines));
      },
      "source"_a, "target"_a, "alignments"_a, "source_words"_a, "target_words"_a, "joiner"_a);
});

}  // namespace tunesmith::bind

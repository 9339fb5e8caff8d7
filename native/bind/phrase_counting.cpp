#include "tunesmith/phrase_counting.h"

#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>

#include "corpus.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "count_phrase_pairs",
      [](const std::pair<Vector<int32_t>, Vector<int64_t>>& source,
         const std::pair<Vector<int32_t>, Vector<int64_t>>& target,
         const std::pair<Matrix<int32_t>, Vector<int64_t>>& links,
         const std::pair<Vector<uint8_t>, Vector<int64_t>>& source_words,
         const std::pair<Vector<uint8_t>, Vector<int64_t>>& target_words, const Vector<int32_t>& folds,
         const std::string& path, int max_length, uint64_t memory, const std::string& temporary, int threads,
         std::optional<std::function<void(const std::string&)>> progress) {
        const FoldedBitext bitext{
            {sentences(source.first, source.second), sentences(target.first, target.second),
             alignments(links.first, links.second), texts(source_words.first, source_words.second),
             texts(target_words.first, target_words.second)},
            view(folds)};
        CountingOptions options{max_length, memory, temporary, threads, {}};
        if (progress) options.progress = *progress;
        nb::gil_scoped_release release;
        count_phrase_pairs(bitext, path, options);
      },
      "source"_a, "target"_a, "alignments"_a, "source_words"_a, "target_words"_a, "folds"_a, "path"_a,
      "max_length"_a, "memory"_a, "temporary"_a, "threads"_a, "progress"_a.none());
});

}  // namespace tunesmith::bind

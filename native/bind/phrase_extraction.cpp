#include "tunesmith/phrase_extraction.h"

#include "bind.h"
#include "tunesmith/reordering.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "extract_phrases",
      [](int source_length, int target_length, const Matrix<int32_t>& links, int max_length) {
        if (links.shape(1) != 2) throw InputError("links are rows of two word positions");
        std::vector<Link> checked(links.shape(0));
        for (size_t i = 0; i < checked.size(); ++i) {
          checked[i] = {links.data()[2 * i], links.data()[2 * i + 1]};
          if (checked[i].source < 0 || checked[i].source >= source_length || checked[i].target < 0 ||
              checked[i].target >= target_length)
            throw InputError("a link is outside of its sentence pair");
        }
        constexpr size_t kColumns = 12;
        std::vector<int32_t> rows;
        PhraseExtractor extractor(max_length);
        for (const PhraseInstance& instance : extractor.extract(source_length, target_length, checked)) {
          const PhraseSpan& span = instance.span;
          rows.insert(rows.end(), {span.source_begin, span.source_end, span.target_begin, span.target_end});
          for (auto model :
               {OrientationModel::kWord, OrientationModel::kPhrase, OrientationModel::kHierarchical})
            for (auto direction : {Direction::kBackward, Direction::kForward})
              rows.push_back(
                  class_of(OrientationClasses::kFive, instance.orientations.get(model, direction)));
          for (auto direction : {Direction::kBackward, Direction::kForward})
            rows.push_back(class_of(OrientationClasses::kMslr,
                                    instance.orientations.get(OrientationModel::kHierarchical, direction)));
        }
        return to_numpy(std::move(rows), kColumns);
      },
      "source_length"_a, "target_length"_a, "links"_a, "max_length"_a,
      "Rows of source begin, source end, target begin, target end, and the orientations (word, phrase, "
      "hierarchical; each backward, forward) of all phrase pairs of a sentence pair: monotone, swap, left, "
      "right, global. The last two are the hierarchical ones without global.");
});

}  // namespace tunesmith::bind

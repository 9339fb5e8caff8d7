#include "tunesmith/symmetrize.h"

#include "aligner.h"
#include "tunesmith/parallel.h"

namespace tunesmith::bind {

namespace {

constexpr size_t kPairs = 1024;

/// Sorted, and no position below 0: what symmetrize() relies on.
void check_links(std::span<const Link> links, size_t pair) {
  for (size_t k = 0; k < links.size(); ++k)
    if (links[k].source < 0 || links[k].target < 0 || (k > 0 && !(links[k - 1] < links[k])))
      throw InputError("the links are not sorted, or not word positions", static_cast<int64_t>(pair) + 1);
}

}  // namespace

static const Join join([](nb::module_& m) {
  m.def(
      "symmetrize",
      [](const std::pair<Matrix<int32_t>, Vector<int64_t>>& forward,
         const std::pair<Matrix<int32_t>, Vector<int64_t>>& reverse, const std::string& method, int threads) {
        const Alignments there = alignments(forward.first, forward.second);
        const Alignments back = alignments(reverse.first, reverse.second);
        if (there.size() != back.size())
          throw InputError("found " + std::to_string(there.size()) + " forward and " +
                           std::to_string(back.size()) + " reverse alignments; expected as many of each");
        const Symmetrization how = symmetrization_named(method);
        PairLinks links(there.size());
        {
          nb::gil_scoped_release release;
          parallel_chunks(links.size(), kPairs, threads, [&](size_t, size_t begin, size_t end) {
            for (size_t pair = begin; pair < end; ++pair) {
              check_links(there[pair], pair);
              check_links(back[pair], pair);
              links[pair] = symmetrize(there[pair], back[pair], how);
            }
          });
        }
        return to_numpy(std::move(links));
      },
      "forward"_a, "reverse"_a, "method"_a, "threads"_a);
});

}  // namespace tunesmith::bind

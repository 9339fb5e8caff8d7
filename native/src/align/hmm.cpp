#include "tunesmith/align/hmm.h"

#include "tunesmith/align/pair_passes.h"
#include "tunesmith/align/paths.h"

namespace tunesmith::align {

namespace {

template <bool kShared>
class ExpectHmm {
 public:
  ExpectHmm(const PairCells& cells, const LexicalTable& table, const HmmModel& model, bool agree,
            LexicalCounts& counts, BothWays<JumpCounts>& jumps, std::vector<BothWays<double>>& likelihoods)
      : cells_(cells),
        agree_(agree),
        counts_(counts),
        jumps_(jumps),
        likelihoods_(likelihoods),
        pass_(table, model) {}

  void operator()(size_t pair, std::span<const uint32_t> cells) {
    const auto source = cells_.source()[pair], target = cells_.target()[pair];
    if (!fits_hmm(source, target)) return;
    const size_t n = source.size(), m = target.size();
    pass_.look_up(source, target, cells);
    likelihoods_[pair] = {pass_.forward.posteriors(), pass_.reverse.posteriors()};
    pass_.forward.count(seen_.forward);
    pass_.reverse.count(seen_.reverse);
    linked_.clear();
    links_.clear();
    for (size_t j = 0; j < m; ++j)
      counts_.add_word<kShared>(counts_.null_forward, target[j], pass_.forward.none_posteriors[j]);
    for (size_t i = 0; i < n; ++i) {
      counts_.add_word<kShared>(counts_.null_reverse, source[i], pass_.reverse.none_posteriors[i]);
      for (size_t j = 0; j < m; ++j) {
        BothWays<float> posterior{pass_.forward.position_posteriors[j * n + i],
                                  pass_.reverse.position_posteriors[i * m + j]};
        if (agree_) posterior.forward = posterior.reverse = posterior.forward * posterior.reverse;
        const BothWays<int64_t> count{counts_.fixed(posterior.forward), counts_.fixed(posterior.reverse)};
        if ((count.forward | count.reverse) == 0) continue;
        linked_.push_back(cells[i * m + j]);
        links_.push_back(count);
      }
    }
    for (size_t k = 0; k < linked_.size(); ++k) {
      prefetch_ahead(counts_.pairs, linked_, k);
      BothWays<int64_t>& count = counts_.pairs[linked_[k]];
      LexicalCounts::add<kShared>(count.forward, links_[k].forward);
      LexicalCounts::add<kShared>(count.reverse, links_[k].reverse);
    }
  }

  void finish() {
    flush(seen_.forward, jumps_.forward);
    flush(seen_.reverse, jumps_.reverse);
  }

 private:
  void flush(const HmmPass::Jumps& seen, JumpCounts& all) {
    const auto each = [&](const std::vector<double>& from, std::vector<int64_t>& to) {
      for (size_t k = 0; k < from.size(); ++k)
        if (from[k] > 0)
          LexicalCounts::add<kShared>(to[k],
                                      static_cast<int64_t>(from[k] * static_cast<double>(counts_.one())));
    };
    each(seen.jumps, all.jumps);
    each(seen.starts, all.starts);
    each(seen.from, all.from);
    each(seen.from_start, all.from_start);
  }

  const PairCells& cells_;
  bool agree_;
  LexicalCounts& counts_;
  BothWays<JumpCounts>& jumps_;
  std::vector<BothWays<double>>& likelihoods_;
  PairPasses pass_;
  BothWays<HmmPass::Jumps> seen_;
  std::vector<uint32_t>
      linked_;  // cells of a pair with a count above 0: most have none, and cost a cache miss
  std::vector<BothWays<int64_t>> links_;
};

struct Decode {
  const PairCells& cells;
  const LexicalTable& table;
  const HmmModel& model;
  BothWays<PairLinks>& links;
  PairPasses pass;

  void operator()(size_t pair, std::span<const uint32_t> found) {
    const auto source = cells.source()[pair], target = cells.target()[pair];
    if (!fits_hmm(source, target)) return;
    pass.look_up(source, target, found);
    auto found_links = links_of_paths(pass.forward.best_path(), pass.reverse.best_path());
    links.forward[pair] = std::move(found_links.forward);
    links.reverse[pair] = std::move(found_links.reverse);
  }
  void finish() {}
};

struct Fill {
  const PairCells& cells;
  const LexicalTable& table;
  const HmmModel& model;
  bool reverse;
  PosteriorMatrices& all;
  PairPasses pass;

  void operator()(size_t pair, std::span<const uint32_t> found) {
    const auto source = cells.source()[pair], target = cells.target()[pair];
    float* out = all.matrix(pair);
    if (!fits_hmm(source, target)) {
      fill_posteriors(table, source, target, found, model.for_long_pairs(), reverse, out);
      return;
    }
    pass.look_up(source, target, found);
    HmmPass& one = reverse ? pass.reverse : pass.forward;
    one.posteriors();
    write_posteriors(one.position_posteriors, source.size(), target.size(), reverse, out);
  }
  void finish() {}
};

}  // namespace

BothWays<double> expect_hmm(PairCells& cells, const LexicalTable& table, const HmmModel& model, bool agree,
                            LexicalCounts& counts, BothWays<JumpCounts>& jumps, int threads) {
  std::vector<BothWays<double>> likelihoods(cells.source().size());
  const auto visit = [&]<bool kShared>() {
    cells.visit(threads,
                [&] { return ExpectHmm<kShared>(cells, table, model, agree, counts, jumps, likelihoods); });
  };
  if (threads > 1)
    visit.template operator()<true>();
  else
    visit.template operator()<false>();
  return sum_of(likelihoods);
}

void decode_long_pairs(const PairCells& cells, const LexicalTable& table, const HmmModel& model,
                       BothWays<PairLinks>& links) {
  for (size_t pair = 0; pair < cells.source().size(); ++pair) {
    const auto source = cells.source()[pair], target = cells.target()[pair];
    if (fits_hmm(source, target)) continue;
    auto best = decode_pair(table, source, target, model.for_long_pairs());
    links.forward[pair] = std::move(best.forward);
    links.reverse[pair] = std::move(best.reverse);
  }
}

BothWays<PairLinks> decode_hmm(PairCells& cells, const LexicalTable& table, const HmmModel& model,
                               int threads) {
  const size_t pairs = cells.source().size();
  BothWays<PairLinks> links{PairLinks(pairs), PairLinks(pairs)};
  cells.visit(threads, [&] { return Decode{cells, table, model, links, PairPasses(table, model)}; });
  decode_long_pairs(cells, table, model, links);
  return links;
}

std::vector<float> hmm_posteriors(PairCells& cells, const LexicalTable& table, const HmmModel& model,
                                  bool reverse, int threads) {
  PosteriorMatrices all(cells.source(), cells.target());
  cells.visit(threads, [&] { return Fill{cells, table, model, reverse, all, PairPasses(table, model)}; });
  return std::move(all.values);
}

}  // namespace tunesmith::align

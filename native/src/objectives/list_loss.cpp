#include "tunesmith/objectives/list_loss.h"

#include <algorithm>
#include <string>
#include <vector>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"

namespace tunesmith::objectives {

namespace {

constexpr size_t kMostChunks = 64;
constexpr size_t kFewestChunks = 4;
constexpr size_t kPartialValues = (size_t{256} << 20) / sizeof(double);

/// Number of lists that share a partial gradient.
size_t lists_per_chunk(size_t lists, size_t width) {
  const size_t chunks = std::clamp(kPartialValues / std::max<size_t>(width, 1), kFewestChunks, kMostChunks);
  return std::max<size_t>(1, chunk_count(lists, chunks));
}

/// gradient = sum of the partial gradients, column by column in the order of the chunks.
void sum_partials(const std::vector<std::vector<double>>& partials, int threads, std::span<double> gradient) {
  constexpr size_t kColumnsPerChunk = 16384;
  parallel_chunks(gradient.size(), kColumnsPerChunk, threads, [&](size_t, size_t begin, size_t end) {
    std::fill(gradient.begin() + begin, gradient.begin() + end, 0.0);
    for (const auto& partial : partials)
      for (size_t column = begin; column < end; ++column) gradient[column] += partial[column];
  });
}

}  // namespace

void check_gains(std::span<const double> gains, std::span<const int64_t> offsets) {
  if (gains.size() != static_cast<size_t>(offsets.back()))
    throw InputError(std::to_string(gains.size()) + " gains for " + std::to_string(offsets.back()) +
                     " candidates");
}

double list_loss(const candidates::CandidateLists& lists, const ListLoss& loss,
                 std::span<const double> weights, int threads, std::span<double> gradient) {
  const Csr& features = lists.features;
  const size_t chunk_size = lists_per_chunk(lists.size(), features.width);
  const size_t chunks = chunk_count(lists.size(), chunk_size);
  threads = useful_threads(features, threads);
  std::vector<double> losses(chunks);
  std::vector<std::vector<double>> partials(chunks);
  parallel_chunks(lists.size(), chunk_size, threads, [&](size_t chunk, size_t begin, size_t end) {
    std::vector<double>& partial = partials[chunk];
    partial.assign(gradient.size(), 0.0);
    std::vector<double> scores, slopes;
    for (size_t list = begin; list < end; ++list) {
      const size_t first = lists.offsets[list], size = lists.offsets[list + 1] - first;
      if (size == 0) continue;
      scores.resize(size);
      slopes.resize(size);
      for (size_t i = 0; i < size; ++i) scores[i] = features.dot(first + i, weights.data());
      losses[chunk] += loss.at(list, first, scores, slopes);
      if (gradient.empty()) continue;
      for (size_t i = 0; i < size; ++i)
        if (slopes[i] != 0) features.add_to(first + i, slopes[i], partial.data());
    }
  });
  sum_partials(partials, threads, gradient);
  double total = 0;
  for (double value : losses) total += value;
  return total;
}

}  // namespace tunesmith::objectives

#include "tunesmith/decode/translate_all.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/interruption.h"
#include "tunesmith/base/parallel.h"

namespace tunesmith::decode {

void for_each_request(const DecoderMaker& maker, size_t requests, int threads, std::function<void()> poll,
                      const std::function<void(SentenceDecoder&, size_t)>& work) {
  std::vector<std::exception_ptr> failures(requests);
  std::atomic<size_t> next{0}, end{requests};  // a failure lowers `end`
  Interruption interruption(std::move(poll));
  const auto workers = std::min<size_t>(static_cast<size_t>(std::max(threads, 1)), requests);
  // Dynamic scheduling: a free worker takes the next sentence, and reuses its decoder's memory.
  parallel_chunks(workers, 1, threads, [&](size_t, size_t, size_t) {
    const Interruption::Stay stay(interruption);
    const std::unique_ptr<SentenceDecoder> decoder = maker();
    if (interruption.is_possible()) decoder->set_poll([&] { interruption.check(); });
    const auto fail = [&](size_t i, std::exception_ptr failure) {
      failures[i] = std::move(failure);
      for (size_t last = end; i < last && !end.compare_exchange_weak(last, i);) {
      }
    };
    for (size_t i = next++; i < end; i = next++) {
      try {
        interruption.check();
        work(*decoder, i);
      } catch (const Interruption::Stopped&) {
        return;
      } catch (const InputError& error) {
        fail(i, error.path().empty()
                    ? std::make_exception_ptr(InputError(error.what(), static_cast<int64_t>(i) + 1))
                    : std::current_exception());
      } catch (...) {
        fail(i, std::current_exception());
      }
    }
    try {
      interruption.wait_for_others();
    } catch (const Interruption::Stopped&) {
    }
  });
  interruption.rethrow();
  for (const auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

std::vector<Translation> translate_all(const DecoderMaker& maker, std::span<const DecoderRequest> requests,
                                       int threads, std::function<void()> poll) {
  std::vector<Translation> results(requests.size());
  for_each_request(maker, requests.size(), threads, std::move(poll), [&](SentenceDecoder& decoder, size_t i) {
    const auto begin = std::chrono::steady_clock::now();
    results[i] = decoder.translate(requests[i]);
    results[i].seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  });
  return results;
}

std::vector<Kbest> kbest_all(const DecoderMaker& maker, std::span<const DecoderRequest> requests,
                             const forest::KbestOptions& options, int threads, std::function<void()> poll) {
  std::vector<Kbest> results(requests.size());
  for_each_request(maker, requests.size(), threads, std::move(poll), [&](SentenceDecoder& decoder, size_t i) {
    results[i] = {decoder.scored_forest(requests[i]), options};
  });
  return results;
}

std::vector<ScoredForest> scored_forests(const DecoderMaker& maker, std::span<const DecoderRequest> requests,
                                         int threads, std::function<void()> poll) {
  std::vector<ScoredForest> results(requests.size());
  for_each_request(maker, requests.size(), threads, std::move(poll), [&](SentenceDecoder& decoder, size_t i) {
    results[i] = decoder.scored_forest(requests[i]);
  });
  return results;
}

}  // namespace tunesmith::decode

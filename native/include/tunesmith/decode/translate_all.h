// Translates many sentences on several threads.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "tunesmith/decode/kbest.h"
#include "tunesmith/decode/translation.h"

namespace tunesmith::decode {

/// A decoder at work on one thread.
class SentenceDecoder {
 public:
  virtual ~SentenceDecoder() = default;
  virtual Translation translate(const DecoderRequest& request) = 0;
  /// All derivations; none if none reaches a required target. The search must keep all edges and their
  /// scores.
  virtual ScoredForest scored_forest(const DecoderRequest& request) = 0;
  /// Sets a function that the search calls regularly; an exception from it ends the search.
  virtual void set_poll(std::function<void()> poll) = 0;
};

/// Makes a decoder for a thread.
using DecoderMaker = std::function<std::unique_ptr<SentenceDecoder>()>;

/// Calls work(decoder, i) for each request by number, on several threads with a decoder each. If some fail,
/// the error of the first of them is thrown, and no request after it is begun. The line of an InputError is
/// the number of the request, from 1. `poll` is called regularly on the caller's thread; an exception from it
/// stops the work and is rethrown.
void for_each_request(const DecoderMaker& maker, size_t requests, int threads, std::function<void()> poll,
                      const std::function<void(SentenceDecoder&, size_t)>& work);

/// Results are in the order of the requests and do not depend on the number of threads; errors and
/// `poll` as above.
std::vector<Translation> translate_all(const DecoderMaker& maker, std::span<const DecoderRequest> requests,
                                       int threads, std::function<void()> poll = {});

/// The k best translations of each request, likewise.
std::vector<Kbest> kbest_all(const DecoderMaker& maker, std::span<const DecoderRequest> requests,
                             const forest::KbestOptions& options, int threads,
                             std::function<void()> poll = {});

/// The derivations of each request, likewise.
std::vector<ScoredForest> scored_forests(const DecoderMaker& maker, std::span<const DecoderRequest> requests,
                                         int threads, std::function<void()> poll = {});

}  // namespace tunesmith::decode

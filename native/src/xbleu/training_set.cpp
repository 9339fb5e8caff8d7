#include "tunesmith/xbleu/training_set.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>

#include "tunesmith/base/errors.h"
#include "tunesmith/xbleu/merged_events.h"

namespace tunesmith::xbleu {

namespace {

/// Before the arrays of a list in the file.
struct ListHead {
  uint32_t candidates, events, negatives, best;
  uint32_t uses, features, reference_length, dense;
};
static_assert(sizeof(ListHead) % 8 == 0);

constexpr size_t padded(size_t bytes) { return (bytes + 7) & ~size_t{7}; }

/// The candidates that represent an event: those that use it, or the others.
struct Users {
  std::vector<uint16_t> candidates;
  bool is_negative = false;

  auto operator<=>(const Users&) const = default;
};

/// The smaller of the two representations of how often each candidate uses an event.
Users users_of(std::span<const uint16_t> counts) {
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  const size_t sum = std::accumulate(counts.begin(), counts.end(), size_t{0});
  const size_t above = sum - counts.size() * *least, below = counts.size() * *most - sum;
  Users users{{}, below < above};
  for (size_t candidate = 0; candidate < counts.size(); ++candidate) {
    const int times = users.is_negative ? *most - counts[candidate] : counts[candidate] - *least;
    users.candidates.insert(users.candidates.end(), static_cast<size_t>(times),
                            static_cast<uint16_t>(candidate));
  }
  return users;
}

/// The features of all events that the same candidates use. Those of the sign -1 come last.
class EventGroups {
 public:
  EventGroups(const ListView& list, const MergedEvents& events) {
    std::vector<uint16_t> counts(events.size() * list.size());
    for (size_t candidate = 0; candidate < list.size(); ++candidate)
      for (const uint16_t event : list.uses(candidate))
        if (events.number(event) != MergedEvents::kNone)
          ++counts[events.number(event) * list.size() + candidate];
    std::map<Users, size_t> known;
    for (size_t event = 0; event < events.size(); ++event) {
      Users users = users_of(std::span(counts).subspan(event * list.size(), list.size()));
      if (users.candidates.empty()) continue;
      const auto features = events.features(event);
      const auto [found, is_new] = known.emplace(std::move(users), groups_.size());
      if (is_new) groups_.push_back({&found->first, {}});
      std::vector<uint32_t>& all = groups_[found->second].features;
      if (all.size() + features.size() > UINT16_MAX || found->first.candidates.size() > UINT16_MAX)
        throw InputError("sentence " + std::to_string(list.sentence) +
                         ": an event has more than 65535 features or uses; make shorter lists");
      all.insert(all.end(), features.begin(), features.end());
    }
    known_.swap(known);
    std::stable_partition(groups_.begin(), groups_.end(),
                          [](const Group& group) { return !group.users->is_negative; });
  }

  struct Group {
    const Users* users;
    std::vector<uint32_t> features;
  };
  const std::vector<Group>& groups() const { return groups_; }

 private:
  std::map<Users, size_t> known_;  // owns what groups view
  std::vector<Group> groups_;
};

}  // namespace

TrainingSet::TrainingSet(const std::string& folder, bool is_small, bool has_matches, size_t dense_features)
    : is_small_(is_small), has_matches_(has_matches), dense_squares_(dense_features) {
  scratch_.move_to_disk(folder);
}

template <class T>
void TrainingSet::append(const std::vector<T>& values) {
  static constexpr char kPadding[8] = {};
  const size_t bytes = values.size() * sizeof(T);
  scratch_.append({reinterpret_cast<const char*>(values.data()), bytes});
  scratch_.append({kPadding, padded(bytes) - bytes});
}

void TrainingSet::add(const ListView& list, std::span<const float> gains, EventFeatures& features,
                      const DenseValues& dense) {
  if (list.size() == 0 || gains.size() != list.size())
    throw InputError("sentence " + std::to_string(list.sentence) + " has " + std::to_string(list.size()) +
                     " candidates and " + std::to_string(gains.size()) +
                     " gains; expected one or more, and as many gains");
  if (list.size() > UINT16_MAX)
    throw InputError("sentence " + std::to_string(list.sentence) +
                     " has more than 65535 candidates; make shorter lists");
  if (is_sealed_) throw InputError("the lists are sealed: none can be added");
  if (!dense.columns.empty() && dense.columns.back() >= dense_features())
    throw InputError("a list has values of " + std::to_string(dense.columns.back() + 1) +
                     " or more dense features; expected " + std::to_string(dense_features()));
  const MergedEvents events(list, features);
  const EventGroups grouped(list, events);

  ListHead head{};
  head.candidates = static_cast<uint32_t>(list.size());
  head.best = static_cast<uint32_t>(std::max_element(gains.begin(), gains.end()) - gains.begin());
  head.reference_length = list.reference_length;
  std::vector<uint16_t> use_counts, feature_counts, uses, small;
  std::vector<uint32_t> numbers;
  for (const auto& [users, row] : grouped.groups()) {
    if (!users->is_negative) ++head.negatives;
    use_counts.push_back(static_cast<uint16_t>(users->candidates.size()));
    feature_counts.push_back(static_cast<uint16_t>(row.size()));
    uses.insert(uses.end(), users->candidates.begin(), users->candidates.end());
    numbers.insert(numbers.end(), row.begin(), row.end());
  }
  head.events = static_cast<uint32_t>(use_counts.size());
  head.uses = static_cast<uint32_t>(uses.size());
  head.features = static_cast<uint32_t>(numbers.size());
  head.dense = static_cast<uint32_t>(dense.columns.size());
  const float largest = *std::max_element(list.scores.begin(), list.scores.end());
  std::vector<float> base;
  for (const float score : list.scores) base.push_back(score - largest);

  append(std::vector<ListHead>{head});
  append(base);
  append(std::vector<float>(gains.begin(), gains.end()));
  append(use_counts);
  append(feature_counts);
  append(uses);
  if (is_small_)
    append(std::vector<uint16_t>(numbers.begin(), numbers.end()));
  else
    append(numbers);
  append(dense.columns);
  append(dense.values);
  if (has_matches_) append(std::vector<Matches>(list.matches.begin(), list.matches.end()));
  offsets_.push_back(scratch_.size());
  widest_ = std::max({widest_, list.size(), use_counts.size()});
  for (const uint32_t number : numbers) least_weights_ = std::max(least_weights_, size_t{number} + 1);
  counts_.candidates += list.size();
  counts_.events += list.events.size();
  counts_.groups += use_counts.size();
  counts_.uses += uses.size();
  counts_.features += numbers.size();
  for (size_t i = 0; i < dense.columns.size(); ++i) {
    const auto row = dense.row(i, list.size());
    double sum = 0, squares = 0;
    for (const float value : row) {
      sum += static_cast<double>(value);
      squares += static_cast<double>(value) * static_cast<double>(value);
    }
    dense_squares_[dense.columns[i]] += std::max(0.0, squares - sum * sum / static_cast<double>(row.size()));
  }
}

std::vector<double> TrainingSet::dense_deviations() const {
  std::vector<double> deviations;
  for (const double squares : dense_squares_)
    deviations.push_back(std::sqrt(squares / static_cast<double>(std::max<uint64_t>(counts_.candidates, 1))));
  return deviations;
}

void TrainingSet::seal() {
  data_ = scratch_.view();
  is_sealed_ = true;
}

void TrainingSet::check(size_t weights) const {
  if (!is_sealed_) throw InputError("the lists are not sealed: call seal when all are added");
  if (weights < least_weights_)
    throw InputError("the lists have features up to number " + std::to_string(least_weights_ - 1) +
                     ", but there are " + std::to_string(weights) + " weights");
}

template <class Number>
TrainingList<Number> TrainingSet::list(size_t number) const {
  const char* at = data_.data() + offsets_[number];
  const auto& head = *reinterpret_cast<const ListHead*>(at);
  at += sizeof(ListHead);
  const auto next = [&]<class T>(const T*, size_t count) {
    const auto* values = reinterpret_cast<const T*>(at);
    at += padded(count * sizeof(T));
    return values;
  };
  TrainingList<Number> list{};
  list.best = head.best;
  list.negatives = head.negatives;
  list.reference_length = head.reference_length;
  list.base = {next(static_cast<const float*>(nullptr), head.candidates), head.candidates};
  list.gains = {next(static_cast<const float*>(nullptr), head.candidates), head.candidates};
  list.use_counts = {next(static_cast<const uint16_t*>(nullptr), head.events), head.events};
  list.feature_counts = {next(static_cast<const uint16_t*>(nullptr), head.events), head.events};
  list.uses = next(static_cast<const uint16_t*>(nullptr), head.uses);
  list.features = next(static_cast<const Number*>(nullptr), head.features);
  list.dense_columns = {next(static_cast<const uint16_t*>(nullptr), head.dense), head.dense};
  list.dense = next(static_cast<const float*>(nullptr), size_t{head.dense} * head.candidates);
  list.matches = has_matches_ ? next(static_cast<const Matches*>(nullptr), head.candidates) : nullptr;
  return list;
}

template TrainingList<uint16_t> TrainingSet::list<uint16_t>(size_t) const;
template TrainingList<uint32_t> TrainingSet::list<uint32_t>(size_t) const;

namespace {

constexpr const char* kSetKind = "xbleuset";
constexpr uint32_t kSetVersion = 1;

/// What a file says about its lists.
struct FileHead {
  uint64_t is_small, has_matches, dense_features, events;
};

}  // namespace

void TrainingSet::write(const std::string& path, size_t begin, size_t end) const {
  if (!is_sealed_ || begin > end || end > size())
    throw InputError("cannot write lists " + std::to_string(begin) + " to " + std::to_string(end) + " of " +
                     std::to_string(size()) + "; expected a range of sealed lists");
  std::vector<uint64_t> offsets;
  for (size_t i = begin; i <= end; ++i) offsets.push_back(offsets_[i] - offsets_[begin]);
  ContainerWriter writer(path, kSetKind, kSetVersion);
  // Events are known of the whole set only: a part has its share, for reports.
  const uint64_t events = size() == 0 ? 0 : counts_.events * (end - begin) / size();
  writer.add("head", std::vector<FileHead>{{is_small_, has_matches_, dense_features(), events}});
  writer.add("offsets", offsets);
  writer.add("dense_squares", dense_squares_);
  writer.add<char>("lists", {data_.data() + offsets_[begin], offsets_[end] - offsets_[begin]});
  writer.finish();
}

TrainingSet::TrainingSet(const std::string& path)
    : container_(std::make_unique<const Container>(path, kSetKind, kSetVersion)) {
  const auto heads = container_->section<FileHead>("head");
  const auto offsets = container_->section<uint64_t>("offsets");
  const auto squares = container_->section<double>("dense_squares");
  const auto lists = container_->section<char>("lists");
  data_ = {lists.data(), lists.size()};
  offsets_.assign(offsets.begin(), offsets.end());
  const bool is_sound = heads.size() == 1 && !offsets_.empty() && offsets_.front() == 0 &&
                        offsets_.back() == data_.size() && std::ranges::is_sorted(offsets_) &&
                        heads[0].dense_features == squares.size() && squares.size() <= UINT16_MAX;
  if (!is_sound) throw InputError("is damaged: its lists do not fit their places", path);
  is_small_ = heads[0].is_small != 0;
  has_matches_ = heads[0].has_matches != 0;
  dense_squares_.assign(squares.begin(), squares.end());
  is_sealed_ = true;
  try {
    for (size_t i = 0; i < size(); ++i) is_small_ ? check_list<uint16_t>(i) : check_list<uint32_t>(i);
  } catch (const InputError& error) {
    throw InputError(std::string("is damaged: ") + error.what(), path);
  }
  counts_.events = heads[0].events;
}

template <class Number>
void TrainingSet::check_list(size_t number) {
  const auto refuse = [&] { throw InputError("list " + std::to_string(number) + " does not fit its bytes"); };
  const size_t bytes = offsets_[number + 1] - offsets_[number];
  if (bytes < sizeof(ListHead) || offsets_[number] % 8 != 0) refuse();
  ListHead head;
  std::memcpy(&head, data_.data() + offsets_[number], sizeof head);
  const size_t candidates = head.candidates, dense = size_t{head.dense} * candidates;
  const size_t wanted = sizeof(ListHead) + 2 * padded(candidates * sizeof(float)) +
                        2 * padded(head.events * sizeof(uint16_t)) + padded(head.uses * sizeof(uint16_t)) +
                        padded(head.features * sizeof(Number)) + padded(head.dense * sizeof(uint16_t)) +
                        padded(dense * sizeof(float)) +
                        (has_matches_ ? padded(candidates * sizeof(Matches)) : 0);
  if (wanted != bytes || candidates == 0 || candidates > UINT16_MAX || head.best >= candidates ||
      head.negatives > head.events)
    refuse();
  const TrainingList<Number> found = list<Number>(number);
  const auto sum = [](std::span<const uint16_t> values) {
    return std::accumulate(values.begin(), values.end(), size_t{0});
  };
  if (sum(found.use_counts) != head.uses || sum(found.feature_counts) != head.features) refuse();
  for (const uint16_t user : std::span(found.uses, head.uses))
    if (user >= candidates) refuse();
  for (const uint16_t column : found.dense_columns)
    if (column >= dense_features()) refuse();
  for (const Number feature : std::span(found.features, head.features))
    least_weights_ = std::max(least_weights_, size_t{feature} + 1);
  widest_ = std::max({widest_, candidates, size_t{head.events}});
  counts_.candidates += candidates;
  counts_.groups += head.events;
  counts_.uses += head.uses;
  counts_.features += head.features;
}

std::span<const char> TrainingSet::block(size_t number) const {
  const uint64_t begin = offsets_[number * kBlock];
  const uint64_t end = offsets_[std::min((number + 1) * kBlock, size())];
  return {data_.data() + begin, end - begin};
}

}  // namespace tunesmith::xbleu

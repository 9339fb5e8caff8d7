// The weights of sparse features: the store, its files, and vectors of named features.
#include <nanobind/stl/shared_ptr.h>

#include <algorithm>

#include "bind/bind.h"
#include "tunesmith/weights/feature_vector.h"
#include "tunesmith/weights/file.h"
#include "tunesmith/weights/lines.h"
#include "tunesmith/weights/mapped.h"

namespace tunesmith::bind {

namespace {

using weights::FeatureVector;
using weights::WeightRecord;
using weights::WeightStore;

std::vector<std::string_view> strings(const TextColumn& names, size_t begin, size_t end) {
  std::vector<std::string_view> result;
  for (size_t i = begin; i < end; ++i) result.push_back(names[i]);
  return result;
}

template <class T>
NewVector<T> copied(std::span<const T> values) {
  return to_numpy(std::vector<T>(values.begin(), values.end()));
}

template <class T>
NewVector<T> column(const WeightStore& store, T WeightRecord::* field) {
  std::vector<T> values(store.size());
  for (size_t i = 0; i < values.size(); ++i) values[i] = store.record(static_cast<uint32_t>(i)).*field;
  return to_numpy(std::move(values));
}

void check_sizes(size_t names, size_t values) {
  if (names != values)
    throw InputError("there are " + std::to_string(names) + " names for " + std::to_string(values) +
                     " values");
}

FeatureVector vector_of(const std::vector<std::string>& names, const Vector<double>& values) {
  check_sizes(names.size(), values.size());
  FeatureVector vector;
  for (size_t i = 0; i < names.size(); ++i) vector.add(names[i], values.data()[i]);
  return vector;
}

void bind_vector(nb::module_& m) {
  nb::class_<FeatureVector>(m, "FeatureVector",
                            "A sparse vector of named features, in order of first appearance.")
      .def(nb::init<>())
      .def_static("of", &vector_of, "names"_a, "values"_a)
      .def("__len__", &FeatureVector::size)
      .def("add", nb::overload_cast<const FeatureVector&, double>(&FeatureVector::add), "other"_a,
           "scale"_a = 1.0, "Add `scale` times another vector.")
      .def("copy", [](const FeatureVector& vector) { return vector; })
      .def("dot", &FeatureVector::dot, "store"_a)
      .def("norm2", &FeatureVector::norm2)
      .def("drop_zeros", &FeatureVector::drop_zeros, "Remove entries whose value is exactly 0.")
      .def("names", [](const FeatureVector& vector) { return strings(vector.names(), 0, vector.size()); })
      .def_prop_ro(
          "keys", [](const FeatureVector& vector) { return copied(vector.keys()); }, nb::rv_policy::move)
      .def_prop_ro(
          "values", [](const FeatureVector& vector) { return copied(vector.values()); }, nb::rv_policy::move)
      .def("collisions", [](const FeatureVector& vector) { return vector.collisions().all(); })
      .def("__getstate__",
           [](const FeatureVector& vector) {
             return std::make_pair(strings(vector.names(), 0, vector.size()), copied(vector.values()));
           })
      .def("__setstate__",
           [](FeatureVector& vector, const std::pair<std::vector<std::string>, Vector<double>>& state) {
             new (&vector) FeatureVector(vector_of(state.first, state.second));
           });
}

void set_weights(WeightStore& store, const Vector<uint8_t>& blob, const Vector<int64_t>& offsets,
                 const Vector<double>& values) {
  const Texts names = texts(blob, offsets);
  check_sizes(names.size(), values.size());
  without_gil([&] {
    for (size_t i = 0; i < names.size(); ++i) store.set(names[i], values.data()[i]);
  });
}

uint32_t checked(const WeightStore& store, uint32_t number) {
  if (number >= store.size())
    throw InputError("there is no feature " + std::to_string(number) + " among " +
                     std::to_string(store.size()));
  return number;
}

NewVector<double> weights_of(const WeightStore& store, const Vector<uint32_t>& numbers) {
  std::vector<double> values;
  values.reserve(numbers.size());
  for (const uint32_t number : view(numbers)) values.push_back(store.weight(checked(store, number)));
  return to_numpy(std::move(values));
}

std::vector<std::string_view> names_of(const WeightStore& store, const Vector<uint32_t>& numbers) {
  std::vector<std::string_view> names;
  for (const uint32_t number : view(numbers)) names.push_back(store.name(checked(store, number)));
  return names;
}

nb::tuple memory_of(const WeightStore& store, const Vector<uint32_t>& numbers) {
  std::vector<double> rates, drifts;
  std::vector<int64_t> last_steps;
  for (const uint32_t number : view(numbers)) {
    const WeightRecord& record = store.record(checked(store, number));
    rates.push_back(record.rate);
    drifts.push_back(record.drift);
    last_steps.push_back(record.last);
  }
  return nb::make_tuple(to_numpy(std::move(rates)), to_numpy(std::move(drifts)),
                        to_numpy(std::move(last_steps)));
}

void set_memory(WeightStore& store, const Vector<uint32_t>& numbers, const Vector<double>& rates,
                const Vector<double>& drifts, const Vector<int64_t>& last_steps) {
  check_sizes(numbers.size(), rates.size());
  check_sizes(numbers.size(), drifts.size());
  check_sizes(numbers.size(), last_steps.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    store.set_memory(checked(store, numbers.data()[i]), rates.data()[i], drifts.data()[i],
                     last_steps.data()[i]);
  }
}

/// Numbers of the named features, -1 for those that are absent.
NewVector<int64_t> find_features(const WeightStore& store, const Vector<uint8_t>& blob,
                                 const Vector<int64_t>& offsets) {
  const Texts names = texts(blob, offsets);
  std::vector<int64_t> numbers(names.size(), -1);
  without_gil([&] {
    for (size_t i = 0; i < names.size(); ++i) {
      const uint32_t number = store.find(weights::key_of(names[i]));
      if (number != WeightStore::kNone && store.name(number) == names[i]) numbers[i] = number;
    }
  });
  return to_numpy(std::move(numbers));
}

nb::object weight_of(const WeightStore& store, std::string_view name) {
  const uint32_t number = store.find(weights::key_of(name));
  const bool is_there = number != WeightStore::kNone && store.name(number) == name;
  return is_there ? nb::object(nb::float_(store.weight(number))) : nb::none();
}

void bind_store(nb::module_& m) {
  nb::class_<WeightStore>(m, "WeightStore", "Weights of named features, changed in place.")
      .def(nb::init<>())
      .def("__len__", &WeightStore::size)
      .def("copy", [](const WeightStore& store) { return store; })
      .def_prop_ro("version", &WeightStore::version)
      .def_prop_ro("memory", &WeightStore::bytes)
      .def("collisions", [](const WeightStore& store) { return store.collisions().all(); })
      .def("weight", &weight_of, "name"_a, nb::sig("def weight(self, name: str) -> float | None"))
      .def("find", &find_features, "blob"_a, "offsets"_a)
      .def("set", &set_weights, "blob"_a, "offsets"_a, "values"_a)
      .def("set_memory", &set_memory, "numbers"_a, "rates"_a, "drifts"_a, "last_steps"_a)
      .def("add", &weights::add_to_weights, "vector"_a, "scale"_a = 1.0,
           "Add `scale` times a vector to the weights.")
      .def("reserve", &WeightStore::reserve, "features"_a, "name_bytes"_a)
      .def(
          "top",
          [](const WeightStore& store, size_t count) {
            return to_numpy(without_gil([&] { return store.top(count); }));
          },
          "count"_a)
      .def(
          "names",
          [](const WeightStore& store, size_t begin, size_t end) {
            return strings(store.names(), std::min(begin, end), std::min(end, store.size()));
          },
          "begin"_a, "end"_a)
      .def("weights_of", &weights_of, "numbers"_a)
      .def("names_of", &names_of, "numbers"_a)
      .def("memory_of", &memory_of, "numbers"_a,
           nb::sig("def memory_of(self, numbers: numpy.typing.NDArray[numpy.uint32]) -> "
                   "tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], "
                   "numpy.typing.NDArray[numpy.int64]]"),
           "Rates, drifts and last steps of features.")
      .def(
          "lines",
          [](const WeightStore& store, size_t begin, size_t end) {
            std::string text;
            weights::append_lines(store, begin, std::min(end, store.size()), text);
            return nb::bytes(text.data(), text.size());
          },
          "begin"_a, "end"_a, "Lines `name value` of features [begin, end).")
      .def("name_arrays",
           [](const WeightStore& store) {
             const TextColumn& names = store.names();
             return std::make_pair(copied<uint8_t>(names.blob), copied<int64_t>(names.offsets));
           })
      .def("keys", [](const WeightStore& store) { return copied<uint64_t>(store.keys()); })
      .def("weights", [](const WeightStore& store) { return column(store, &WeightRecord::weight); })
      .def("rates", [](const WeightStore& store) { return column(store, &WeightRecord::rate); })
      .def("drifts", [](const WeightStore& store) { return column(store, &WeightRecord::drift); })
      .def("last_steps", [](const WeightStore& store) { return column(store, &WeightRecord::last); });
  nb::class_<weights::MappedWeights>(m, "MappedWeights", "Fixed weights in a mapped file, by hashed name.")
      .def(nb::init<const std::string&>(), "path"_a)
      .def("__len__", &weights::MappedWeights::size)
      .def(
          "__getitem__",
          [](const weights::MappedWeights& self, const std::string& name) {
            return self.weight_of(weights::key_of(name));
          },
          "name"_a, "The weight of a feature, 0 if it has none.");
  m.def(
      "write_mapped_weights",
      [](const WeightStore& store, const std::string& path) {
        without_gil([&] { weights::write_mapped_weights(store, path); });
      },
      "store"_a, "path"_a);
  m.def(
      "write_weights",
      [](const WeightStore& store, const std::string& about, const std::string& path) {
        without_gil([&] { weights::write_weights(store, about, path); });
      },
      "store"_a, "about"_a, "path"_a);
  m.def(
      "read_weights",
      [](const std::string& path) {
        weights::WeightFile file = without_gil([&] { return weights::read_weights(path); });
        return std::make_pair(std::make_shared<WeightStore>(std::move(file.store)),
                              nb::bytes(file.about.data(), file.about.size()));
      },
      "path"_a, "A store and the bytes of its record.");
  nb::class_<weights::WeightLineParser>(m, "WeightLineParser")
      .def(nb::init<>())
      .def(
          "feed",
          [](weights::WeightLineParser& parser, const nb::bytes& chunk) {
            const std::string_view text(static_cast<const char*>(chunk.data()), chunk.size());
            without_gil([&] { parser.feed(text); });
          },
          "chunk"_a)
      .def("finish", [](weights::WeightLineParser& parser) {
        without_gil([&] { parser.finish(); });
        return std::make_shared<WeightStore>(parser.take());
      });
}

}  // namespace

void bind_weights(nb::module_& m) {
  bind_vector(m);
  bind_store(m);
}

}  // namespace tunesmith::bind

#include <algorithm>
#include <utility>

#include "bind/bind.h"
#include "tunesmith/base/container.h"
#include "tunesmith/base/mapped_files.h"
#include "tunesmith/base/splitmix.h"

namespace tunesmith::bind {

// In a file that native/build_record.cmake writes.
extern const char* const kBuiltFrom;
extern const char* const kCompiler;

namespace {

using AnyArray = nb::ndarray<nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu, nb::ro>;

struct Type {
  Element element;
  nb::dlpack::dtype type;
};

template <class T>
Type type_of() {
  return {element_of<T>(), nb::dtype<T>()};
}

const std::vector<Type>& types() {
  static const std::vector<Type> all{type_of<uint8_t>(),  type_of<int32_t>(),  type_of<int64_t>(),
                                     type_of<uint16_t>(), type_of<uint32_t>(), type_of<uint64_t>(),
                                     type_of<float>(),    type_of<double>()};
  return all;
}

void write_container(const std::string& path, const std::string& kind, uint32_t version,
                     const std::vector<std::pair<std::string, std::vector<AnyArray>>>& sections) {
  ContainerWriter writer(path, kind, version);
  for (const auto& [name, parts] : sections) {
    bool is_open = false;
    for (const AnyArray& array : parts) {
      const auto type = std::ranges::find(types(), array.dtype(), &Type::type);
      if (type == types().end())
        throw InputError("the section '" + name + "' has an unsupported element type");
      const auto size = static_cast<uint32_t>(array.itemsize());
      if (!std::exchange(is_open, true)) writer.open_section(name, type->element, size);
      writer.append_bytes(array.data(), array.nbytes(), type->element, size);
    }
  }
  writer.finish();
}

nb::object section_array(const std::shared_ptr<Container>& container, const Section& section) {
  auto* keeper = new std::shared_ptr<Container>(container);
  nb::capsule owner(keeper, [](void* p) noexcept { delete static_cast<std::shared_ptr<Container>*>(p); });
  for (const Type& each : types())
    if (each.element == section.element)
      return nb::cast(nb::ndarray<nb::numpy, nb::ro>(
          container->data() + section.begin, {section.bytes / section.element_size}, owner, {}, each.type));
  return nb::none();
}

void add_container(nb::module_& m) {
  m.def("write_container", &write_container, "path"_a, "kind"_a, "version"_a, "sections"_a,
        nb::sig("def write_container(path: str, kind: str, version: int, "
                "sections: collections.abc.Sequence[tuple[str, "
                "collections.abc.Sequence[numpy.typing.NDArray[typing.Any]]]]) -> None"),
        "Writes sections, each the parts of one array in their order.");
  m.def("container_kind", &container_kind, "path"_a);
  m.def(
      "map_container",
      [](const std::string& path, const std::string& kind, uint32_t version) {
        const auto container = without_gil([&] { return std::make_shared<Container>(path, kind, version); });
        nb::dict arrays;
        for (const Section& section : container->sections())
          arrays[section.name] = section_array(container, section);
        return arrays;
      },
      "path"_a, "kind"_a, "version"_a,
      nb::sig("def map_container(path: str, kind: str, version: int) -> dict[str, "
              "numpy.typing.NDArray[typing.Any]]"),
      "The sections of a container file as read-only, memory-mapped arrays.");
  m.def(
      "verify_container",
      [](const std::string& path, const std::string& kind, uint32_t version) {
        without_gil([&] { Container(path, kind, version, false, Verification::kAlways); });
      },
      "path"_a, "kind"_a, "version"_a);
}

void add_mapped_files(nb::module_& m) {
  m.def(
      "release_pages", [](const AnyArray& array) { release_pages(array.data()); }, "array"_a,
      nb::sig("def release_pages(array: numpy.typing.NDArray[typing.Any]) -> None"),
      "Give the pages of the mapped file that an array is in back to the system; nothing for other arrays.");
  m.def("release_idle_memory", &release_idle_memory, nb::call_guard<GilReleased>(),
        "Give back the pages of all mapped files, and the free memory of the heap.");
}

void add_splitmix(nb::module_& m) {
  m.def(
      "list_uniforms",
      [](Vector<int64_t> lists, uint64_t seed) {
        if (lists.size() == 0) throw InputError("offsets must start with 0");
        check_offsets(view(lists), lists.data()[lists.size() - 1], "candidate lists");
        std::vector<double> out(lists.data()[lists.size() - 1]);
        for (size_t list = 0; list + 1 < lists.size(); ++list) {
          SplitMix random(seed, list);
          for (int64_t i = lists.data()[list]; i < lists.data()[list + 1]; ++i) out[i] = random.uniform();
        }
        return to_numpy(std::move(out));
      },
      "lists"_a, "seed"_a,
      "Uniform random numbers in (0, 1), one per candidate; those of a list do not depend on other lists.");
}

void add_build(nb::module_& m) {
  m.def(
      "build_record", [] { return nb::make_tuple(kBuiltFrom, kCompiler); },
      nb::sig("def build_record() -> tuple[str, str]"),
      "A digest of the sources and flags that the module was compiled from, and the compiler.");
}

}  // namespace

void bind_base(nb::module_& m) {
  add_build(m);
  add_container(m);
  add_mapped_files(m);
  add_splitmix(m);
}

}  // namespace tunesmith::bind

// The module `tunesmith._native`. The other files of this folder add their functions to it.
#include "bind.h"

NB_MODULE(_native, m) {
  m.doc() = "The native core of Tunesmith.";
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const tunesmith::InputError& error) {
      nb::object type = nb::module_::import_("tunesmith.errors").attr("InputError");
      nb::object line = error.line() > 0 ? nb::object(nb::int_(error.line())) : nb::none();
      nb::object path = error.path().empty() ? nb::none() : nb::object(nb::str(error.path().c_str()));
      nb::object value = type(error.message(), "path"_a = path, "line"_a = line);
      PyErr_SetObject(type.ptr(), value.ptr());
    }
  });
  for (auto function : tunesmith::bind::Join::all()) function(m);
}

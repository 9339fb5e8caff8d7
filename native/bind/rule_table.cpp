#include "tunesmith/rule_table.h"

#include "corpus.h"
#include "tunesmith/rule_parser.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  nb::class_<RuleParser>(m, "RuleParser", "Reads a Moses rule table or a cdec grammar.")
      .def(nb::init<std::vector<std::string>>(), "moses_names"_a)
      .def(
          "feed", [](RuleParser& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def("finish", [](RuleParser& self) { end(self); })
      .def(
          "write",
          [](RuleParser& self, const std::string& path, const std::string& meta) {
            nb::gil_scoped_release release;
            self.builder().write(path, meta);
          },
          "path"_a, "meta"_a);

  m.def(
      "check_rule_table",
      [](const std::string& path) {
        nb::gil_scoped_release release;
        RuleTable table(path);
      },
      "path"_a, "Raises InputError unless the file is a rule table whose parts fit together.");
});

}  // namespace tunesmith::bind

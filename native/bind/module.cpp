// The module `tunesmith._native`: one function per family of bindings, in the order of the rooms.
#include "bind/bind.h"

namespace tunesmith::bind {

void bind_base(nb::module_& m);
void bind_weights(nb::module_& m);
void bind_corpus_sentences(nb::module_& m);
void bind_corpus_text(nb::module_& m);
void bind_metrics(nb::module_& m);
void bind_candidates_pool(nb::module_& m);
void bind_candidates_formats(nb::module_& m);
void bind_lm(nb::module_& m);
void bind_lm_mixture(nb::module_& m);
void bind_grammar(nb::module_& m);
void bind_forest_forest(nb::module_& m);
void bind_forest_derivations(nb::module_& m);
void bind_forest_expectations(nb::module_& m);
void bind_forest_transforms(nb::module_& m);
void bind_forest_oracles(nb::module_& m);
void bind_forest_files(nb::module_& m);
void bind_tables_phrase_table(nb::module_& m);
void bind_tables_processing(nb::module_& m);
void bind_align_models(nb::module_& m);
void bind_align_ibm4(nb::module_& m);
void bind_align_lexical_table(nb::module_& m);
void bind_extract_classes(nb::module_& m);
void bind_extract_phrases(nb::module_& m);
void bind_extract_rules(nb::module_& m);
void bind_extract_on_demand(nb::module_& m);
void bind_objectives_lists(nb::module_& m);
void bind_objectives_forests(nb::module_& m);
void bind_optimizers_descent(nb::module_& m);
void bind_optimizers_online(nb::module_& m);
void bind_decode_model(nb::module_& m);
void bind_decode_decoders(nb::module_& m);
void bind_decode_kbest(nb::module_& m);
void bind_decode_python_feature(nb::module_& m);
void bind_decode_events(nb::module_& m);
void bind_decode_templates(nb::module_& m);
void bind_decode_oriented(nb::module_& m);
void bind_xbleu_lists(nb::module_& m);
void bind_xbleu_drafts(nb::module_& m);
void bind_xbleu_training(nb::module_& m);
void bind_xbleu_forests(nb::module_& m);
void bind_reestimate_files(nb::module_& m);
void bind_reestimate_forced(nb::module_& m);
void bind_reestimate_oracles(nb::module_& m);
void bind_reestimate_counting(nb::module_& m);
void bind_reestimate_rules(nb::module_& m);

}  // namespace tunesmith::bind

NB_MODULE(_native, m) {
  m.doc() = "The native core of Tunesmith.";
#ifdef NDEBUG
  // Objects that are alive when Python exits are those in frames of daemon threads, which Python never
  // unwinds: nothing that a user could mend, nor an error in the bindings, as the report would say.
  nb::set_leak_warnings(false);
#endif
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
  using namespace tunesmith::bind;
  bind_base(m);
  bind_weights(m);
  bind_corpus_sentences(m);
  bind_corpus_text(m);
  bind_metrics(m);
  bind_candidates_pool(m);
  bind_candidates_formats(m);
  bind_lm(m);
  bind_lm_mixture(m);
  bind_grammar(m);
  bind_forest_forest(m);
  bind_forest_derivations(m);
  bind_forest_expectations(m);
  bind_forest_transforms(m);
  bind_forest_oracles(m);
  bind_forest_files(m);
  bind_tables_phrase_table(m);
  bind_tables_processing(m);
  bind_align_models(m);
  bind_align_ibm4(m);
  bind_align_lexical_table(m);
  bind_extract_classes(m);
  bind_extract_phrases(m);
  bind_extract_rules(m);
  bind_extract_on_demand(m);
  bind_objectives_lists(m);
  bind_objectives_forests(m);
  bind_optimizers_descent(m);
  bind_optimizers_online(m);
  bind_decode_model(m);
  bind_decode_decoders(m);
  bind_decode_kbest(m);
  bind_decode_python_feature(m);
  bind_decode_events(m);
  bind_decode_templates(m);
  bind_decode_oriented(m);
  bind_xbleu_lists(m);
  bind_xbleu_drafts(m);
  bind_xbleu_training(m);
  bind_xbleu_forests(m);
  bind_reestimate_files(m);
  bind_reestimate_forced(m);
  bind_reestimate_oracles(m);
  bind_reestimate_counting(m);
  bind_reestimate_rules(m);
}

#include "tunesmith/forest/formats/hypergraph_writer.h"

#include "tunesmith/forest/lattice.h"
#include "tunesmith/forest/words.h"

namespace tunesmith::forest::formats {

std::string format_hypergraph(const Forest& forest, bool keep_boundaries) {
  check_feature_names(forest);
  std::vector<std::string> words = escaped_words(forest);
  if (!keep_boundaries)
    for (std::string& word : words) {
      if (word == "<s>") word = "&lt;s&gt;";
      if (word == "</s>") word = "&lt;/s&gt;";
    }
  const std::vector<int64_t> covered = covered_words(forest);
  FeatureSpeller features(forest);
  std::string out = "# target ||| features ||| source-covered\n" + std::to_string(forest.node_count()) + " " +
                    std::to_string(forest.edge_count()) + "\n";
  for (uint32_t node = 0; node < forest.node_count(); ++node) {
    out += "# node " + std::to_string(node) + "\n" +
           std::to_string(forest.last_edge(node) - forest.first_edge(node)) + "\n";
    for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
      for (const grammar::Symbol symbol : forest.target(edge)) {
        if (grammar::is_gap(symbol)) {
          out += '[';
          out += std::to_string(forest.tails(edge)[grammar::gap_index(symbol)]);
          out += ']';
        } else {
          out += words[static_cast<size_t>(symbol)];
        }
        out += ' ';
      }
      out += " ||| ";
      features.append(edge, out);
      out += " ||| " + std::to_string(covered[node]) + "\n";
    }
  }
  return out;
}

}  // namespace tunesmith::forest::formats

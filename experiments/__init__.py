"""The experiments of the papers, a folder each; run from the root of a checkout."""

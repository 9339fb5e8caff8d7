"""Feature templates: what is told of phrase pairs and derivations, by name."""

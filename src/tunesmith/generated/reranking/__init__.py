"""A reranking task: candidate translations of generated sentences by a simulated, imperfect system."""

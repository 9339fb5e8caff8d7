"""A task for rerankers: candidate translations of generated sentences, as an imperfect system makes them."""

"""What is learned from aligned text: lexicon, phrase pairs, reordering, rules, word classes."""

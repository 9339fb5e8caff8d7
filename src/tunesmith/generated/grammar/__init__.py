"""The synchronous grammar: trees that are drawn once and linearized in two languages.

A tree is an abstract syntax; each node has a German and an English linearization. This is a parallel
multiple context-free grammar (Seki et al. 1991, as in Ranta's Grammatical Framework): a synchronous
grammar whose constituents may be discontinuous, as German verbs are.
"""

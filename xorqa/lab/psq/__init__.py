"""Probabilistic structured queries: search with all translations of each word of a question.

Darwish and Oard 2003. It adds the retriever `psq` and the example config `psq`; their table of
translation probabilities is made by `xorqa train lexicon --probabilities`.

Commands: none of its own; `xorqa run psq`, `xorqa index --retriever psq`.
Page: docs/concepts.md.
"""

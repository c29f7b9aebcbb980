"""The cost of an index, of mining and of a ranker or reader, predicted from a small sample.

Time, memory and disk by laws that are fitted to two measured sizes.

Commands: `xorqa plan`.
Page: docs/large-corpora.md.
"""

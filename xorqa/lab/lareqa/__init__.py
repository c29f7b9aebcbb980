"""LAReQA: retrieval from one pool of all languages, and the language bias of an encoder.

Roy et al. 2020, sections 3 and 5; XTREME-R's mAP@20 (Ruder et al. 2021).

Commands: `xorqa lareqa`.
Page: docs/language-bias.md.
"""

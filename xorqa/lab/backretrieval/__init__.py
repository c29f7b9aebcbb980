"""Backretrieval: how well an encoder aligns two languages, measured through images.

Fain et al. 2021, "Backretrieval". Captions, image encoders, heads for documents with titles and
bodies, the measure and its study.

Commands: `xorqa backretrieval`, `xorqa blind-trial`, `xorqa train document-head`,
`xorqa train image-encoder`.
Page: docs/alignment.md.
"""

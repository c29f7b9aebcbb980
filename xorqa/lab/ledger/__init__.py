"""Where points are lost: each stage is replaced by its oracle in turn; abstention, citations.

XOR QA (Asai et al. 2021, section 4.5, Tables 15 to 17).

Commands: `xorqa report`, `xorqa ledger`, `xorqa eval attribution`, `xorqa eval abstention`,
`xorqa eval back-translation`, `xorqa eval translation`.
Page: docs/experiments.md.
"""

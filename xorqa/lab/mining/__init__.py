"""Sentence pairs mined from two collections, and the retrieval tasks that measure it.

Artetxe and Schwenk 2019 (margins); MLQA (Lewis et al. 2020, section 2.1); XTREME-R (Ruder et al.
2021): Tatoeba, Mewsli-X; XTREME (Hu et al. 2020): BUCC.

Commands: `xorqa mine`, `xorqa eval tatoeba`, `xorqa eval xsim`, `xorqa eval bucc`,
`xorqa eval mewsli-x`, `xorqa eval mewsli-x-retrieval`.
Page: docs/data.md.
"""

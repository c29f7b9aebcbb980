"""Training: readers, rankers, encoders, translators, choosers, and the data they learn from.

DPR (Karpukhin et al. 2020), LAReQA (Roy et al. 2020, section 4), MLQA's translate-train (Lewis et
al. 2020, section 4). The questions in 17 languages are ours.

Commands: `xorqa train`, `xorqa transform`, `xorqa data distant`, `xorqa data synthetic`,
`xorqa data multilingual-questions`, `xorqa data retrieved`, `xorqa models convert`,
`xorqa translate import`, `xorqa translate train`.
Page: docs/training.md.
"""

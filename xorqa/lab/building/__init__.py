"""Building data sets for evaluation: annotation tasks, and their checked import.

MLQA (Lewis et al. 2020, section 2.2), XOR QA (Asai et al. 2021, section 2.1) and LAReQA's pools
(Roy et al. 2020, section 3).

Commands: `xorqa build`, `xorqa data check`, `xorqa data export`.
Page: docs/make-a-data-set.md.
"""

"""Results split by features of the questions, and compared between systems.

XTREME-R (Ruder et al. 2021): bucketed analysis with ExplainaBoard's features.

Commands: `xorqa diagnose`.
Page: docs/diagnosis.md.
"""

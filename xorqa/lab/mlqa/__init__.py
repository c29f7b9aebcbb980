"""A reader across languages, given the passages: XLT, G-XLT and break-downs.

MLQA (Lewis et al. 2020, sections 4, 5.1 and 5.3, appendix A).

Commands: `xorqa mlqa`, `xorqa read`, `xorqa eval reader`, `xorqa translate test`.
Page: docs/experiments.md.
"""

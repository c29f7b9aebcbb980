"""Prediction files checked before submission, and systems ranked in a static site.

Published rows of XOR QA, LAReQA, MLQA and XTREME-R stand beside them.

Commands: `xorqa submission`, `xorqa leaderboard`.
Page: docs/leaderboard.md.
"""

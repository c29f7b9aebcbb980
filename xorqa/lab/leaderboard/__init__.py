"""Prediction files checked before submission, and systems ranked in a static site.

The site also has the published rows of XOR QA, LAReQA, MLQA and XTREME-R.

Commands: `xorqa submission`, `xorqa leaderboard`.
Page: docs/leaderboard.md.
"""

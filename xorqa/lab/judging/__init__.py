"""A language model judges answers, and is compared with people.

A verdict cites the judge's model, prompt and agreement.

Commands: `xorqa eval judge`.
Page: docs/generation.md.
"""

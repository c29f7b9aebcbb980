"""Behavioural tests: templates generate cases, a system answers them, and errors are counted.

CheckList (Ribeiro et al. 2020, section 2.2) and XTREME-R's MultiCheckList (Ruder et al. 2021).

Commands: `xorqa checklist`.
Page: docs/checklists.md.
"""

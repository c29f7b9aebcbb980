"""The experiments of the papers, one by one: the commands that repeat them, and the printed values.

`rows/` has a file per paper with a row for each table, figure, equation and system; `printed/` has
its tables. XOR QA (Asai et al. 2021), LAReQA (Roy et al. 2020), MLQA (Lewis et al. 2020), XTREME-R
(Ruder et al. 2021), Backretrieval (Fain et al. 2021).

Commands: `xorqa paper`.
Page: docs/papers.md.
"""

"""Path Retriever: rank all paragraphs of the articles that the first hits come from or link to.

Asai et al. 2020. It adds the ranker `path` and the example config `path`; the links between
articles are files of `xorqa corpus make`.

Commands: none of its own; `xorqa run path`.
Page: docs/experiments.md.
"""

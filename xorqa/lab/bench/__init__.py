"""Measurements of this machine: speed, memory, damaged files and hostile requests.

Each compares with a peer in the same run where there is one.

Commands: `xorqa bench`, `xorqa bench documents`, `xorqa bench documents-day`,
`xorqa bench first-day`, `xorqa bench fuzz`, `xorqa bench known-items`, `xorqa bench mine`,
`xorqa bench noise`, `xorqa bench passages`, `xorqa bench quality`, `xorqa bench update`,
`xorqa eval language-detection`.
Page: docs/results.md.
"""

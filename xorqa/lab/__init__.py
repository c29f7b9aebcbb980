"""Capabilities beside the road from a question to a scored answer, one folder each.

The road never imports them. A folder lists what it adds to xorqa in its module `provides`; without
the folder, its commands are gone and nothing else changes. `common` has what several of them share.
"""

"""What several folders of the lab share: charts, pages, saved runs, files and measures of theirs.

It is ground of the lab, not a capability: it adds nothing to xorqa and imports no other folder, and
the folders that use it work only with it.
"""

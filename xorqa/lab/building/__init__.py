"""Construct data sets: annotation tasks, and their checked import (MLQA, XOR QA)."""

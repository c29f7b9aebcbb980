"""Synthetic English contexts and questions that teach a reader to compare."""

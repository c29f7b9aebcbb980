"""Backretrieval: how well an encoder aligns two languages, measured with images instead of translations."""

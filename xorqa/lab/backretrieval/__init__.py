"""Backretrieval: alignment of two languages in an encoder, measured through images."""

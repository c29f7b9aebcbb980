"""Corpora of others: their layouts, wikitext, and the way from articles to passages."""

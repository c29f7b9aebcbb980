"""Text by language: words, search tokens, sentences, scripts and normal forms."""

"""Our dictionary of English words in 16 languages."""

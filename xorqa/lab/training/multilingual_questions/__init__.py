"""Questions in 17 languages about paragraphs of SQuAD's training set, written for xorqa."""

"""The measurements of `xorqa bench noise`: what annotators' errors do to a data set."""

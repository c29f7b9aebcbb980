"""Behavioural tests: templates make cases, cases are run, errors fill a grid."""

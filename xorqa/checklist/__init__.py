"""Behavioural tests: templates generate cases, a system answers them, errors fill a grid."""

"""Behavioural tests: templates generate cases, a system answers them, and errors are counted."""

"""Texts with images, by language: files of your own and the layouts of published data sets."""

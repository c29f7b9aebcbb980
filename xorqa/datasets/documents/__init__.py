"""Readers of documents: plain text, Markdown, HTML, CSV, PDF and DOCX."""

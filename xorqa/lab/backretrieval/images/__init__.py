"""Images as vectors whose cosine is the images' similarity."""

"""Train a siamese head for documents with titles and bodies on a frozen encoder."""

"""Train a small image encoder on pairs of drawings of the same thing."""

"""Capabilities beside the road, one folder each; the road never imports them."""

"""Questions that git answers."""

"""The wrapper that stands in front of any server: what passes through it, and what it discloses."""

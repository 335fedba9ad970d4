"""The values of an evaluation, and how the values of two paths are joined."""

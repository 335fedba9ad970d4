"""The evaluation: names by slices of their statements, functions by their bodies, branches that are joined."""

"""Where things stand in source: what a migration edits, and where values come from."""

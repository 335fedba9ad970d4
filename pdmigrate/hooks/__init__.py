"""What hooks run: commands that answer without importing much."""

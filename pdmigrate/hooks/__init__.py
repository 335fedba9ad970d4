"""The commands that hooks run: they answer without importing much."""

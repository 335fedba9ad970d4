"""The entry points of the hooks, which answer without importing much."""

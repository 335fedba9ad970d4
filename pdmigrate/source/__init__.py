"""Reading a tree: which files matter, what their bytes say, and their syntax."""

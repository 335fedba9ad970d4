"""The generated module: rendered, and what it will answer."""

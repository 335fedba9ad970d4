"""The generated module: its source, and the answers it will give."""

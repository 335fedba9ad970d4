"""Built-in functions, and the methods of built-in types."""

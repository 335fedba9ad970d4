"""The language itself: statements, expressions, calls, classes, attributes."""

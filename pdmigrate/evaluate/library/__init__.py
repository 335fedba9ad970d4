"""What the evaluator knows of the standard library, and of what programs read at start."""

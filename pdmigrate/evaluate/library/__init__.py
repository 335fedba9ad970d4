"""What the evaluator knows of the standard library, and of the files and modules that programs read at start."""

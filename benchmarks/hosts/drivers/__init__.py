"""Programs that run in the environments of frameworks, one file for each; they import nothing of this project."""

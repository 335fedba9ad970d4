"""Understanding a program by following the demand: a question evaluates what its answer needs, and nothing else."""

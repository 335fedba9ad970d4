"""Classes, models and annotations of the program, as data from which real types are built."""

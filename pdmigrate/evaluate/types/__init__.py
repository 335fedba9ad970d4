"""Classes, models and annotations of the program, as data that real types are built from."""

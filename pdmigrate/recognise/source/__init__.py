"""What the syntax of a program says of its servers: the calls that may make one, and the code around those."""

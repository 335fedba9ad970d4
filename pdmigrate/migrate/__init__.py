"""What becomes of a server: a plan, its comparison with what is there, and its writing."""

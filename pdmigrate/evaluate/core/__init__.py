"""What an abstract run is made of: values, its state, its budget, and why something is not known."""

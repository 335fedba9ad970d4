"""Whether code, description files and generated module agree: a plan that must be empty, and findings if it is not."""

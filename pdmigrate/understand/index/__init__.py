"""What the source text says, before anything is evaluated: modules, the names they bind, and who mentions what."""

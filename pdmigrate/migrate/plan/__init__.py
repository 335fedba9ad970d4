"""Plans: everything that a command would do to a project, as one immutable value."""

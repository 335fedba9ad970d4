"""Description files, and the summaries that stubs carry."""

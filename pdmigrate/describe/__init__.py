"""Description files: their form, and the summaries that stubs carry."""

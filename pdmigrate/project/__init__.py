"""A project as planning sees it: its servers, and what its files say about how it is built, run and tested."""

"""A project as planning sees it: its servers, and what its files say of how they are built, run and tested."""

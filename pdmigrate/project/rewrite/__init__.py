"""Edits of the user's code: stubs in place of literals, and the import and call that enable a server."""

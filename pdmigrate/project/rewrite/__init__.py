"""Edits of the user's code: stubs in place of literals, and the import and call that enable a server."""

from __future__ import annotations

from pdmigrate.project.rewrite.stubbing import stub_edits, stub_findings

__all__ = ["stub_edits", "stub_findings"]

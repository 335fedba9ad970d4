"""What an SDK lists for a function that is only described: its signature in, the fields of ``tools/list`` out."""

from __future__ import annotations

from pdmigrate.schemas.signatures.fields import tool_fields

__all__ = ["tool_fields"]

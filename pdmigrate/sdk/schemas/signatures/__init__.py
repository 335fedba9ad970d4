"""The fields of ``tools/list`` that an SDK makes of a function, given as a spec of its signature."""

from __future__ import annotations

from pdmigrate.sdk.schemas.signatures.fields import tool_fields

__all__ = ["tool_fields"]

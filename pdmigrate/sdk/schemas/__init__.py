"""JSON Schemas of types that are given as specs: no code of the target runs."""

from __future__ import annotations

from pdmigrate.sdk.schemas.schema import json_schema, model_fields
from pdmigrate.sdk.schemas.versions import agrees

__all__ = ["agrees", "json_schema", "model_fields"]

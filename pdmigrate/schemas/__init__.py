"""JSON Schemas of types that are given as specs: no code of the target runs."""

from __future__ import annotations

from pdmigrate.schemas.schema import model_fields, model_json_schema, type_adapter_json_schema
from pdmigrate.schemas.versions import agrees

__all__ = ["agrees", "model_fields", "model_json_schema", "type_adapter_json_schema"]

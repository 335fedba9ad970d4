"""JSON Schemas of types that are given as specs: no code of the target runs."""

from __future__ import annotations

from pdmigrate.sdk.schemas.schema import model_fields, model_json_schema, type_adapter_json_schema
from pdmigrate.sdk.schemas.versions import agrees

__all__ = ["agrees", "model_fields", "model_json_schema", "type_adapter_json_schema"]

"""JSON Schemas of types that are only described: specs in, schemas out, and no code of the target runs."""

from __future__ import annotations

"""JSON Schema from pydantic, with a short way for the defaults that are JSON already.

Pydantic makes a validator and a serializer for every default to encode it, which is a tenth of the time of a schema.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic.json_schema import GenerateJsonSchema

_ENCODED = frozenset({type(None), bool, int, str})
"""Types that no setting of pydantic encodes in another way than as they are."""


@cache
def generator() -> type[GenerateJsonSchema]:
    """The class to be given as ``schema_generator``."""
    from pydantic.json_schema import GenerateJsonSchema

    class Generator(GenerateJsonSchema):
        def encode_default(self, dft: Any) -> Any:
            return dft if type(dft) in _ENCODED else super().encode_default(dft)

    return Generator

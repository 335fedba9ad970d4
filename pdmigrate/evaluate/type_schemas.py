"""JSON Schemas from the program's own classes and annotations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate import reasons
from pdmigrate.evaluate.values import Arguments, BoundMethod, ClassValue, Native, Value

if TYPE_CHECKING:
    from pdmigrate.evaluate.interpreter import Interpreter


def schema_method(cls: ClassValue, name: str) -> Value:
    """``cls.model_json_schema``"""

    def schema(_run: Interpreter, arguments: Arguments) -> Value:
        return reasons.unknown(reasons.UNSUPPORTED, f"{name} of {cls.name}", arguments.place)

    return BoundMethod(Native(name, schema), cls)

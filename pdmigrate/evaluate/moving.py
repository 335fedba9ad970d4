"""Whether a tool's definition can move from code to a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pdmigrate.model import Field, Fixed, Movable

if TYPE_CHECKING:
    from pdmigrate.evaluate.interpreter import Interpreter
    from pdmigrate.evaluate.values import SdkObject

COMPUTED = "PD320"


def declaration_of(_run: Interpreter, _tool: SdkObject, _fields: Mapping[str, Field]) -> Movable | Fixed:
    return Fixed("its text is computed", COMPUTED)

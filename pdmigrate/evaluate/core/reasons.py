"""Why a value is not known: one code for each kind of reason."""

from __future__ import annotations

from pdmigrate.evaluate.core.values import Place, UnknownValue

ENVIRONMENT = "PD301"
ARGUMENTS = "PD302"
INPUT_OUTPUT = "PD303"
VOLATILE = "PD304"
PLATFORM = "PD305"
OUTSIDE = "PD306"
UNSUPPORTED = "PD307"
BUDGET = "PD308"
MUTATED = "PD309"
CONDITION = "PD310"
INVALID = "PD311"
FAILS = "PD312"

REQUEST = "the request of the client"
"""The reason of every unknown argument that the SDK passes to a handler."""


def request() -> UnknownValue:
    """What the SDK passes to a handler for a request."""
    return UnknownValue(REQUEST, ARGUMENTS)


def unknown(code: str, reason: str, place: Place | None = None) -> UnknownValue:
    return UnknownValue(reason, code, place)

"""Why a value is not known: the codes of the findings that say so."""

from __future__ import annotations

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

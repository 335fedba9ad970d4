"""The evaluator's values: immutable scalars, mutable objects with identity, and unknown values with a reason.

A value never equals another by accident: Python's ``==`` on these classes is identity; equality in the evaluated
program is ``operators.equal``.  Every mutable object can be saved and restored, so that branches whose condition is not
known can be run one after the other and joined (``state.py``).

This module defines nothing: it is the one place from which all kinds of values are imported.
"""

from __future__ import annotations

from pdmigrate.evaluate.core.base import *
from pdmigrate.evaluate.core.calling import *
from pdmigrate.evaluate.core.immutable import *
from pdmigrate.evaluate.core.mutable import *
from pdmigrate.evaluate.core.objects import *

"""``enum``"""

from __future__ import annotations

from pdmigrate.evaluate.core.natives import declare
from pdmigrate.evaluate.core.values import Origin
from pdmigrate.evaluate.language.classes import AutoValue

declare({"enum.auto": lambda _run, arguments: AutoValue(origin=Origin("auto()", arguments.place))})

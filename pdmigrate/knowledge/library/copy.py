"""``copy``"""

from __future__ import annotations

from pdmigrate.evaluate.core.natives import declare, first_argument, settled
from pdmigrate.evaluate.language.copying import deep_copy, shallow_copy

declare(
    {
        "copy.copy": lambda run, arguments: shallow_copy(settled(first_argument(run, arguments))),
        "copy.deepcopy": lambda run, arguments: deep_copy(settled(first_argument(run, arguments))),
    }
)

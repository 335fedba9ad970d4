"""All that enters its functions in the tables of ``demand.run``: import this module before evaluating anything."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from pdmigrate.understand import demand, library, servers

ALL = tuple(
    import_module(f"{room.__name__}.{module.name}")
    for room in (demand, library, servers)
    for module in iter_modules(room.__path__)
)

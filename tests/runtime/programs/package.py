"""Imports all of ``pdmigrate``, and with it the libraries that its commands use."""

from __future__ import annotations

import importlib
import pkgutil

import pdmigrate

for module in pkgutil.walk_packages(pdmigrate.__path__, "pdmigrate."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)

"""``python -m pdmigrate``."""

from __future__ import annotations

import os
import sys

# Python searches the current folder first for modules. It may hold the target, whose code must never be imported.
if sys.path[:1] in ([""], [os.getcwd()]):  # noqa: PTH109 - pathlib would be imported from that folder
    del sys.path[0]

from pdmigrate.cli import main

if __name__ == "__main__":
    main()

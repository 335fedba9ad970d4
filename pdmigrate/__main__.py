"""``python -m pdmigrate``."""

from __future__ import annotations

import os
import sys

# Python looks for modules in the current folder first, which may be the target's: nothing of it may be imported.
if sys.path[:1] in ([""], [os.getcwd()]):  # noqa: PTH109 - pathlib would be imported from that folder
    del sys.path[0]

from pdmigrate.cli import main

if __name__ == "__main__":
    main()

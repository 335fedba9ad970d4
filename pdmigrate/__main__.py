"""``python -m pdmigrate``."""

from __future__ import annotations

from pdmigrate.cli import main

if __name__ == "__main__":
    main()

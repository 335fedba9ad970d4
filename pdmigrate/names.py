"""The names of what pdmigrate writes into a project.  Hooks import this module, so it imports nothing."""

from __future__ import annotations

STATE = ".pdmigrate"
"""The folder with the record of a migration."""
LOCK_PATH = f"{STATE}/lock.json"
MODULE = "progressive_disclosure"
"""The stem of generated modules; the names of generated tests begin with ``test_`` and this stem."""
MARK = b"Made by pdmigrate"
"""A text in the docstring of every generated module (``templates/core.py.j2``)."""
DESCRIPTIONS = "tool_descriptions"
"""The folder of description files."""
SERVER_FILE = "_server.json"
"""The file beside a server's description files that tells the generated module about the server."""
WRAPPED = "wrapped.json"
"""The file in a wrapper's folder that says what it wraps."""


def is_generated(path: str, raw: bytes) -> bool:
    """Whether a file is a generated module, which names the classes of SDKs but makes no server."""
    return path.rpartition("/")[2].startswith(MODULE) and MARK in raw[:2000]

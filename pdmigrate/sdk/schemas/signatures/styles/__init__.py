"""Styles of docstrings, as griffe reads them for fastmcp: each returns what it finds."""

from __future__ import annotations

from pdmigrate.sdk.schemas.signatures.styles.found import Parsed
from pdmigrate.sdk.schemas.signatures.styles.google import google
from pdmigrate.sdk.schemas.signatures.styles.numpydoc import numpydoc
from pdmigrate.sdk.schemas.signatures.styles.sphinx import sphinx

__all__ = ["Parsed", "google", "numpydoc", "sphinx"]

"""The dashdash MCP enhancements, v0.2.0: metadata of a server and of its tools, and the help that is made of it.

This concerns only projects with a table ``[tool.pdmigrate.dashdash]``; in other projects nothing is inferred, served or
checked, unless an export is requested.
"""

from __future__ import annotations

SPEC_VERSION = "0.2.0"
SPEC_URL = "https://github.com/visionik/dashdash"
PREFIX = "dashdash."
"""The prefix that the names of a tool's inferred fields have in ``lifted`` of its description file."""

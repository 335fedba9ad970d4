"""The dashdash MCP enhancements, v0.2.0: metadata of a server and of its tools, and the help that is made of them.

All of it is for projects that have a table ``[tool.pdmigrate.dashdash]``; in other projects nothing is inferred, served
or checked, unless somebody asks for an export.
"""

from __future__ import annotations

SPEC_VERSION = "0.2.0"
SPEC_URL = "https://github.com/visionik/dashdash"
PREFIX = "dashdash."
"""The prefix of inferred tool fields' names in ``lifted`` of a description file."""

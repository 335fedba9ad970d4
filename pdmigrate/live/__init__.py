"""The running server as a witness: it is asked for its tools, and where source contradicts it, the wire is right.

``ask`` starts (or calls) a server and returns what it lists; ``witnessed`` puts that into a project that was read.  The
rest of pdmigrate works on the result as on any other project.
"""

from __future__ import annotations

from pdmigrate.live.asking import Witness, ask
from pdmigrate.live.projects import without_source, witnessed

__all__ = ["Witness", "ask", "without_source", "witnessed"]

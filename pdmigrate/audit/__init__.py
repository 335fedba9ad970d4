"""Whether a migration is worth its price: what a model is sent before and after it, and when it costs more.

``catalogue.py`` says what a server lists, from source or from the wire; ``economics.py`` counts; ``verdict.py``
decides. Apart from reading ``clients.json``, nothing in this package touches the disk or a server.
"""

from __future__ import annotations

from pdmigrate.audit.catalogue import Catalogue, from_listing, from_server
from pdmigrate.audit.economics import Audit, ToolCost, audited
from pdmigrate.audit.verdict import Verdict

__all__ = ["Audit", "Catalogue", "ToolCost", "Verdict", "audited", "from_listing", "from_server"]

"""A one-file server that stands in front of any other, in any language, and discloses its tools.

``record.py`` says what is wrapped and what that server listed when it was asked; ``files.py`` derives the files of a
wrapper's folder from such a record.  The wrapper itself is ``templates/adapter_relay.py.j2``.
"""

from __future__ import annotations

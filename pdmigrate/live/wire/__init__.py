"""A raw MCP client: it shows exactly what is on the wire, field by field.

An SDK's client would not do.  It validates, normalises and drops what it does not know, which a comparison of two
servers has to see; it refuses servers that are only slightly wrong; and it would have to be installed, in the right
major version, next to the server that is asked.  So this client is the protocol and nothing else, on the standard
library.  This package must not interpret results, and it never touches the user's files.
"""

from __future__ import annotations

from pdmigrate.live.wire.errors import (
    BadAnswerError,
    NoAnswerError,
    RpcError,
    ServerEndedError,
    StartError,
    UnreachableError,
    WireError,
)
from pdmigrate.live.wire.session import Session, connect
from pdmigrate.live.wire.targets import HttpTarget, StdioTarget, Target

__all__ = [
    "BadAnswerError",
    "HttpTarget",
    "NoAnswerError",
    "RpcError",
    "ServerEndedError",
    "Session",
    "StartError",
    "StdioTarget",
    "Target",
    "UnreachableError",
    "WireError",
    "connect",
]

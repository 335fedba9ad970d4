"""A raw MCP client: it shows exactly what is on the wire, field by field.

An SDK's client would not do.  It validates, normalises and drops what it does not know, which a comparison of two
servers has to see; it refuses servers that are only slightly wrong; and it would have to be installed, in the right
major version, next to the server that is asked.  So this client is the protocol and nothing else, on the standard
library.  This package must not interpret results, and it never touches the user's files.
"""

from __future__ import annotations

from pdmigrate.live.wire.errors import BadAnswerError as BadAnswerError
from pdmigrate.live.wire.errors import NoAnswerError as NoAnswerError
from pdmigrate.live.wire.errors import RpcError as RpcError
from pdmigrate.live.wire.errors import ServerEndedError as ServerEndedError
from pdmigrate.live.wire.errors import StartError as StartError
from pdmigrate.live.wire.errors import UnreachableError as UnreachableError
from pdmigrate.live.wire.errors import WireError as WireError
from pdmigrate.live.wire.http import HttpTarget as HttpTarget
from pdmigrate.live.wire.session import Session as Session
from pdmigrate.live.wire.session import Target as Target
from pdmigrate.live.wire.session import connect as connect
from pdmigrate.live.wire.stdio import StdioTarget as StdioTarget

"""What can go wrong between a client and a server, each with its own class and finding code."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pdmigrate.errors import OutsideError
from pdmigrate.model import JsonValue

_USAGE = re.compile(
    r"^usage:|\bmissing (?:sub-?command|command|argument|option)\b|\bno such command\b"
    r"|\barguments are required\b|\bunrecognized arguments\b",
    re.IGNORECASE | re.MULTILINE,
)
_COLOUR = re.compile("\N{REPLACEMENT CHARACTER}\\[[0-9;]*m")
_BOX = "".join(map(chr, range(0x2500, 0x2580))) + " |\t"
"""What draws a box around a line."""


def usage_hint(printed: Iterable[str]) -> str:
    """What to do about a server that ended because of its command line, by the lines that it printed; else empty."""
    lines = [line for raw in printed if any(map(str.isalnum, line := _COLOUR.sub("", raw).strip(_BOX)))]
    if _USAGE.search("\n".join(lines)) is None or any(line.startswith("Traceback (most") for line in lines):
        return ""
    return f'the server says last: "{lines[-1]}"; give its whole command: --live "CMD with its arguments"'


class WireError(OutsideError):
    """The server cannot be talked to; ``message`` ends with what the server printed, if it printed anything."""

    finding = ""
    advice = ""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint or self.advice, code=self.finding or None)


class StartError(WireError):
    """The command could not be started at all."""

    finding = "PD701"
    advice = "check the command: it is run as it stands, without a shell"


class NoAnswerError(WireError):
    """A request got no answer in time."""

    finding = "PD702"
    advice = "give a larger --timeout, or start the server by hand to see what it waits for"


class ServerEndedError(WireError):
    """The server, or the stream of its answer, ended before the answer."""

    finding = "PD703"
    advice = "start the server by hand with the same command to see why it ends"


class BadAnswerError(WireError):
    """The answer is not a message of the protocol."""

    finding = "PD704"
    advice = "check that this is an MCP server and that it prints nothing but messages on stdout"


class UnreachableError(WireError):
    """Nothing answers at the URL, or the server there turns the client away."""

    finding = "PD705"
    advice = "check the URL, that the server is running, and the headers it asks for"


class RpcError(WireError):
    """The server answered with a JSON-RPC error: ``number``, ``text`` and ``data`` are its fields as they were sent."""

    finding = "PD706"
    advice = "send the request by hand in the same environment: the error is the server's own"

    def __init__(self, number: int, text: str, data: JsonValue = None, *, method: str = "") -> None:
        super().__init__(f"the server answers {method or 'the request'} with error {number}: {text}")
        self.number = number
        self.text = text
        self.data = data

"""What can go wrong between a client and a server, each with its own class and finding code."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pdmigrate.errors import OutsideError
from pdmigrate.model import JsonValue

_SECRET = re.compile(r"key|token|secret|passw|credential|cookie|private|dsn|database_url|_pat$|^pat_", re.IGNORECASE)
_SHORTEST = 4


def hidden(text: str, environment: Mapping[str, str]) -> str:
    """What a server printed, without the values of variables that are secret by their names."""
    secrets = {value: name for name, value in environment.items() if _SECRET.search(name) and len(value) >= _SHORTEST}
    for value in sorted(secrets, key=len, reverse=True):
        text = text.replace(value, f"(the value of {secrets[value]})")
    return text


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

"""What must not be sent to clients: credentials, and addresses inside somebody's network."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pdmigrate.model import JsonValue

SECRET = re.compile(
    r"\b(?:sk-[A-Za-z0-9_-]{20,}|gh[pousr]_[A-Za-z0-9]{30,}|AKIA[0-9A-Z]{16}|xox[abprs]-[A-Za-z0-9-]{10,}"
    r"|(?<!-)eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,})|-----BEGIN [A-Z ]*PRIVATE KEY-----"
)
_INNER_HOST = re.compile(
    r"(?:^|[/@\s])(?:localhost|127\.\d+\.\d+\.\d+|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+"
    r"|[\w.-]+\.(?:internal|intranet|corp|local|lan))(?=[:/\s]|$)",
    re.IGNORECASE,
)


def leaks(value: JsonValue) -> Iterator[str]:
    """What metadata holds and must not (5.1): credentials, and addresses inside somebody's network."""
    for text in _texts(value):
        if SECRET.search(text):
            yield "something that looks like a credential"
        elif match := _INNER_HOST.search(text):
            yield f"an address inside a network ({match[0].strip(' /@')})"


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)

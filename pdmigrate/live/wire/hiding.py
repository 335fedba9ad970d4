"""What a server printed, without the values of secret variables."""

from __future__ import annotations

import re
from collections.abc import Mapping

SECRET = re.compile(r"key|token|secret|passw|credential|cookie|private|dsn|database_url|_pat$|^pat_", re.IGNORECASE)
"""Matches names of variables whose values are secret."""
_SHORTEST = 4


def hidden(text: str, environment: Mapping[str, str]) -> str:
    """``text`` without the values of secret variables."""
    secrets = {value: name for name, value in environment.items() if SECRET.search(name) and len(value) >= _SHORTEST}
    for value in sorted(secrets, key=len, reverse=True):
        text = text.replace(value, f"(the value of {secrets[value]})")
    return text


def dotenv(text: str) -> dict[str, str]:
    """The variables of a ``.env`` file."""
    lines = (line.strip().removeprefix("export ").partition("=") for line in text.splitlines() if "=" in line)
    return {name.strip(): value.strip().strip("\"'") for name, _, value in lines if not name.startswith("#")}

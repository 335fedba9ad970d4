"""What must not be sent to clients: credentials, and places that only somebody's machine or network knows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from pdmigrate.model import JsonValue

SECRET = re.compile(
    r"\b(?:sk-[A-Za-z0-9_-]{20,}|[rs]k_live_[A-Za-z0-9]{16,}|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}"
    r"|glpat-[A-Za-z0-9_-]{20,}|AKIA[0-9A-Z]{16}|AIza[A-Za-z0-9_-]{35}|xox[abprs]-[A-Za-z0-9-]{10,}|hf_[A-Za-z0-9]{30,}"
    r"|npm_[A-Za-z0-9]{36}|pypi-AgE[A-Za-z0-9_-]{20,}"
    r"|(?<!-)eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,})|-----BEGIN [A-Z ]*PRIVATE KEY-----"
    # postgres://shop:hunter2@db, but no placeholder such as user:password@; no scheme with passwords is longer
    r"|\b[a-z][a-z0-9+.-]{0,30}://[^\s/:@'\"<>{}$]+:(?!(?:pass(?:w(?:or)?d)?|secret|token|pw|xxx+|\*+|\.+)@)[^\s/@'\"<>{}$]+@\w"
)
_OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_HOSTS = (
    rf"10\.{_OCTET}\.{_OCTET}\.{_OCTET}|192\.168\.{_OCTET}\.{_OCTET}|172\.(?:1[6-9]|2\d|3[01])\.{_OCTET}\.{_OCTET}"
    r"|[\w-][\w.-]*\.(?:internal|intranet|corp|local|lan)"
)
_END = r"(?=[:/\s'\"`),;]|\.?(?:\s|$)|$)"

_ANYBODY = r"(?!(?:user(?:name)?|you(?:r[-_]?name)?|me|name|foo|example)\b|<|\$|\{)"
PLACE = re.compile(
    rf"(?:/home/|/Users/|[A-Z]:\\{{1,2}}Users\\{{1,2}}){_ANYBODY}[A-Za-z0-9._-]+"
    rf"|(?<![\w./~-])/(?:root|srv|mnt)/{_ANYBODY}[\w.-]+"  # folders of one machine
    r"|(?<![\\\w])\\\\[A-Za-z][A-Za-z0-9.-]+\\[A-Za-z][\w$-]*"  # \\server\share
    # a private address, but no block of addresses (10.0.0.0/16)
    rf"|(?<=[/@\s'\"`(])(?:{_HOSTS})(?!/\d){_END}",
    re.IGNORECASE,
)
"""A path of one machine, or a host of one network; this machine itself (``localhost``) is the same for everybody."""
_INNER = re.compile(rf"{PLACE.pattern}|(?<=[/@\s'\"`(])(?:localhost|127\.\d+\.\d+\.\d+){_END}", re.IGNORECASE)


def leaks(value: JsonValue) -> Iterator[str]:
    """What metadata holds and must not (5.1): credentials, and addresses inside somebody's machine or network."""
    text = json.dumps(value, ensure_ascii=False, default=str)  # TOML has dates, too
    if SECRET.search(text):
        yield "something that looks like a credential"
    if match := _INNER.search(text):
        yield f"a place of one machine or network ({match[0]})"

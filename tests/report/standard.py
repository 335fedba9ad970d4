"""SARIF 2.1.0 by the schema that goes with the standard; the NOTICE beside it says where it is from."""

from __future__ import annotations

import json
import re
from pathlib import Path

from jsonschema import Draft4Validator, FormatChecker

_FORMATS = FormatChecker(())


@_FORMATS.checks("uri-reference")
@_FORMATS.checks("uri")
def _is_uri(value: object) -> bool:
    """The characters of RFC 3986, and no stray percent sign: jsonschema checks neither without one more package."""
    return not isinstance(value, str) or bool(re.fullmatch(r"(?:[\w.~:/?#@!$&'()*+,;=-]|%[0-9A-F]{2})*", value, re.A))


_SCHEMA = json.loads((Path(__file__).parent / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
SARIF = Draft4Validator(_SCHEMA, format_checker=_FORMATS)

"""Functions and constants of the standard library that are the same everywhere, and are used as they are."""

from __future__ import annotations

import datetime
import html
import inspect
import math
import shlex
import string
import textwrap
import urllib.parse

from pdmigrate.evaluate.core.natives import NAMES, declare_plain
from pdmigrate.evaluate.core.values import const

declare_plain(
    *(textwrap.dedent, inspect.cleandoc, html.escape, html.unescape, shlex.quote, datetime.timedelta),
    *(urllib.parse.quote, urllib.parse.quote_plus, urllib.parse.urljoin, urllib.parse.unquote, urllib.parse.parse_qs),
)
_TEXTS = [name for name in string.__all__ if isinstance(getattr(string, name), str)]
NAMES.update({f"string.{name}": const(getattr(string, name)) for name in _TEXTS})
NAMES.update({f"math.{name}": const(getattr(math, name)) for name in ("pi", "e", "tau", "inf", "nan")})

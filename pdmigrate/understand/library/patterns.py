"""Regular expressions on texts that are known: what servers make names and descriptions of."""

from __future__ import annotations

import re
from functools import partial

from pdmigrate.understand.demand.attributes import RESULT_RULES
from pdmigrate.understand.demand.run import Run
from pdmigrate.understand.library.builtins import on_plain
from pdmigrate.understand.library.calling import library
from pdmigrate.understand.values.calls import Arguments, Native
from pdmigrate.understand.values.core import Value
from pdmigrate.understand.values.objects import text_of
from pdmigrate.understand.values.outside import Called

_METHODS = {"sub": re.sub, "split": re.split, "findall": re.findall}
_LONGEST = 20_000
"""The longest text that is searched."""
_REPEATED = re.compile(r"\)[*+{]")
"""A group that is repeated: such a pattern may take for ever."""


def _on_texts(run: Run, name: str, arguments: Arguments) -> Value:
    texts = [text_of(item) or "" for item in arguments.all]
    if not texts or max(map(len, texts)) > _LONGEST or len(texts[0]) > 200 or _REPEATED.search(texts[0]):
        return run.risky(f"re.{name}() of this", *arguments.all)
    run.step(sum(map(len, texts)) // 16)
    return on_plain(run, _METHODS[name], arguments)


def _of_compiled(_run: Run, value: Called, name: str) -> Value | None:
    if value.callee != "re.compile" or name not in _METHODS or len(value.args) != 1 or value.kwargs:
        return None
    return Native(name, lambda run, arguments: _on_texts(run, name, arguments.behind(value.args[0])))


for _name in _METHODS:
    library(f"re.{_name}")(partial(lambda name, run, arguments: _on_texts(run, name, arguments), _name))
library("re.escape")(lambda run, arguments: on_plain(run, re.escape, arguments))
RESULT_RULES.append(_of_compiled)

"""Runs programs for real: one JSON line with a program in, one line with its variables in every environment out."""

from __future__ import annotations

import enum
import json
import os
import resource
import signal
import sys
import types
from collections.abc import Callable
from typing import Any

ENVIRONMENTS: tuple[dict[str, str], ...] = ({}, {"PD_A": "x"}, {"PD_B": "1"}, {"PD_A": "", "PD_B": "1"})


SECONDS = 4
OTHER = ["?"]


def encode(value: Any, depth: int = 0) -> list[Any]:
    """``["i", "3"]``, ``["l", [...]]``; a value that is none of the built-in kinds is ``["?"]``."""
    if isinstance(value, enum.Enum):
        return encode(value.value) if isinstance(value, (str, int)) else OTHER
    if depth > 30:
        return OTHER
    if isinstance(value, int) and value.bit_length() > 8_000:
        return OTHER
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return [type(value).__name__, repr(value)]
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return [type(value).__name__, [encode(item, depth + 1) for item in value]]
    if isinstance(value, dict):
        return ["dict", [[encode(k, depth + 1), encode(v, depth + 1)] for k, v in value.items()]]
    if isinstance(value, (set, frozenset)):
        return ["set", sorted((encode(item, depth + 1) for item in value), key=repr)]
    return OTHER


def variables(source: str, environment: dict[str, str]) -> dict[str, Any]:
    """What the module's ``v...`` names are bound to; ``error`` when the program raises."""
    for name in ("PD_A", "PD_B"):
        os.environ.pop(name, None)
    os.environ.update(environment)
    sys.modules["program"] = types.ModuleType("program")
    names: dict[str, Any] = {"__name__": "program"}
    error = timed(lambda: exec(compile(source, "program.py", "exec", dont_inherit=True), names))
    if error:
        return {"error": error}
    return {name: encode(value) for name, value in names.items() if name[:1] == "v" and name[1:].isdigit()}


def timed(run: Callable[[], None]) -> str:
    """The exception that ``run`` ends with, if it does."""
    try:
        # Again and again: the program itself may catch the first of these exceptions.
        signal.setitimer(signal.ITIMER_REAL, SECONDS, 0.5)
        try:
            run()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever the program raises is its result
        return f"{type(error).__name__}: {error}"
    return ""


def _too_slow(*_: object) -> None:
    raise TimeoutError("the program takes too long")


MEMORY = 2 << 30
"""Bytes; a program that wants more gets a ``MemoryError``."""


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, _too_slow)
    for line in sys.stdin:
        source = json.loads(line)
        # Every program defines FLAG by the environment; only one that looks at either can come out differently.
        varies = source.count("FLAG") > 1 or source.count("PD_") > 1
        wanted = ENVIRONMENTS if varies else ({},)
        answers = [variables(source, environment) for environment in wanted]
        sys.stdout.write(json.dumps(answers) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

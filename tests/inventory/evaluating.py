"""Which programs are evaluated, and not taken from what is remembered."""

from __future__ import annotations

import pytest

from pdmigrate.understand.inventory import program_index
from pdmigrate.understand.inventory.programs import Program


def evaluated_from_now_on(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The programs that this process evaluates itself, as it comes to them."""
    found: list[str] = []
    real = program_index.program

    def program(path: str, *rest: object) -> Program:
        found.append(path)
        return real(path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(program_index, "program", program)
    return found

"""The conditions under which tasks are played."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Condition:
    """How a server is offered to the model; ``policy`` is ``None`` for the server before its migration.

    ``guidance`` is whether the model sees the server's instructions, ``bridge`` whether it sees the bridge: some hosts
    show neither.
    """

    name: str
    policy: str | None
    stubs: str = "skeleton"
    guidance: bool = True
    bridge: bool = True


CONDITIONS = (
    Condition("before", None),
    Condition("before, no instructions", None, guidance=False),
    Condition("advise", "advise"),
    Condition("enforce", "enforce"),
    Condition("strict", "strict"),
    Condition("advise, open stubs", "advise", stubs="open"),
    Condition("enforce, open stubs", "enforce", stubs="open"),
    Condition("enforce, no instructions", "enforce", guidance=False),
    Condition("advise, no instructions", "advise", guidance=False),
    Condition("enforce, no bridge", "enforce", bridge=False),
)
MAIN = ("before", "advise", "enforce")
"""What is played if nothing else is asked for."""

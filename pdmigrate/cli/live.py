"""``--live CMD`` and ``--url URL``: the options with which a command asks the running server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pdmigrate.cli import targets, terminal
from pdmigrate.errors import UsageError

if TYPE_CHECKING:
    from pdmigrate.live import Witness


@dataclass(frozen=True, slots=True)
class LiveOptions:
    """The options as they were given."""

    command: str | None = None
    url: str | None = None
    env: list[str] | None = None
    header: list[str] | None = None
    timeout: float = 60.0

    def __post_init__(self) -> None:
        if self.command is not None and self.url is not None:
            raise UsageError("--live and --url name two servers", hint="give one of them")
        if not self.wanted and (self.env or self.header):
            raise UsageError("--env and --header are for a running server", hint="name it with --live or --url")
        if self.command is not None and not self.command.strip():
            raise UsageError("--live has no command", hint="give the command that starts the server")
        if self.url is not None and not self.url.startswith(("http://", "https://")):
            raise UsageError(f"{self.url!r} is not an http or https URL", hint="a command is given with --live")
        targets.require_time(self.timeout)

    @property
    def wanted(self) -> bool:
        return self.command is not None or self.url is not None

    def ask(self, folder: Path) -> Witness:
        """What the server lists; a command runs in ``folder``.

        Raises:
            WireError: the server cannot be reached, or does not answer properly.
            UsageError: an option does not have the form that it needs.
        """
        from pdmigrate.live import ask

        variables, headers = targets.pairs("--env", "=", self.env), targets.pairs("--header", ":", self.header)
        target = targets.target(self.command or str(self.url), variables, headers, folder)
        with terminal.working(f"asking {target}"):
            return ask(target, timeout=self.timeout)

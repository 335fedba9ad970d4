"""Ask one server, in one session, and keep every exchange; after a breakdown nothing more is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pdmigrate.live.verify.answers import Answer, Broken, Exchange, NotAsked, Refused, Result
from pdmigrate.live.wire import RpcError, Session, WireError
from pdmigrate.live.wire.session import LISTS
from pdmigrate.model import JsonObject, JsonValue, mapping

T = TypeVar("T")


class Conversation:
    """An initialized session with a name.

    Raises:
        WireError: the session cannot be initialized.
    """

    def __init__(self, name: str, session: Session, protocol: str) -> None:
        self.name = name
        self._session = session
        self.broken: WireError | None = None
        """The error that made the session useless; an error in an answer does not count."""
        self.refused: dict[str, str] = {}
        """The lists that the server offers but does not send, each with the reason."""
        self.server = session.initialize(protocol)

    @property
    def has_session(self) -> bool:
        return self._session.has_session

    def offers(self, capability: str) -> bool:
        """Whether the server declares ``capability``; a client does not ask for what a server does not declare."""
        return isinstance(mapping(self.server.get("capabilities")).get(capability), dict)

    def tools(self) -> tuple[JsonObject, ...]:
        """The listing of tools, without which nothing can be verified.

        Raises:
            WireError: the server does not list its tools.
        """
        return tuple(self._session.list_tools())

    def tools_again(self) -> tuple[JsonObject, ...] | Broken:
        """The listing of tools, for comparison with an earlier one."""
        if self.broken is not None:
            return Broken(self.broken.message)
        found = self._tried(self._session.list_tools)
        return Broken(found.message) if isinstance(found, WireError) else tuple(found)

    def lists(self) -> dict[str, tuple[JsonObject, ...]]:
        """The lists other than that of the tools, by method; empty if the server does not offer or does not send it."""
        return {method: self._listed(method) for method in LISTS if method != "tools/list"}

    def _listed(self, method: str) -> tuple[JsonObject, ...]:
        if self.broken is not None or not self.offers(method.partition("/")[0]):
            return ()
        found = self._tried(lambda: self._session.listed(method))
        if isinstance(found, WireError):
            self.refused[method] = found.message
            return ()
        return tuple(found)

    def read(self, uri: str) -> Exchange | NotAsked:
        if not self.offers("resources"):
            return NotAsked("the server does not declare the resources capability, so no client reads from it")
        return self.ask("resources/read", {"uri": uri})

    def call(self, name: str, arguments: JsonObject) -> Exchange | NotAsked:
        return self.ask("tools/call", {"name": name, "arguments": arguments})

    def ask(self, method: str, params: dict[str, JsonValue]) -> Exchange | NotAsked:
        """One exchange, whatever the answer; ``NotAsked`` once the session has broken down."""
        if self.broken is not None:
            reason = self.broken.message.splitlines()[0]
            return NotAsked(f"not asked, because an earlier request had no answer: {reason}")
        found = self._tried(lambda: self._session.request(method, params))
        answer: Answer
        if isinstance(found, RpcError):
            answer = Refused(found.number, found.text, found.data)
        else:
            answer = Broken(found.message) if isinstance(found, WireError) else Result(found)
        return Exchange(self.name, method, params, answer)

    def _tried(self, ask: Callable[[], T]) -> T | WireError:
        """What ``ask`` returns, or the error that it raises, which may be the end of the session."""
        try:
            return ask()
        except RpcError as error:
            return error
        except WireError as error:
            self.broken = error
            return error

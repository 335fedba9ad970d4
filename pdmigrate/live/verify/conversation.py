"""Ask one server, in one session, and keep every exchange; after a breakdown nothing more is asked."""

from __future__ import annotations

from pdmigrate.live.verify.answers import Answer, Broken, Exchange, NotAsked, Refused, Result
from pdmigrate.live.wire import RpcError, Session, WireError
from pdmigrate.model import JsonObject, JsonValue, mapping


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
        try:
            return tuple(self._session.list_tools())
        except RpcError as error:
            return Broken(error.message)
        except WireError as error:
            return self._break_down(error)

    def listed(self, method: str) -> tuple[JsonObject, ...]:
        """A list other than that of the tools; empty if the server does not offer it, or does not send it."""
        if self.broken is not None or not self.offers(method.partition("/")[0]):
            return ()
        try:
            return tuple(self._session.listed(method))
        except RpcError as error:
            self.refused[method] = error.message
        except WireError as error:
            self.refused[method] = self._break_down(error).reason
        return ()

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
        return Exchange(self.name, method, params, self._answer(method, params))

    def _answer(self, method: str, params: JsonObject) -> Answer:
        try:
            return Result(self._session.request(method, params))
        except RpcError as error:
            return Refused(error.number, error.text, error.data)
        except WireError as error:
            return self._break_down(error)

    def _break_down(self, error: WireError) -> Broken:
        self.broken = error
        return Broken(error.message)

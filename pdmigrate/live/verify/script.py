"""The interview of a server: a fixed sequence of exchanges in three sessions.

The order is the point.  Two sessions list the tools before they call, as hosts do that keep a session.  In the first, a
tool is called before any fetch, again when only another tool's description was fetched, and again after its own was; it
is called once more in the second, which over HTTP is opened while the first is still alive.  The third session only
calls, as hosts do that open a session for every call and have listed the tools in another session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import TypeVar

from pdmigrate.errors import UsageError
from pdmigrate.live.verify import answers, picks
from pdmigrate.live.verify.answers import Exchange, NotAsked
from pdmigrate.live.verify.model import Interview
from pdmigrate.live.verify.picks import Pick
from pdmigrate.live.wire import RpcError, Session, StdioTarget, Target, WireError, connect
from pdmigrate.live.wire.session import LISTS
from pdmigrate.model import JsonObject, JsonValue, mapping

T = TypeVar("T")

UNKNOWN_TOOL = "pdmigrate_no_such_tool"
BATCH = 20
"""How many tools one fetch asks for when all are fetched: a server may bound the length of a selection."""


class Conversation:
    """An initialized session with a name, in which nothing more is asked after a breakdown.

    Raises WireError if the session cannot be initialized.
    """

    def __init__(self, name: str, session: Session, protocol: str) -> None:
        self.name = name
        self.session = session
        self.broken: WireError | None = None
        """The error that made the session useless; an error in an answer does not count."""
        self.server = session.initialize(protocol)

    def offers(self, capability: str) -> bool:
        """Whether the server declares ``capability``; a client does not ask for what a server does not declare."""
        return isinstance(mapping(self.server.get("capabilities")).get(capability), dict)

    def tools(self) -> tuple[JsonObject, ...]:
        """The listing of tools, without which nothing can be verified.

        Raises WireError if the server does not list its tools.
        """
        return tuple(self.session.list_tools())

    def tools_again(self) -> tuple[JsonObject, ...] | WireError:
        """The listing of tools, for comparison with an earlier one."""
        return self._tried(self.tools) if self.broken is None else self.broken

    def lists(self) -> dict[str, tuple[JsonObject, ...]]:
        """The lists other than that of the tools, by method, as ``Interview`` has them."""
        return {method: self._listed(method) for method in LISTS if method != "tools/list"}

    def _listed(self, method: str) -> tuple[JsonObject, ...]:
        if self.broken is not None or not self.offers(method.partition("/")[0]):
            return ()
        found = self._tried(lambda: self.session.listed(method))
        return ({"error": found.message},) if isinstance(found, WireError) else tuple(found)

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
        return Exchange(self.name, method, params, self._tried(lambda: self.session.request(method, params)))

    def _tried(self, ask: Callable[[], T]) -> T | WireError:
        """What ``ask`` returns, or the error that it raises, which may be the end of the session."""
        try:
            return ask()
        except RpcError as error:
            return error
        except WireError as error:
            self.broken = error
            return error


def interview(
    target: Target, *, chosen: Pick | None, timeout: float, protocol: str, rehearse: Mapping[str, JsonObject]
) -> Interview:
    """Ask a server everything that the checks need to know, in the protocol version ``protocol``.

    ``rehearse`` names tools to call without arguments once they are fetched, with the input schema that each had
    before; the caller has made sure that such calls are harmless.  Raises WireError if the server does not start, or
    does not list its tools; UsageError if the ``chosen`` tool is not in the list.
    """
    stdio = isinstance(target, StdioTarget)
    with ExitStack() as stack:
        first = Conversation("first", stack.enter_context(connect(target, timeout=timeout)), protocol)
        script = _Script(first, chosen, target, timeout, protocol)
        script.before_fetching()
        relisted = script.fetching()
        script.fetching_all()
        rehearsed = script.rehearsing(rehearse)
        bridge = script.find_bridge()
        if stdio:  # two processes share nothing anyway, and a server may not run twice at the same time
            stack.close()
        script.note(first)
        second_listing = script.on_second()
        script.on_fresh()
        script.on_unlisted()
        return Interview(
            target=str(target),
            transport="stdio" if stdio else "http",
            has_session=script.has_session,
            protocol=answers.text_of(first.server.get("protocolVersion")) or protocol,
            server=first.server,
            tools=script.tools,
            lists=script.lists,
            descriptor=script.descriptor,
            resource=script.resource,
            chosen=script.chosen,
            other=script.other,
            bridge=bridge,
            asked=script.asked,
            fetches=tuple(script.fetches),
            relisted=relisted,
            second_listing=second_listing,
            rehearsed=rehearsed,
            unanswered=tuple(script.unanswered),
        )


class _Script:
    """The steps, and what is known after each."""

    def __init__(self, first: Conversation, chosen: Pick | None, target: Target, timeout: float, protocol: str) -> None:
        self._first, self._target, self._timeout, self._protocol = first, target, timeout, protocol
        self.has_session = first.session.has_session
        self.tools = first.tools()
        self.names = [answers.name_of(tool) for tool in self.tools]
        if chosen is not None and chosen.name not in self.names:
            raise UsageError(f"the server lists no tool {chosen.name!r}", hint=f"it lists {', '.join(self.names)}")
        self.lists = first.lists()
        self.descriptor = answers.find_descriptor(self.lists["resources/list"])
        self.resource = answers.text_of((self.descriptor or {}).get("uri")) or answers.DEFAULT
        self.chosen = chosen or picks.pick(self.tools)
        self._bridges = {
            answers.name_of(tool): key for tool in self.tools if (key := picks.bridge_parameter(tool, set(self.names)))
        }
        plain = [name for name in self.names if name not in self._bridges]
        self.main = self.chosen.name if isinstance(self.chosen, Pick) else next(iter(plain), None)
        self.other = next((name for name in plain if name != self.main), None)
        self.fetches: list[Exchange | NotAsked] = []
        self.asked: dict[str, Exchange | NotAsked] = {}
        self.unanswered: list[str] = []

    def note(self, session: Conversation) -> None:
        """Keep what ended ``session`` early, if anything did."""
        if session.broken is not None:
            self.unanswered.append(f"on the {session.name} session: {session.broken.message.splitlines()[0]}")

    def before_fetching(self) -> None:
        self.asked["base"] = self._first.read(answers.base(self.resource))
        self.asked["ungranted"] = self._call(self._first, self._stub_arguments())
        self.asked["again"] = self._gated_call(self._first, self._stub_arguments(), needs=self.main)

    def fetching(self) -> tuple[JsonObject, ...] | WireError:
        """Fetch one tool at a time and call in between, to see what a fetch opens; return a listing after a fetch."""
        unknown = [name for name in (self.other, UNKNOWN_TOOL) if name]
        self.asked["unknown"] = self._first.read(answers.selecting(self.resource, unknown))
        if not self._opened_by_refusal:
            self.asked["still ungranted"] = self._gated_call(self._first, self._stub_arguments(), needs=self.other)
        self.asked["single"] = self._read_of([self.main])
        if not self._opened_by_refusal:
            self.asked["granted"] = self._gated_call(self._first, self._wrong_arguments(), needs=self.main)
        relisted = self._first.tools_again()
        self.asked["other"] = self._read_of([self.other])
        self.asked["case"] = self._read_in_another_case()
        self.asked["persisting"] = self._gated_call(self._first, self._wrong_arguments(), needs=self.main)
        return relisted

    def fetching_all(self) -> None:
        """Fetch two tools together, then all in batches; tools missing from an answer are fetched alone."""
        self.asked["comma"] = self._read_of([self.main, self.other])
        if not self.main or not answers.serves(self.asked["single"], self.main):
            return
        for start in range(0, len(self.names), BATCH):
            batch = self.names[start : start + BATCH]
            self.fetches.append(answer := self._first.read(answers.selecting(self.resource, batch)))
            self.fetches += [self._read_of([name]) for name in batch if not answers.serves(answer, name)]

    def rehearsing(self, tools: Mapping[str, JsonObject]) -> dict[str, Exchange | NotAsked]:
        """Call ``tools`` without arguments, except for the receipts that their fetched definitions ask for."""
        entries = answers.definitions((*self.fetches, self.asked["single"]), self.names)
        schemas = {name: mapping(entries.get(name, {}).get("inputSchema")) for name in self.names}
        listed = ((name, before) for name, before in tools.items() if name in schemas)
        return {name: self._first.call(name, picks.receipts(schemas[name], before)) for name, before in listed}

    def _on(self, name: str, roles: Sequence[str], ask: Callable[[Conversation], T]) -> T | WireError:
        """The result of ``ask`` on a further session; if there is none, that is why ``roles`` were not asked."""
        try:
            with connect(self._target, timeout=self._timeout) as session:
                further = Conversation(name, session, self._protocol)
                result = ask(further)
                self.note(further)
                return result
        except WireError as error:
            reason = f"the {name} session could not be opened: {error.message}".splitlines()[0]
            self.asked.update(dict.fromkeys(roles, NotAsked(reason)))
            self.unanswered.append(reason)
            return error

    def on_second(self) -> tuple[JsonObject, ...] | WireError:
        """The listing of a second session, in which the chosen tool is called too."""

        def ask(second: Conversation) -> tuple[JsonObject, ...] | WireError:
            listing = second.tools_again()
            self.asked["second"] = self._gated_call(second, self._stub_arguments(), needs=self.main)
            self.asked["second with receipt"] = self._call_with_receipt(second)
            return listing

        return self._on("second", ("second", "second with receipt"), ask)

    def on_fresh(self) -> None:
        """What a fetch opens, asked in sessions of their own where a refusal has opened the tool in the first."""
        if not self._opened_by_refusal:
            return

        def ask(fresh: Conversation, role: str, fetched: str | None, arguments: JsonObject) -> None:
            fresh.tools_again()
            fresh.read(answers.selecting(self.resource, [fetched] if fetched else []))
            self.asked[role] = self._gated_call(fresh, arguments, needs=fetched)

        for role, fetched, arguments in (
            ("still ungranted", self.other, self._stub_arguments()),
            ("granted", self.main, self._wrong_arguments()),
        ):
            once = partial(ask, role=role, fetched=fetched, arguments=arguments)
            self._on("fresh", (role,), once)

    def on_unlisted(self) -> None:
        """Call in a session that never asked for the tools, unless no gate answered the first call."""
        untold = self._why_not_called()
        if untold is None and not self.has_session:
            untold = NotAsked("there is no session that could list the tools, or not")
        if untold is not None:
            self.asked["unlisted"] = untold
            return

        def ask(only_calls: Conversation) -> None:
            self.asked["unlisted"] = self._call(only_calls, self._stub_arguments())

        self._on("unlisted", ("unlisted",), ask)

    def find_bridge(self) -> str | None:
        """The tool that answers with definitions; a tool that only looks like a bridge is not exempt from checks."""
        for tool in self.tools:
            name = answers.name_of(tool)
            only_reads = mapping(tool.get("annotations")).get("readOnlyHint") is True
            if name not in self._bridges or self.main is None or not only_reads:
                continue
            answer = self._first.call(name, {self._bridges[name]: [self.main]})
            if isinstance((answers.read(answer).body or {}).get(self.main), dict):
                return name
        return None

    def _call(self, session: Conversation, arguments: JsonObject) -> Exchange | NotAsked:
        if isinstance(self.chosen, NotAsked):
            return self.chosen
        given = self.chosen.arguments
        return session.call(self.chosen.name, arguments if given is None else given)

    @property
    def _opened_by_refusal(self) -> bool:
        """Whether the first refusal opened the tool: the call after it was no longer refused."""
        again = self.asked["again"]
        return self.has_session and isinstance(again, Exchange) and not answers.says(again, answers.REQUIRED)

    def _gated_call(self, session: Conversation, arguments: JsonObject, *, needs: str | None) -> Exchange | NotAsked:
        """A call, made only if a gate answered the first call and the tool that it ``needs`` exists."""
        if (reason := self._why_not_called()) is not None:
            return reason
        return self._call(session, arguments) if needs else NotAsked("the server lists only one tool")

    def _why_not_called(self) -> NotAsked | None:
        """Why no further call is made; ``None`` if a gate answered the first call."""
        ungranted = self.asked["ungranted"]
        if isinstance(ungranted, NotAsked):
            return ungranted
        if not answers.says(ungranted, answers.REQUIRED):
            return NotAsked("no gate answered the first call, so no other was made")
        return None

    def _call_with_receipt(self, session: Conversation) -> Exchange | NotAsked:
        """A call with the receipt that the definition, fetched in another session, asks for."""
        receipt = picks.receipts_beyond(self._definition(), self._stub())
        if not receipt:
            return NotAsked("the definition asks for no receipt")
        return self._gated_call(session, {**self._stub_arguments(), **receipt}, needs=self.main)

    def _read_of(self, names: list[str | None]) -> Exchange | NotAsked:
        wanted = [name for name in names if name]
        if len(wanted) < len(names):
            return NotAsked("the server lists too few tools for this")
        return self._first.read(answers.selecting(self.resource, wanted))

    def _read_in_another_case(self) -> Exchange | NotAsked:
        """A fetch of a name that is no tool's, and differs from one only in upper and lower case."""
        changed = (self.main or "").swapcase()
        if changed in ("", *self.names):
            return NotAsked("no name can be written in another case that is not a tool's, too")
        return self._first.read(answers.selecting(self.resource, [changed]))

    def _stub_arguments(self) -> JsonObject:
        """Arguments that are wrong by the listed schema: if there is no gate, the tool must still not do its work."""
        return picks.wrong_arguments(self._stub())

    def _wrong_arguments(self) -> JsonObject:
        return picks.wrong_arguments(self._definition())

    def _stub(self) -> JsonObject:
        stub = next((tool for tool in self.tools if answers.name_of(tool) == self.main), {})
        return mapping(stub.get("inputSchema"))

    def _definition(self) -> JsonObject:
        entry = answers.definitions([self.asked["single"]], self.names).get(self.main or "", {})
        return mapping(entry.get("inputSchema"))

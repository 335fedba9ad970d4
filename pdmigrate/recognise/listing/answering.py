"""What a server of a decorator family answers to ``tools/list``: the tools on record, unless the program intervenes.

Programs override the method that lists, replace the low-level handler, or add middleware; each of these is evaluated
on the tools that the SDK would list.  Code that cannot be followed makes the fields unknown and the list incomplete.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, unwrapped
from pdmigrate.evaluate.core.budget import BudgetExceededError
from pdmigrate.evaluate.core.frames import AbstractRaise
from pdmigrate.evaluate.core.members import method_of
from pdmigrate.evaluate.core.operations import call, spread
from pdmigrate.evaluate.core.provenance import as_unknown, site_of
from pdmigrate.evaluate.core.python_values import NotPlain
from pdmigrate.evaluate.core.values import (
    NONE,
    BoundMethod,
    Guard,
    Native,
    SdkObject,
    UnknownValue,
    Value,
    const,
    is_sdk,
)
from pdmigrate.evaluate.language.coroutines import awaited
from pdmigrate.families import FASTMCP, MCP1, MCP2
from pdmigrate.model import Field, Site, Unknown
from pdmigrate.recognise.listing.alternatives import one_list
from pdmigrate.recognise.listing.handlers import Listing, list_arguments, middleware_doubt, run_handler
from pdmigrate.recognise.listing.replaying import Replay, list_of, replayed
from pdmigrate.recognise.listing.versioned import Registered
from pdmigrate.recognise.sdk.fields import is_renamed
from pdmigrate.recognise.sdk.objects import list_handler
from pdmigrate.recognise.sdk.wire import tool_fields as values_on_the_wire
from pdmigrate.recognise.servers.methods import DEFAULT, LOW_LEVEL
from pdmigrate.recognise.servers.record import CLASSES, SUBCLASS, as_tool, family_of
from pdmigrate.recognise.servers.tools import WIRE, WireTool, place_of, registered_fields

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


_NOTHING = Listing(())


@dataclass(frozen=True)
class Answered:
    """One tool in the answer to ``tools/list``."""

    key: tuple[int, str]
    """Tells the registration from others of one run: the identity of the function, and the tool's name."""
    fields: dict[str, Field]
    site: Site | None
    conditions: tuple[str, ...] = ()
    doc: str | None = None
    """The docstring of the tool's function; the SDK may leave parts of it out of the description."""

    @property
    def name(self) -> str | None:
        name = self.fields.get("name")
        return name.text if name is not None else None


@dataclass(frozen=True)
class Answer:
    """All tools that the server lists; ``incomplete`` says why there may be more."""

    tools: tuple[Answered, ...]
    incomplete: str | None = None


def answer(run: Interpreter, server: SdkObject) -> Answer:
    """What ``server`` lists in the current state of the program, which is then rolled back."""
    with run.trail.rolled_back():
        replay = replayed(run, server)
        plain = _plain(run, replay)
        try:
            return _through_middleware(run, server, replay, _overridden(run, server) or plain)
        except BudgetExceededError as exceeded:
            reason = f"what the program makes of the list is too complex to evaluate: {run.calls.explained(exceeded)}"
            named_ones = Answer(tuple(tool for tool in plain.tools if tool.name is not None), reason)
            return _doubted(named_ones, reasons.unknown(reasons.BUDGET, reason))


def _plain(run: Interpreter, replay: Replay) -> Answer:
    return Answer(tuple(_answered(run, tool, replay) for tool in replay.tools), replay.incomplete)


def _answered(run: Interpreter, registered: Registered, replay: Replay) -> Answered:
    tool = registered.named
    fields = registered_fields(run, tool)
    if registered.name is None and "name" in fields and fields["name"].unknown is None:
        fields["name"] = Unknown("the name under which it is mounted is not known", reasons.UNSUPPORTED)
    for name, unknown in replay.fields.items():
        if name in WIRE:
            fields[WIRE[name]] = as_unknown(unknown)
    if replay.rewritten is not None:
        fields = forget(fields, replay.rewritten)
    conditions = (*(str(guard) for guard in registered.guards), *registered.doubts)
    site = tool.function.site or site_of(place_of(tool))
    return Answered(_key(tool.value, fields), fields, site, conditions, tool.function.known_doc)


def _key(value: Value, fields: dict[str, Field]) -> tuple[int, str]:
    """What tells registrations apart: one function may be registered under several names."""
    name = fields.get("name")
    return id(value), (name.text if name is not None else None) or ""


def forget(fields: dict[str, Field], unknown: UnknownValue) -> dict[str, Field]:
    """``fields`` with all that the program may have changed made unknown; only the name is still relied on."""
    whole = as_unknown(unknown)
    may_be = ("title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta", "execution")
    return {**fields, **dict.fromkeys(may_be, whole)}


# --- handlers of the program ------------------------------------------------------------------------------------------


def _overridden(run: Interpreter, server: SdkObject) -> Answer | None:
    """The answer of a handler that the program substitutes for the SDK's; ``None`` if there is none."""
    low = server.names.get(LOW_LEVEL, NONE).as_sdk
    handler = list_handler(low, run.versions) if low is not None else None
    if handler is not None and handler.outer_name != DEFAULT:
        return _by_handler(run, handler, list_arguments() if is_renamed(run.versions) else None)
    instance = server.names.get(SUBCLASS)
    for name in family_of(run, CLASSES[server.type]).answering:
        override = _method(instance, name)
        if override is not None:
            return _by_method(run, override, name)
        if name in server.names and server.type != MCP1.type:
            return _unknown_answer(run, server, reasons.unknown(reasons.MUTATED, f"{name} of the server is replaced"))
    return None


def _method(instance: Value | None, name: str) -> BoundMethod | None:
    found = method_of(instance, name)
    return BoundMethod(found, instance) if found is not None and instance is not None else None


def _by_method(run: Interpreter, method: BoundMethod, name: str) -> Answer:
    function = method.function.as_function
    assert function is not None
    taken = [p for p in function.parameters[1:] if p.kind in ("positional", "any") and p.default is None]
    request = reasons.request()
    arguments: tuple[Value, ...] = tuple(request for _ in taken)
    if name == "_handle_list_tools":
        arguments = list_arguments()[: len(taken)]
    return _by_handler(run, method, arguments)


def _by_handler(run: Interpreter, handler: Value, arguments: tuple[Value, ...] | None) -> Answer:
    if arguments is not None and not is_renamed(run.versions):
        return _by_call(run, handler, arguments)
    listing = run_handler(run, handler, arguments)
    if not listing.tools and isinstance(handler, BoundMethod):
        return _by_call(run, handler, arguments or ())
    doubt = (listing.doubt,) if listing.doubt else ()
    tools = tuple(_of_object(run, item.tool, (*(str(g) for g in item.guards), *doubt)) for item in listing.tools)
    return Answer(tools, listing.incomplete)


def _by_call(run: Interpreter, handler: Value, arguments: tuple[Value, ...]) -> Answer:
    with run.collected_risks():
        try:
            with run.assumed.answering():
                result = awaited(run, call(run, handler, arguments))
        except AbstractRaise as raised:
            return Answer((), f"the list handler {raised.outcome}")
        return read_answer(run, result)


def read_answer(run: Interpreter, value: Value) -> Answer:
    """The tools in a result of a list handler: protocol objects or the SDK's own tool objects."""
    for kind, inside in (("mcp.types.ServerResult", "root"), ("mcp.types.ListToolsResult", "tools")):
        if is_sdk(value, kind) and value.rest is None:
            return read_answer(run, value.names.get(inside, NONE))
    if value.branches:
        return joined([(read_answer(run, side), (guard,)) for guard, side in value.branches])
    if value.sequence is None:
        unknown = first_unknown(value)
        return Answer((), unknown.reason if unknown is not None else "the list of tools is not known")
    elements = spread(run, value)
    tools: list[Answered] = []
    incomplete = elements.rest.reason if elements.rest is not None else None
    for item in elements.items:
        found: list[Answered] = []
        for guards, inner in unwrapped(item):
            if is_sdk(inner, "mcp.types.Tool", "a registered tool"):
                found.append(_of_object(run, inner, tuple(map(str, guards))))
            else:
                unknown = first_unknown(inner)
                incomplete = incomplete or (unknown.reason if unknown else "the list holds something that is no tool")
        tools += _as_one(item, found)
    return Answer(tuple(tools), incomplete)


def _as_one(item: Value, found: list[Answered]) -> list[Answered]:
    """Merge the alternatives of one element if all are copies of one tool: the tool is listed in either case."""
    inner = item.element
    if not inner.branches or len({tool.key for tool in found}) > 1 or len(found) < 2:
        return found
    conditions = (str(item.held_if),) if item.held_if is not None else ()
    return [replace(_agreed(found, inner.branches[0][0]), conditions=conditions)]


def _agreed(copies: list[Answered], guard: Guard | None) -> Answered:
    """Merge copies of one tool; fields in which they differ are unknown."""
    first, *others = copies
    reason, code = "the server is started in more than one way", reasons.CONDITION
    if guard is not None:
        reason, code = f"it depends on {guard.question}: {guard.unknown.root}", guard.unknown.code
    fields: dict[str, Field] = {}
    for name in dict.fromkeys(name for copy in copies for name in copy.fields):
        field = first.fields.get(name)
        settled = field is not None and (field.unknown or all(field.same_as(copy.fields.get(name)) for copy in others))
        fields[name] = field if field is not None and settled else Unknown(reason, code, site=first.site)
    return replace(first, fields=fields)


def _of_object(run: Interpreter, tool: SdkObject, conditions: tuple[str, ...]) -> Answered:
    if (registered := as_tool(tool)) is not None:
        site = registered.function.site or site_of(place_of(registered))
        fields = registered_fields(run, registered)
        return Answered(_key(registered.value, fields), fields, site, conditions, registered.function.known_doc)
    made = tool.made_from if isinstance(tool, WireTool) else None
    fields = values_on_the_wire(tool, run.versions)
    site = made.function.site if made is not None else None
    doc = made.function.known_doc if made is not None else None
    return Answered(_key(made.value if made else tool, fields), fields, site or site_of(tool.place), conditions, doc)


def _unknown_answer(run: Interpreter, server: SdkObject, unknown: UnknownValue) -> Answer:
    """The tools that the SDK would list, of which only the names are relied on."""
    return _doubted(_plain(run, replayed(run, server)), unknown)


def _doubted(plain: Answer, unknown: UnknownValue) -> Answer:
    tools = tuple(
        replace(tool, fields=forget(tool.fields, unknown), conditions=(*tool.conditions, unknown.reason))
        for tool in plain.tools
    )
    return Answer(tools, plain.incomplete or unknown.reason)


# --- middleware -------------------------------------------------------------------------------------------------------


def _through_middleware(run: Interpreter, server: SdkObject, replay: Replay, result: Answer) -> Answer:
    chain = server.names.get("middleware")
    if chain is None or (chain.as_list is not None and not chain.as_list.items and chain.rest is None):
        return result
    if server.type == MCP2.type:
        doubt = middleware_doubt(run, server, _NOTHING).incomplete
        unknown = reasons.unknown(reasons.MUTATED, doubt) if doubt is not None else None
        return result if unknown is None else _unknown_answer(run, server, unknown)
    if server.type == MCP1.type:
        return result  # its servers have no middleware
    if server.type != FASTMCP.type:
        reason = f"what middleware does to the list of a {server.type} is not followed"
        return _unknown_answer(run, server, reasons.unknown(reasons.MUTATED, reason))
    if chain.as_list is None or chain.rest is not None:
        reason = "the middleware of the server is not known, and may change the list"
        return _unknown_answer(run, server, reasons.unknown(reasons.MUTATED, reason))
    return _by_hooks(run, server, replay, result, chain.as_list.items)


def _by_hooks(run: Interpreter, server: SdkObject, replay: Replay, result: Answer, chain: list[Value]) -> Answer:
    """Send the list through the hooks of every middleware, from the innermost out."""
    start: Value = list_of(run, server, wire=False)
    current = start
    with run.collected_risks():
        for item in reversed(chain):
            inner = item.element
            try:
                passed = _passed(run, inner, current)
                if passed is not current and inner is not item:
                    raise _changed(f"whether the middleware {_name_of(inner)} changes the list depends on a condition")
            except NotPlain as not_known:
                return _unknown_answer(run, server, not_known.unknown)
            current = passed if passed is current else one_list(run, passed) or passed
    if current is start:
        return result
    read = read_answer(run, current)
    return replace(read, incomplete=read.incomplete or replay.incomplete)


def _changed(reason: str) -> NotPlain:
    return NotPlain(reasons.unknown(reasons.MUTATED, reason))


def _passed(run: Interpreter, item: Value, current: Value) -> Value:
    """The list that one middleware returns for ``current``.

    Raises:
        NotPlain: it is not known.
    """
    for hook in _hooks(item):
        passed = _hooked(run, hook, current)
        if passed.as_unknown is not None:
            raise _changed(f"the middleware {_name_of(item)} may change the list")
        current = passed
    return current


_HOOKS = ("on_list_tools", "on_request", "on_message", "__call__")
_CHANGING = ("tool_injection", "authorization", "ToolInjection", "Authorization", "ResourcesAsTools", "PromptsAsTools")


def _hooks(item: Value) -> list[BoundMethod]:
    """The hooks of one middleware that see a listing.

    Raises:
        NotPlain: they are not known.
    """
    if name := item.library_name:
        if any(part in name for part in _CHANGING) or not name.startswith("fastmcp.server.middleware"):
            raise _changed(f"the middleware {name} may change the list")
        return []
    instance = item.as_instance
    if instance is None:
        raise _changed(f"the middleware {_name_of(item)} is not known, and may change the list")
    strange = [base for base in instance.cls.mro if base.as_class is None and not _is_base(base)]
    if strange or instance.cls.opaque is not None:
        raise _changed(f"the middleware {instance.cls.name} derives from a class that is not followed")
    methods = (_method(item, name) for name in _HOOKS)
    return [method for method in methods if method is not None]


def _is_base(base: Value) -> bool:
    """Whether a base class from outside the tree leaves a list of tools unchanged."""
    name = getattr(base, "name", "")
    return name in ("object", "builtins.object", "abc.ABC", "typing.Generic") or (
        name.startswith("fastmcp.server.middleware") and not any(part in name for part in _CHANGING)
    )


def _hooked(run: Interpreter, hook: BoundMethod, current: Value) -> Value:
    """The list that ``hook`` returns for ``current``."""
    request = reasons.request()
    names: dict[str, Value] = {"method": const("tools/list"), "type": const("request"), "source": const("client")}
    context = SdkObject(names, request, "request context")
    try:
        next_call = Native("call_next", lambda _run, _arguments: current)
        return awaited(run, call(run, hook, (context, next_call)))
    except AbstractRaise as raised:
        return reasons.unknown(reasons.UNSUPPORTED, f"a middleware {raised.outcome}")


def _name_of(item: Value) -> str:
    instance = item.as_instance
    return instance.cls.name if instance is not None else getattr(item, "name", "of the program")


# --- several answers --------------------------------------------------------------------------------------------------


def joined(answers: list[tuple[Answer, tuple[Guard, ...]]]) -> Answer:
    """Join the answers of a server that answers in one of several ways, each under its own conditions."""
    if len(answers) == 1:
        return answers[0][0]
    copies: dict[tuple[int, str], list[tuple[int, Answered, Guard | None]]] = {}
    for number, (one, guards) in enumerate(answers):
        for tool in one.tools:
            copies.setdefault(tool.key, []).append((number, tool, guards[-1] if guards else None))
    tools: list[Answered] = []
    for found in copies.values():
        guard = next((guard for _, _, guard in found if guard is not None), None)
        tool = _agreed([tool for _, tool, _ in found], guard)
        certain = {number for number, copy, _ in found if not copy.conditions}
        if len({number for number, _, _ in found}) < len(answers):
            doubt = str(guard) if guard is not None else "the server is started in more than one way"
            tool = replace(tool, conditions=(*tool.conditions, doubt))
        elif len(certain) < len(answers):
            tool = replace(tool, conditions=next(copy.conditions for _, copy, _ in found if copy.conditions))
        else:
            tool = replace(tool, conditions=())
        tools.append(tool)
    return Answer(tuple(tools), next((one.incomplete for one, _ in answers if one.incomplete), None))

"""Listed tools as objects of a program that lists the tools of a server, changes them, and answers with these."""

from __future__ import annotations

from pdmigrate.model import Field, Known
from pdmigrate.model import Unknown as UnknownField
from pdmigrate.sdk.names import TYPES
from pdmigrate.understand.demand.containers import elements
from pdmigrate.understand.demand.run import ATTRIBUTES, SETTERS, RaisedError, Run
from pdmigrate.understand.servers.answers import CHANGEABLE, Answer, Listed
from pdmigrate.understand.servers.holding import ANNOTATIONS, own_annotations
from pdmigrate.understand.servers.making import lost
from pdmigrate.understand.servers.objects import ServerValue, changes_of
from pdmigrate.understand.servers.wire import WIRE, one_field, tool_fields, value_of
from pdmigrate.understand.values.containers import DictValue, ListValue, twin
from pdmigrate.understand.values.core import CONDITION, MUTATED, NONE, Maybe, Unknown, Value
from pdmigrate.understand.values.objects import Arguments, Native, SdkObject, describe, text_of

_NAMES = {**WIRE, "input_schema": "inputSchema", "key": "name"}
"""Attributes of the SDKs' tool objects by their names on the wire, where these differ."""
_TEXTS = frozenset({"name", "title", "description"})
"""Attributes through which nothing of a tool is changed; a copy shares its schemas."""


class ListedTool(SdkObject):
    """A tool as a server would list it.  ``made`` are the values that its fields had at first.

    ``inside`` is the server, if the tool is its own and no copy: who gets hold of it may change what is listed.  It is
    ``unconverted`` if it is an object of fastmcp's class, of which the SDK makes what it sends.
    """

    def __init__(
        self, run: Run, listed: Listed, inside: ServerValue | None = None, *, unconverted: bool = False
    ) -> None:
        made = {name: value_of(field) for name, field in listed.fields.items()}
        if isinstance(known := made.get("annotations"), DictValue):
            made["annotations"] = _annotations(run, listed, known)
        tool = listed.tool
        own = tool.data.get("title", tool.options.get("title", NONE)) if tool is not None else NONE
        self.titled = listed.titled or bool(text_of(own))
        if unconverted and not self.titled and "title" in made:
            made["title"] = run.unsettled("the SDK gives a tool its title")
        super().__init__("mcp.types.Tool", dict(made), listed.site)
        self.listed, self.made, self.inside, self.unconverted = listed, made, inside, unconverted


def _annotations(run: Run, listed: Listed, known: DictValue) -> SdkObject:
    """The annotations of a tool as the object that all tools share to which the program gave it."""
    tool = listed.tool
    given = tool.data.get("annotations", own_annotations(run, tool)) if tool is not None else listed.annotations
    if isinstance(given, SdkObject) and given.type == ANNOTATIONS:
        return given
    return SdkObject(ANNOTATIONS, {text_of(key) or "": item for key, item in known.entries()})


def values_of(run: Run, answer: Answer, inside: ServerValue | None = None, *, unconverted: bool = False) -> ListValue:
    """The tools of an answer as objects of the program."""
    made = ListValue()
    for tool in answer.tools:
        value: Value = ListedTool(run, tool, inside, unconverted=unconverted)
        for reason in tool.conditions:
            value = Maybe(value.value if isinstance(value, Maybe) else value, Unknown(reason, CONDITION, tool.site))
        made.data.append(value)
    if answer.incomplete is not None:
        made.rest = run.unsettled(answer.incomplete, CONDITION)
    return made


def _attribute(run: Run, tool: ListedTool, name: str) -> Value:
    key = _NAMES.get(name, name)
    if tool.inside is not None and key not in _TEXTS:
        return lost(run, tool.inside, f"{name} of a tool of the server is used")
    if key in tool.data:
        return tool.data[key]
    if name in ("to_mcp_tool", "model_copy", "copy"):
        return Native(name, lambda run, arguments: _copied(run, tool, arguments, converts=name == "to_mcp_tool"))
    return NONE if key in CHANGEABLE else run.unsettled(f"{name} of a tool")


def _copied(run: Run, tool: ListedTool, arguments: Arguments, *, converts: bool) -> Value:
    """A copy of a tool, with the changes that are given by name or in ``update``."""
    made = ListedTool(run, tool.listed, unconverted=tool.unconverted)
    made.data, made.made, made.rest = dict(tool.data), tool.made, tool.rest or arguments.unknown
    if converts:
        made.data = {name: twin(item) for name, item in made.data.items()}
        made.made = {name: made.data[name] for name, item in tool.made.items() if tool.data.get(name) is item}
    changes, rest = changes_of(run, arguments)
    made.rest = made.rest or rest
    for name, item in {**arguments.keywords, **changes}.items():
        if name not in ("update", "deep", "include_fastmcp_meta"):
            made.data[_NAMES.get(name, name)] = item
    return made


def _set(run: Run, tool: ListedTool, name: str, value: Value) -> None:
    if tool.inside is not None:
        lost(run, tool.inside, f"{name} of a tool of the server is set")
    run.journal.touch(tool)
    tool.data[_NAMES.get(name, name)] = value


def of_result(run: Run, result: Value) -> Answer:
    """The tools in what a handler returns."""
    for name in ("root", "tools"):
        if isinstance(result, SdkObject) and name in result.data:
            if result.rest is not None:
                return Answer([], result.rest.reason)
            result = result.data[name]
    if isinstance(result, SdkObject) and result.type.endswith("ListToolsResult"):
        return Answer([], "the handler's result is not known")
    if isinstance(result, Unknown):
        return Answer([], result.reason)
    try:
        items, more = elements(run, result)
    except RaisedError:
        return Answer([], "the handler returns no list")
    made = Answer([], more.reason if more is not None else None)
    for item in items:
        conditions: tuple[str, ...] = ()
        while isinstance(item, Maybe):
            conditions, item = (*conditions, item.condition), item.value
        if isinstance(item, ListedTool):
            made.tools.append(_relisted(item, conditions))
        elif isinstance(item, SdkObject) and item.type == f"{TYPES}.Tool":
            made.tools.append(Listed(tool_fields(item, run.versions), item.site, conditions, source=item))
        elif isinstance(item, Unknown):
            made.incomplete = made.incomplete or item.reason
        else:
            made.incomplete = made.incomplete or f"the list holds {describe(item)}, which is no Tool of the SDK"
    return made


def _relisted(item: ListedTool, conditions: tuple[str, ...]) -> Listed:
    """The entry of an answer for a tool that the program got from a list, and may have changed."""
    if item.rest is not None:
        whole = UnknownField(item.rest.reason, item.rest.code)
        names = (*item.listed.fields, "title", "annotations")
        return Listed(dict.fromkeys(names, whole), item.site, conditions)
    fields: dict[str, Field] = {}
    for name, value in item.data.items():
        known = item.listed.fields.get(name)
        # A container or an object in a field may have been changed in place.
        touched = isinstance(value, (DictValue, ListValue, SdkObject)) and isinstance(known, Known)
        unchanged = item.made.get(name) is value and not touched
        field = known if unchanged else one_field(name, value)
        if field is not None and name != "tags":
            fields[name] = field
    titled = item.titled or bool(text_of(item.data.get("title", NONE)))
    if item.unconverted and not titled and _title(fields) != _title(item.listed.fields):
        fields["title"] = UnknownField("the SDK may take the title from the annotations", MUTATED)
    annotations = item.data.get("annotations")
    shared = annotations if isinstance(annotations, SdkObject) else None
    return Listed(fields, item.site, conditions, item.listed.doc, annotations=shared, titled=titled)


def _title(fields: dict[str, Field]) -> object:
    """The title in the annotations among the fields of a tool, or why these are not known."""
    known = fields.get("annotations")
    return known.value.get("title") if isinstance(known, Known) and isinstance(known.value, dict) else known


ATTRIBUTES[ListedTool] = _attribute
SETTERS[ListedTool] = _set

"""Objects of program classes that derive from ``dict`` or ``list``: each holds a container of its own."""

from __future__ import annotations

from pdmigrate.understand.demand.attributes import SUPER
from pdmigrate.understand.demand.containers import content, item_at, set_item
from pdmigrate.understand.demand.run import INSTANCES, Run
from pdmigrate.understand.values.calls import Arguments, Native
from pdmigrate.understand.values.containers import DictValue, ListValue
from pdmigrate.understand.values.core import NONE, Value
from pdmigrate.understand.values.objects import ClassValue, Instance
from pdmigrate.understand.values.outside import External

_CONTAINERS = {
    **dict.fromkeys(("builtins.dict", "typing.Dict", "collections.OrderedDict"), "builtins.dict"),
    **dict.fromkeys(("builtins.list", "typing.List"), "builtins.list"),
}


def _instance(run: Run, cls: ClassValue, arguments: Arguments) -> Value | None:
    kind = next((_CONTAINERS[name] for name in cls.outside if name in _CONTAINERS), None)
    if kind is None or cls.kind != "plain" or cls.refused is not None or cls.find("__new__") is not None:
        return None
    made = Instance(cls, arguments.site)
    made.inside = DictValue() if kind == "builtins.dict" else ListValue()
    own = cls.find("__init__")
    if own is None:
        _fill(run, made.inside, kind, arguments)
    else:
        run.call(own, arguments.behind(made))
    return made


def _fill(run: Run, inside: DictValue | ListValue, kind: str, arguments: Arguments) -> None:
    """What ``dict.__init__`` and ``list.__init__`` do."""
    known = run.call(External(kind), arguments)
    run.journal.touch(inside)
    if isinstance(known, (DictValue, ListValue)):
        inside.restore(known.save())
    else:
        inside.rest = run.unsettled("the content of an object is not known")


def _super(run: Run, base: str, receiver: Value, name: str) -> Value | None:
    kind = _CONTAINERS.get(base)
    inside = content(receiver)
    if kind is None or not isinstance(inside, (DictValue, ListValue)):
        return None
    if name == "__init__":

        def initialise(run: Run, arguments: Arguments) -> Value:
            _fill(run, inside, kind, arguments)
            return NONE

        return Native("super().__init__", initialise)
    if name == "__setitem__":

        def put(run: Run, arguments: Arguments) -> Value:
            set_item(run, inside, *arguments.positional)
            return NONE

        return Native("super().__setitem__", put)
    if name == "__getitem__":
        return Native("super().__getitem__", lambda run, arguments: item_at(run, inside, *arguments.positional))
    return run.attribute(inside, name)


INSTANCES.append(_instance)
SUPER.append(_super)

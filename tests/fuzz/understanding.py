"""What the understanding says of the variables of a program."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pdmigrate.source.whole import Whole
from pdmigrate.understand import unseen
from pdmigrate.understand.demand.positions import END, Loaded
from pdmigrate.understand.demand.run import ExhaustedError, RaisedError
from pdmigrate.understand.evaluation import Evaluation
from pdmigrate.understand.index.modules import Tree
from pdmigrate.understand.index.naming import Names
from pdmigrate.understand.starting import Start
from pdmigrate.understand.values.containers import DictValue, ListValue, SetValue
from pdmigrate.understand.values.core import Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.objects import Instance, text_of
from tests.fuzz.real import OTHER, encode
from tests.support.files import write


class NotKnownError(Exception):
    """A part of a value is not known; the text says why."""


def understand(source: str, folder: Path) -> tuple[dict[str, Any], Counter[str]]:
    """The variables that are known at the end of a program, encoded, and how often each reason kept one from that."""
    return claims(folder, {"program.py": source}, "program.py")


def claims(
    folder: Path,
    files: Mapping[str, str],
    path: str,
    wanted: Iterable[str] | None = None,
    versions: Mapping[str, str] = {"python": "3.11"},
) -> tuple[dict[str, Any], Counter[str]]:
    """The same for the ``wanted`` names of one of several modules; without them, for ``v1``, ``v2`` and so on."""
    evaluation = evaluated(folder, files, path, versions)
    loaded = evaluation.load(path)
    assert loaded is not None, "the program has to be valid"
    reasons: Counter[str] = Counter()
    known: dict[str, Any] = {}
    for name in sorted(_asked(loaded) if wanted is None else wanted):
        try:
            known[name] = _encoded(value_of(evaluation, path, name))
        except RecursionError:
            reasons["it is nested too deeply"] += 1
        except NotKnownError as missing:
            reasons[str(missing)] += 1
    code = unseen.code(evaluation.run)
    return ({}, Counter({code: len(known)})) if code is not None else (known, reasons)


def evaluated(folder: Path, files: Mapping[str, str], path: str, versions: Mapping[str, str]) -> Evaluation:
    """The evaluation of a program that ``path`` starts, after ``files`` were written to ``folder``."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
    write(folder, files)
    return Evaluation(Names(Tree(Whole(folder, tuple(sorted(files))))), Start(path, ""), versions, frozenset())


def _asked(loaded: Loaded) -> set[str]:
    return {name for name in loaded.module.bound if name[:1] == "v" and name[1:].isdigit()}


def value_of(evaluation: Evaluation, path: str, name: str) -> Value:
    """What a name of a module is bound to at the end of the program.

    Raises:
        NotKnownError: it has no value, or that is not known.
    """
    evaluation.load(path)
    evaluation.program.position = END
    try:
        with evaluation.run.demand():
            value = evaluation.program.read(path, name)
    except (RaisedError, ExhaustedError) as error:
        raise NotKnownError(str(error) or "there is too much to evaluate") from error
    if value is None:
        raise NotKnownError("it has no value")
    return value


def _encoded(value: Value) -> list[Any]:
    if isinstance(value, Unknown):
        raise NotKnownError(value.reason)
    if isinstance(value, Maybe):
        raise NotKnownError(value.why.reason)
    if isinstance(value, Const):
        return encode(value.value)
    if isinstance(value, Instance) and value.cls.kind == "enum" and "_value_" in value.data:
        plain = text_of(value) is not None or any(name in _NUMBERS for name in value.cls.outside)
        return _encoded(value.data["_value_"]) if plain else OTHER
    if isinstance(value, (ListValue, DictValue, SetValue)) and value.rest is not None:
        raise NotKnownError(value.rest.reason)
    if isinstance(value, ListValue):
        return ["list", [_encoded(item) for item in value.data]]
    if isinstance(value, TupleValue):
        return OTHER if value.fields else ["tuple", [_encoded(item) for item in value.items]]
    if isinstance(value, DictValue):
        return ["dict", [[_encoded(key), _encoded(item)] for key, item in value.data.values()]]
    if isinstance(value, SetValue):
        return ["set", sorted((_encoded(item) for item in value.data.values()), key=repr)]
    raise NotKnownError(f"{type(value).__name__} is not plain")


_NUMBERS = frozenset({"builtins.int", "enum.IntEnum"})

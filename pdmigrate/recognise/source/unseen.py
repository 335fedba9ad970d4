"""Registrations in the source that were not seen to happen: the server may list more tools than were seen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core.usage import mentioned
from pdmigrate.tree.glances import REGISTERS

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.recognise.world import World
    from pdmigrate.tree.code.modules import SourceModule

REGISTERING = ("tool", "add_tool", "import_server", "mount")


def unseen_registrations(run: Interpreter, world: World, path: str) -> str | None:
    """Why the server that the module at ``path`` makes may have more tools; ``None`` if nothing suggests it."""
    for executed in list(run.modules.values()):
        module = executed.module
        if REGISTERS.search(module.source.raw):
            for function in _registering(module):
                if function not in run.calls.executed and mentioned(run, module, function):
                    return f"{function.name.value}() in {module.path} registers tools, and was not seen to run"
    for other in world.whole.registering(path):
        if other not in run.modules:
            return f"{other} registers tools, and was not seen to be imported"
    return None


def _registering(module: SourceModule) -> Iterator[cst.FunctionDef]:
    """The functions whose bodies register tools."""
    seen: set[cst.FunctionDef] = set()
    for name in REGISTERING:
        for node in module.outline.names.get(name, ()):
            parent = module.outline.parents[node]
            if not (isinstance(parent, cst.Attribute) and parent.attr is node) or _mounts_a_path(module, parent):
                continue
            function = _function_around(module, parent)
            if function is not None and function not in seen:
                seen.add(function)
                yield function


def _mounts_a_path(module: SourceModule, mount: cst.Attribute) -> bool:
    """Whether ``mount`` takes a path or an address, as in web frameworks; a server's ``mount`` takes a prefix."""
    call = module.outline.parents[mount]
    if mount.attr.value != "mount" or not isinstance(call, cst.Call) or call.func is not mount or not call.args:
        return False
    return re.match(r"""[rRfF]{0,2}['"]{1,3}(?:/|\w*://)""", module.code(call.args[0].value)) is not None


def _function_around(module: SourceModule, node: cst.CSTNode) -> cst.FunctionDef | None:
    """The function whose body calls a method through ``node``, or decorates with it; ``None`` if there is none.

    A decorator stands outside the function that it decorates.
    """
    decorates, registers = False, False
    for above in module.outline.above(node):
        match above:
            case cst.Decorator():
                decorates = registers = True
            case cst.Call():
                registers = True
            case cst.FunctionDef() if not decorates:
                return above if registers else None
            case cst.FunctionDef():
                decorates = False
    return None

"""What a class of the program that derives from an SDK's server class has in the place of what the SDK has."""

from __future__ import annotations

from pdmigrate.sdk.families import SERVER
from pdmigrate.understand.demand.run import Run
from pdmigrate.understand.servers.making import CLASSES
from pdmigrate.understand.servers.objects import ServerValue
from pdmigrate.understand.servers.offered import lacks
from pdmigrate.understand.values.calls import BoundMethod
from pdmigrate.understand.values.core import Value
from pdmigrate.understand.values.objects import ClassValue, FunctionValue, Instance
from pdmigrate.understand.values.outside import external_name

_LOW = frozenset({"run", "request_handlers", "_request_handlers", "_handle_message", "_handle_request", "middleware"})
_CALLED_BY_THE_SDK = frozenset(
    {
        *("run", "run_async", "run_stdio_async", "add_tool", "add_middleware", "add_provider", "add_transform"),
        *("middleware", "transforms", "_transforms", "providers", "lifespan", "local_provider", "_local_provider"),
        *("_tool_manager", "_mcp_server", "_lowlevel_server", "_setup_handlers", "_apply_extension", "get_tools"),
        *("_install_extension_interceptor", "_install_extension", "_apply_middleware", "_apply_task_transforms"),
        *("_collect_list_results", "_dispatch_component_middleware", "_run_middleware", "_wrap_list_handler"),
        *("_on_list_tools", "_should_enable_component", "_get_highest_version_result", "_rebind_prefab_tool_names"),
        *("_register_bundled_extensions", "_register_provider_extensions", "_extensions_lifespan"),
        *("_lifespan_manager", "_docket_lifespan"),
    }
)
"""The attributes, but for the methods that list, on which it depends what a server lists, and which its SDK uses.

Asked of the classes of mcp 1.2.1 to 2.3.0 and fastmcp 2.14.7 to 4.2.3 with ``dir``.
"""
_REGISTERING = frozenset({"tool", "mount", "import_server", "remove_tool", "__init__"})


def overriding(server: ServerValue) -> tuple[str, Value] | None:
    """The method that lists the tools in a class of the program, with its name; ``None`` if the SDK's does."""
    if not isinstance(server.instance, Instance):
        return None
    found = ((name, server.instance.cls.find(name)) for name in server.family.answering)
    return next(((name, BoundMethod(each, server.instance)) for name, each in found if each is not None), None)


def overridden(run: Run, server: ServerValue) -> str | None:
    """Why a server may list anything: an attribute of its class is the program's own.  ``None`` if none is."""
    if not isinstance(server.instance, Instance):
        return None
    listing = server.family.answering
    used = _LOW if server.cls is SERVER else _CALLED_BY_THE_SDK
    version, behind, answers = run.versions.get(server.family.package, ""), False, 0
    for base in server.instance.cls.mro:
        behind |= external_name(base) in CLASSES  # what the SDK has comes before what is defined here
        if not isinstance(base, ClassValue):
            continue
        for name, value in base.data.items():
            answers += name in listing
            if name in listing or name in _REGISTERING:
                odd = behind or answers > 1 or not _is_in(base, value)
            else:
                runs = isinstance(value, FunctionValue) and value.node in run.executed
                missing = runs or lacks("server", server.family.package, version, name)
                odd = name in used and (behind or not missing)
            if odd:
                return f"{name} of the server is the program's own, and is not followed"
    return None


def _is_in(cls: ClassValue, value: Value) -> bool:
    """Whether a function is defined in the statement of a class, and was not set later."""
    return isinstance(value, FunctionValue) and value.node in getattr(cls.node, "body", ())


def starting(server: ServerValue, name: str) -> Value | None:
    """The program's own method that the SDK's method ``name`` calls to start; ``None`` if that is the SDK's, too."""
    if name not in _STARTS or not isinstance(server.instance, Instance):
        return None
    own = server.instance.cls.find(*_STARTS[_STARTS.index(name) + 1 :])
    return BoundMethod(own, server.instance) if own is not None else None


_STARTS = ("run", "run_async", "run_stdio_async")

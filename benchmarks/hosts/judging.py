"""What a framework made of a migrated server, against what it made of the same server before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.hosts.frameworks import KEPT, PER_CALL, REFUSAL, WITHOUT, Framework
from benchmarks.hosts.running import Report
from benchmarks.hosts.servers import Server

CHECKS = ("list", "first call", "fetch", "required only", "nulls", "grant", "session")
REFUSED = "TOOL_DESCRIPTION_REQUIRED"
_KINDS = ("type", "enum", "const", "$ref", "anyOf", "any_of", "oneOf", "allOf")
_ACCEPTED = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Names of functions in the APIs of providers."""
_FRAME = re.compile(r'File \\*"[^"\\]*\\*"')


@dataclass(frozen=True)
class Verdict:
    """The outcome of one framework on one server: for each check that applies what is wrong, empty where nothing is."""

    framework: Framework
    server: str
    checks: Mapping[str, str]
    note: str = ""
    """Why there is nothing to compare."""

    @property
    def problems(self) -> dict[str, str]:
        """What is wrong and not the framework's own doing."""
        wrong = {check: problem for check, problem in self.checks.items() if problem}
        return {check: problem for check, problem in wrong.items() if check not in self.framework.excused}


def judge(framework: Framework, server: Server, before: Report, after: Report) -> Verdict:
    """Compare what a framework saw on the two sides of a migration."""
    if before.error and server.name in framework.unable:
        return Verdict(framework, server.name, {}, _unable(before, after))
    for side, report in (("before", before), ("after", after)):
        if report.error or len(report.results) <= len(server.script):
            return Verdict(framework, server.name, {"list": f"{side} the migration: {_short(report.error)}"})
    known = len(server.script) - len(server.nulls) - 1
    answers = list(_answers(server, before, after))
    checks = {
        "list": "; ".join(_listed(framework, before, after)),
        "first call": _first(framework, server, before, after),
        "fetch": _fetched(framework, server, after),
        "required only": "; ".join([*filter(None, answers[:known]), *_invented(before, after)]),
    }
    if server.nulls:
        checks["nulls"] = "; ".join(filter(None, answers[known:-1]))
    if framework.session == KEPT:
        checks["grant"] = answers[-1]
    checks["session"] = _session(framework, after)
    return Verdict(framework, server.name, checks)


def sessions(report: Report) -> list[list[str]]:
    """What was asked about tools in each session in which one was called."""
    methods = [[str(message.get("method", "")) for message in session] for session in report.sent]
    return [[name for name in names if name.startswith("tools/")] for names in methods if "tools/call" in names]


def _listed(framework: Framework, before: Report, after: Report) -> Iterator[str]:
    """What a model lost, or was newly forced to, in the tools that it is offered."""
    now = {tool["name"]: tool for tool in after.tools}
    if any(name.endswith("_describe_tools") for name in now) is (framework.fetch == REFUSAL):
        yield "the bridge is let through" if framework.fetch == REFUSAL else "the bridge is not among the tools"
    names = [tool["name"] for tool in after.tools]
    yield from (f"{names.count(name)} tools are called {name}" for name in now if names.count(name) > 1)
    yield from (f"{name!r} is no name that providers accept" for name in now if not _ACCEPTED.fullmatch(name))
    for tool in before.tools:
        name = tool["name"]
        if name not in now:
            yield f"{name} is gone"
            continue
        old, new = tool.get("parameters") or {}, now[name].get("parameters") or {}
        if bool(tool.get("strict")) == bool(now[name].get("strict")):
            if sorted(old.get("required") or ()) != sorted(new.get("required") or ()):
                yield f"{name} requires {new.get('required')} instead of {old.get('required')}"
        else:
            yield from _forced(name, old, new)
        yield from _properties(name, old.get("properties") or {}, new.get("properties") or {})


def _fetched(framework: Framework, server: Server, after: Report) -> str:
    """Whether the definitions reached the model, each with its refusal where that brings them."""
    if framework.fetch != REFUSAL:
        return "" if "inputSchema" in after.fetched else f"no definition in {_short(after.fetched)}"
    brought = f"{after.results[0]}\n{after.fetched}".replace("\\", "").replace(" ", "")
    # Some hosts hand their model the text, and some the object for programs.
    signs = {tool: (f"Replywithyourcallof{tool},", f'"name":"{tool}"') for tool in dict(server.script)}
    without = [tool for tool, either in signs.items() if not any(sign in brought for sign in either)]
    return f"no refusal brings that of {', '.join(without)}: {_short(brought)}" if without else ""


def _unable(before: Report, after: Report) -> str:
    """What becomes of a framework that could not take the list before."""
    reason = [line for line in before.error.splitlines() if re.match(r"[\w.]+: ", line)] or [before.error]
    now = "cannot take it after it either" if after.error else "takes it after it, and calls all that is called here"
    return f"cannot take the list before the migration ({_short(reason[-1])}), and {now}"


def _forced(tool: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """What a model cannot leave out, or cannot say, since the framework has found the tool fit for strict decoding."""
    for name, schema in (new.get("properties") or {}).items():
        required = name in new.get("required", ()) and name not in old.get("required", ())
        if required and not (_nullable(schema) or "default" in schema):
            yield f"{tool} is strict now, and {name} has to be invented"
        if _takes_nothing(schema) and not _takes_nothing((old.get("properties") or {}).get(name) or {}):
            yield f"{tool} is strict now, and {name} can only be empty"


def _nullable(schema: Mapping[str, Any]) -> bool:
    """Whether null is a value of a schema that says so itself, or in its branches."""
    kinds = schema.get("type")
    if schema.get("nullable") or kinds == "null" or (isinstance(kinds, list) and "null" in kinds):
        return True
    return any(_nullable(branch) for key in ("anyOf", "oneOf") for branch in schema.get(key, ()))


def _takes_nothing(schema: Mapping[str, Any]) -> bool:
    """Whether an object in a schema has no properties and admits none."""
    branches = [*schema.get("anyOf", ()), *([schema["items"]] if isinstance(schema.get("items"), dict) else [])]
    closed = schema.get("additionalProperties") is False and not schema.get("properties")
    return closed or any(_takes_nothing(branch) for branch in branches)


def _properties(tool: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    if list(old) != list(new):
        yield f"{tool} takes {', '.join(new)} instead of {', '.join(old)}"
    for name in old.keys() & new.keys():
        if any(kind in old[name] for kind in _KINDS) and not any(kind in new[name] for kind in _KINDS):
            yield f"{tool}.{name} has no type"


def _first(framework: Framework, server: Server, before: Report, after: Report) -> str:
    """A call before the fetch is refused where the session was listed, and answered where it was not.

    A call that the framework itself turns away, as it did before the migration, reaches no server.
    """
    tool = server.script[0][0]
    calls = [(message.get("params") or {}).get("name") for session in after.sent for message in session]
    if framework.session in (PER_CALL, WITHOUT) or tool not in calls:
        return _same(before.results[0], after.results[0])
    return "" if REFUSED in after.results[0] else f"not refused: {_short(after.results[0])}"


def _answers(server: Server, before: Report, after: Report) -> Iterator[str]:
    """For each call after the fetch how its answer differs from the one of before."""
    for (tool, _), old, new in zip(server.script, before.results[1:], after.results[1:], strict=True):
        problem = _same(old, new)
        yield f"{tool}: {problem}" if problem else ""


def _invented(before: Report, after: Report) -> Iterator[str]:
    if new := sorted(set(after.invented) - set(before.invented)):
        yield f"a strict decoder has to invent {', '.join(new)}"


def _session(framework: Framework, report: Report) -> str:
    if framework.session == WITHOUT:
        return ""
    traced = sessions(report)
    if framework.session == KEPT:
        return "" if len(traced) == 1 else f"{len(traced)} sessions with calls"
    listed = any("tools/list" in names[: names.index("tools/call")] for names in traced)
    expected = framework.session != PER_CALL
    several = len(traced) == sum(names.count("tools/call") for names in traced)
    return "" if several and listed == expected else f"traced as {traced}"


def _same(old: str, new: str) -> str:
    """How an answer differs, but for where the framework's files are, which tracebacks in answers name."""
    if _FRAME.sub("File", old) == _FRAME.sub("File", new):
        return ""
    return f"{_short(new)} instead of {_short(old)}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 160 else f"{line[:80]} ... {line[-70:]}"

"""An audit as one HTML page without scripts or network resources, for eyes, keyboards and screen readers."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pdmigrate.audit import Audit, ToolCost, Verdict
from pdmigrate.audit.hosts import Remark, remarks
from pdmigrate.escaping import name as shown_name
from pdmigrate.escaping import visible
from pdmigrate.model import JsonObject
from pdmigrate.report.audit import WORDS, Judged, change, facts, number
from pdmigrate.runtime.render import read_template

GENERATOR = '<meta name="generator" content="pdmigrate audit">'
"""The mark of a page that pdmigrate has made: such a page may be overwritten, no other file may."""


def audit_page(judged: Sequence[Judged], counter: str) -> str:
    """The page for ``judged`` servers, the heaviest first; ``counter`` is the name of the counter of tokens."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    heaviest = sorted(judged, key=lambda one: -one.audit.now)
    servers = [_server(f"server-{place}", one.audit, one.verdict) for place, one in enumerate(heaviest, 1)]
    title = f"What the tools of {servers[0]['name'] if len(servers) == 1 else 'these servers'} cost a model"
    template = environment.from_string(read_template("audit.html.j2"))
    return template.render(title=title, servers=servers, counter=counter)


def _server(anchor: str, audit: Audit, verdict: Verdict) -> dict[str, object]:
    catalogue = audit.catalogue
    listed = {str(tool["name"]): (tool, stub) for tool, stub in zip(catalogue.tools, audit.stubs, strict=True)}
    most = max((max(tool.now, tool.after) for tool in audit.tools), default=1)
    return {
        "id": anchor,
        "name": shown_name(catalogue.name),
        "file": shown_name(catalogue.file) if catalogue.file else "",
        "word": WORDS[verdict.word],
        "pays": verdict.word in ("migrate", "some"),
        "reason": visible(verdict.reason),
        "uncounted": ", ".join(map(shown_name, catalogue.uncounted)),
        "now": f"{audit.now:,}",
        "after": f"{audit.after:,}",
        "at_once": number(audit.break_even_at_once),
        "facts": [(what.capitalize(), figure, note) for what, figure, note in facts(audit)],
        "described": [point.described for point in audit.curve()],
        "curve": [
            ("fetched before the call", [change(point.at_once) for point in audit.curve()]),
            ("refused first", [change(point.refused_first) for point in audit.curve()]),
        ],
        "hosts": [_remark(remark) for remark in remarks(catalogue)],
        "tools": [
            _tool(tool, *listed[tool.name], verdict, most) for tool in sorted(audit.tools, key=lambda one: -one.now)
        ],
    }


def _remark(remark: Remark) -> dict[str, str]:
    about = f"{shown_name(remark.tool)}: " if remark.tool else ""
    message = visible(about + remark.message)
    return {"code": remark.code, "message": message, "source": remark.source, "lost": visible(remark.lost)}


def _tool(tool: ToolCost, listed: JsonObject, stub: JsonObject, verdict: Verdict, most: int) -> dict[str, object]:
    parts = {"description": tool.description, "schema": tool.schema}
    parts["rest"] = max(0, tool.now - sum(parts.values()))
    return {
        "name": shown_name(tool.name),
        "now": f"{tool.now:,}",
        "after": f"{tool.after:,}",
        "left": verdict.word == "some" and tool.name not in verdict.take,
        "parts": [(kind, round(100 * tokens / most, 2)) for kind, tokens in parts.items()],
        "after_width": round(100 * tool.after / most, 2),
        "sides": [_side(f"Now: {tool.now:,} tokens", listed), _side(f"Stub: {tool.after:,} tokens", stub)],
    }


def _side(title: str, tool: JsonObject) -> tuple[str, str, str]:
    description = tool.get("description")
    schema = json.dumps(tool.get("inputSchema"), indent=2, ensure_ascii=False)
    return title, visible(description) if isinstance(description, str) else "", visible(schema)

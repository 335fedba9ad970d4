"""Tables of literals, filtered by gates that depend on services: all tools are known, the gated ones conditional."""

from __future__ import annotations

from pathlib import Path

from tests.understand.sources import LOW, understood

SERVICES = """
import os, json, urllib.request
class Db:
    def __init__(self, url):
        self.conn = json.loads(urllib.request.urlopen(url).read()) if url else None
    def has(self, what):
        return self.conn is not None and what in self.conn.tables()
class Services:
    def __init__(self):
        self.db = Db(os.environ.get('DB_URL'))
        self.search_enabled = self.db.has('search')
        self.graph_enabled = bool(os.environ.get('GRAPH'))
"""
TABLE = [
    {"name": f"t{i}", "text": f"Tool {i}.", "gate": (None, "search", "graph")[i % 3], "schema": {"title": f"x{i}"}}
    for i in range(69)
]
GATED = """
from services import Services
from rows import ROWS
server = Server('x')
svc = Services()
ALL = {r['name']: types.Tool(name=r['name'], description=r['text'], inputSchema=r['schema']) for r in ROWS}
def disabled():
    out = set()
    if not svc.search_enabled:
        out |= {r['name'] for r in ROWS if r['gate'] == 'search'}
    if not svc.graph_enabled:
        out.update(r['name'] for r in ROWS if r['gate'] == 'graph')
    return out
@server.list_tools()
async def listed():
    off = disabled()
    return [t for n, t in ALL.items() if n not in off]
"""


def test_every_row_of_a_filtered_table_is_a_tool(tmp_path: Path) -> None:
    (server,) = understood(tmp_path, services=SERVICES, rows=f"ROWS = {TABLE!r}\n", server=LOW + GATED)
    assert [
        (tool.name, tool.definition["description"], tool.definition["inputSchema"], bool(tool.conditional))
        for tool in server.tools
    ] == [(row["name"], row["text"], row["schema"], row["gate"] is not None) for row in TABLE]
    assert all(tool.exact for tool in server.tools)
    assert server.incomplete is None

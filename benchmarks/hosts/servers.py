"""The servers that the frameworks are given: three published ones and every sample, each with a script of calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tests.support.environments import FASTMCP2, FASTMCP3, FASTMCP4, MCP1, MCP2

Arguments = Mapping[str, Any]
Call = tuple[str, Arguments]


@dataclass(frozen=True)
class Server:
    """One server and what it is asked.

    ``{folder}`` in commands and arguments stands for the empty folder that it is started in, ``{python}`` for the
    interpreter of its environment.  ``first`` can be called as often as one likes with the same answer; it is called
    before its description is fetched, and after.  All calls have their required arguments and no others, except those
    in ``nulls``: they say null for every optional argument that may be null.
    """

    name: str
    pins: tuple[str, ...]
    first: Call
    calls: tuple[Call, ...]
    nulls: tuple[Call, ...] = ()
    package: str = ""
    """What is migrated: the package of a published server; empty for a sample."""
    command: tuple[str, ...] = ("server.py",)
    """What its interpreter is given."""
    setup: tuple[tuple[str, ...], ...] = ()
    """Commands that fill the folder."""
    wrapped: bool = False
    """Whether it is not migrated, but stands behind a wrapper."""
    both_eras: bool = False
    """Whether it speaks protocol 2026-07-28 as well."""
    beside: Server | None = field(default=None, repr=False)
    """Another server, for a host that has two."""

    @property
    def sdk(self) -> tuple[str, ...]:
        """The pins that say what the server's text is made by."""
        return tuple(pin for pin in self.pins if pin.partition("==")[0] in ("mcp", "fastmcp", "pydantic"))

    @property
    def script(self) -> tuple[Call, ...]:
        """All calls after the fetch, in their order; the last shows that the grant is still there."""
        return (self.first, *self.calls, *self.nulls, self.first)


_COMMIT = "git -c user.name=Ada -c user.email=ada@example.com commit"
_COMMITS = f'for n in 1 2 3; do echo line $n >> notes.txt; git add notes.txt; {_COMMIT} -qm "note $n"; done'
_DATED = ("env", "GIT_AUTHOR_DATE=2026-01-05T10:00:00Z", "GIT_COMMITTER_DATE=2026-01-05T10:00:00Z")
_WORKBOOK = """
import openpyxl
book = openpyxl.Workbook()
for row in (("town", "people"), ("Skarven", 410), ("Ormsund", 1300)):
    book.active.append(row)
book.save("towns.xlsx")
"""
_DATABASE = """
import sqlite3
with sqlite3.connect("towns.db") as database:
    database.execute("create table towns (name text, people integer)")
    database.execute("insert into towns values ('Skarven', 410), ('Ormsund', 1300)")
"""
_REPOSITORY = {"repo_path": "{folder}"}
_SHEET = {"path": "{folder}/towns.xlsx", "sheet": "Sheet"}

SERVERS = (
    Server(
        "mcp-server-git",
        (*MCP2[:2], "mcp-server-git==2026.10.19"),
        ("git_diff", {**_REPOSITORY, "target": "HEAD~1"}),
        (
            ("git_log", _REPOSITORY),
            ("git_branch", {**_REPOSITORY, "branch_type": "local"}),
            ("git_create_branch", {**_REPOSITORY, "branch_name": "more"}),
            ("git_status", _REPOSITORY),
        ),
        (
            ("git_log", {**_REPOSITORY, "start_timestamp": None, "end_timestamp": None}),
            ("git_branch", {**_REPOSITORY, "branch_type": "local", "contains": None, "not_contains": None}),
        ),
        package="mcp_server_git",
        command=("-m", "mcp_server_git"),
        setup=(("git", "init", "-q", "-b", "main"), (*_DATED, "sh", "-c", _COMMITS)),
        both_eras=True,
    ),
    Server(
        "excel-mcp-server",
        (*MCP2[:2], "excel-mcp-server==2.2.2"),
        ("read_range", _SHEET),
        (
            ("find_cells", {"path": _SHEET["path"], "query": "Orm"}),
            ("write_range", {**_SHEET, "at": "A4", "rows": [["Brinsea", 95]]}),
            ("insert_rows_or_columns", {**_SHEET, "axis": "rows", "start": 2}),
            ("set_note", {**_SHEET, "cell": "A1", "text": "by the sea"}),
            ("create_workbook", {"path": "{folder}/empty.xlsx"}),
        ),
        package="excel_mcp",
        command=("-m", "excel_mcp", "stdio"),
        setup=(("{python}", "-c", _WORKBOOK),),
        both_eras=True,
    ),
    Server(
        "mcp-server-sqlite",
        (*MCP1[:2], "mcp-server-sqlite==2025.4.25"),
        ("list_tables", {}),
        (
            ("read_query", {"query": "select name from towns order by people"}),
            ("write_query", {"query": "insert into towns values ('Brinsea', 95)"}),
            ("describe_table", {"table_name": "towns"}),
        ),
        package="mcp_server_sqlite",
        command=("-c", "import mcp_server_sqlite; mcp_server_sqlite.main()", "--db-path", "{folder}/towns.db"),
        setup=(("{python}", "-c", _DATABASE),),
    ),
    Server(
        "mcp1_lowlevel",
        MCP1,
        ("find_copies", {"words": "tidal"}),
        (
            ("check_out", {"barcode": "30001", "member": "M10002"}),
            ("renew_loan", {"barcode": "30003"}),
            ("member_account", {"member": "M10001"}),
        ),
        (("place_hold", {"barcode": "30003", "member": "M10003", "pickup_note": None}),),
    ),
    Server(
        "mcp1_fastmcp",
        MCP1,
        ("find_sailings", {"departs_from": "skarven"}),
        (("book_crossing", {"sailing": "0640", "passengers": 2}), ("ormsund_notice", {})),
        (("book_crossing", {"sailing": "0910", "passengers": 1, "vehicles": None, "note": None}),),
    ),
    Server(
        "fastmcp2",
        FASTMCP2,
        ("bookings_at", {"hour": 11}),
        (
            ("crib_lend", {"tool": "darning needle"}),
            ("book_bench", {"item": "kettle", "hour": 11}),
            ("list_bookings", {}),
        ),
        (("list_bookings", {"hour": None}),),
    ),
    Server(
        "fastmcp3",
        FASTMCP3,
        ("herbarium_look_up", {"name": "ivy"}),
        (("open_case", {"plant": "ivy"}), ("call_specialist", {})),
        (("open_case", {"plant": "basil", "signs": None}),),
    ),
    Server(
        "fastmcp4",
        FASTMCP4,
        ("find_pieces", {"words": "butter"}),
        (("move_piece", {"number": "1934-17", "shelf": "B3"}), ("archive_opening_year", {"street": "Mill Lane"})),
        both_eras=True,
    ),
    Server(
        "mcp2_lowlevel",
        MCP2,
        ("find_plots", {"region": "north"}),
        (("book_pump", {"plot": 1, "day": "mon"}),),
        both_eras=True,
    ),
    Server(
        "mcp2_mcpserver",
        MCP2,
        ("find_berth", {"length": 9.5, "draught": 1.2}),
        (("moor", {"berth": "A2", "boat": "Kittiwake"}), ("cast_off", {"berth": "A2"}), ("high_water", {})),
        both_eras=True,
    ),
)

WRAPPED = tuple(
    replace(server, name=f"{server.name}-wrapped", wrapped=True)
    for server in SERVERS
    if server.name in ("mcp-server-sqlite", "mcp2_mcpserver")
)
"""Servers that are not migrated, but stand behind a wrapper; asked for by name."""

ODD = (
    Server(
        "unnamed",
        MCP1,
        ("strike", {"hour": 3}),
        (("wind", {"turns": 3}),),
        beside=Server("unnamed_too", MCP1, ("who_is_out", {"humidity": 40}), ()),
    ),
    Server("paged", MCP1, ("offer_seed", {"seed": "kale"}), (("find_seed", {"seed": "kale"}),)),
)
"""Servers for the frameworks that name them: without a name, with another one beside it, and with a list in pages."""

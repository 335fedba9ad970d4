"""The published guide's example server, and what people make of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

from tests.support.files import tree

GUIDE = {path: raw.decode() for path, raw in tree(Path(__file__).parents[1] / "fixtures" / "guide_server").items()}
SERVER, ONE, TWO = "server.py", "tool_descriptions/tool_one.json", "tool_descriptions/tool_two.json"
Files = dict[str, str]

IMPORTS = """\
from session_auth import SessionAuthorization
from tool_description_loader import ToolDescriptionLoader
"""
MADE = 'app = Server("my-server")'
CHECK = "if not session_auth.is_authorized(session, name):"
REFUSAL = """\
        error = {
            "error": {
                "code": "TOOL_DESCRIPTION_REQUIRED",
"""
ANSWER = "    return json.dumps(descriptions, indent=2)"
TWO_LISTED = (
    '            name="tool_two",\n'
    '            description="Brief description of what this tool does - sufficient for selection"'
)


@dataclass(frozen=True)
class Variant:
    """``change`` makes it of the guide's server; ``refused`` is what is said of one that is left as it is."""

    change: Callable[[Files], None]
    refused: str = ""
    start: tuple[str, ...] = (SERVER,)

    @property
    def files(self) -> Files:
        files = dict(GUIDE)
        self.change(files)
        return files


def replaced(files: Files, path: str, *pairs: tuple[str, str]) -> None:
    for old, new in pairs:
        assert old in files[path], old
        files[path] = files[path].replace(old, new)


def server(*pairs: tuple[str, str]) -> Callable[[Files], None]:
    return lambda files: replaced(files, SERVER, *pairs)


def between(text: str, start: str, end: str) -> str:
    """The part of a text from ``start`` up to ``end``."""
    return text[text.index(start) : text.index(end, text.index(start))]


def renamed(files: Files) -> None:
    names = {
        "SessionAuthorization": "Gatekeeper",
        "ToolDescriptionLoader": "Library",
        "session_auth": "gate",
        "tool_description_loader": "shelf",
        "tool_loader": "library",
        "is_authorized": "may_pass",
        "authorize_tool": "let_in",
        "load_multiple": "fetch_all",
        "read_resource": "serve",
        "call_tool": "dispatch",
        "list_resources": "offer",
        "app": "mcp_server",
    }
    for path in [path for path in files if path.endswith(".py")]:
        text = files.pop(path)
        for old, new in names.items():
            text = re.sub(rf"\b{old}\b", new, text)
        for registered in ("read_resource", "call_tool", "list_resources"):
            text = text.replace(f"@mcp_server.{names[registered]}()", f"@mcp_server.{registered}()")
        text = text.replace("serve(resource_uri", "read_resource(resource_uri")
        files[{"session_auth.py": "gate.py", "tool_description_loader.py": "shelf.py"}.get(path, path)] = text


def split(files: Files) -> None:
    """The handlers of resources in a module of their own, which registers them."""
    text = files[SERVER]
    handlers = between(text, "@app.list_resources()", "@app.list_tools()")
    objects = between(text, "# Initialize modules", "@app.list_resources()")
    imports = between(text, "from urllib", "import json") + between(
        text, "from session_auth", "\n\ndef handle_tool_one"
    )
    text = text.replace(handlers, "").replace(objects, "\nregister_resources(app)\n\n\n")
    text = text.replace(imports.split("\n", 1)[0] + "\n", "").replace("from pathlib import Path\n", "")
    text = text.replace(
        between(text, "from session_auth", "\n\ndef handle_tool_one"),
        "from resources import register_resources, session_auth\n",
    )
    files[SERVER] = text.replace("import Resource, TextContent", "import TextContent")
    files["resources.py"] = (
        '"""The resources of the server."""\n\nimport json\n'
        + imports
        + "from mcp.types import Resource\n\n"
        + objects
        + "def register_resources(app) -> None:\n"
        + indent(handlers.strip() + "\n", "    ")
    )


def in_one_file(files: Files) -> None:
    loader, auth = files.pop("tool_description_loader.py"), files.pop("session_auth.py")
    replaced(
        files,
        SERVER,
        (IMPORTS, ""),
        (
            "import asyncio\n",
            "import asyncio\nimport logging\nimport time\nfrom typing import Dict, List, Optional, Set\n",
        ),
        (
            "# Initialize modules",
            "\n".join(part[part.index("class ") :] for part in (loader, auth)) + "\n\n# Initialize",
        ),
    )
    replaced(files, SERVER, (MADE, 'logger = logging.getLogger(__name__)\napp = Server("my-server")'))


def richer(files: Files) -> None:
    content = json.loads(files[ONE])
    content["examples"].append({"description": "By hand", "input": {"param1": "x", "param2": 1}})
    content |= {"category": "things", "see_also": ["tool_two"], "limits": {"per_minute": 60}}
    files[ONE] = json.dumps(content, indent=4, ensure_ascii=False)


NOTES = """
    if uri == NOTES_URI:
        return notes.text()
"""
NOTES_CLASS = """
class Notes:
    def text(self) -> str:
        return "tides"


notes = Notes()
NOTES_URI = "notes://all"
"""
OWN = """    return [
        Resource(uri=NOTES_URI, name="Notes"),
"""


def resources_beside(files: Files) -> None:
    """Another resource, before what is about tools."""
    replaced(
        files,
        SERVER,
        (MADE, NOTES_CLASS.strip() + '\napp = Server("my-server")'),
        ("    return [\n        Resource(\n", OWN + "        Resource(\n"),
        ("    parsed = urlparse(uri)\n", NOTES.lstrip("\n") + "    parsed = urlparse(uri)\n"),
    )


CLEANUP = """
async def sweep() -> None:
    while True:
        await asyncio.sleep(600)
        session_auth.cleanup_stale_sessions()


async def main() -> None:
    task = asyncio.create_task(sweep())
"""
DENIED = """\
    if not uri.startswith('resource:///tool_descriptions'):
        # nothing else is here
        raise ValueError(f'Unknown resource: {uri}')

"""
HELPER = '''
URI = "resource:///tool_descriptions"


def refusal(name: str) -> list[TextContent]:
    """What a caller is told."""
    error = {"code": "TOOL_DESCRIPTION_REQUIRED", "resource_uri": f"{URI}?tools={name}"}
    return [TextContent(type="text", text=json.dumps({"error": error}))]


app = Server("my-server")
'''


def helper(files: Files) -> None:
    body = between(
        files[SERVER],
        '        error = {\n            "error": {\n                "code": "TOOL',
        "    # Tool is authorized",
    )
    replaced(
        files,
        SERVER,
        (body, "        return refusal(name)\n\n"),
        ('\napp = Server("my-server")\n', HELPER),
        ('uri="resource:///tool_descriptions"', "uri=URI"),
    )


def in_package(files: Files) -> None:
    for path in [*files]:
        files[f"pkg/{path}"] = files.pop(path)
    files["pkg/__init__.py"] = ""
    replaced(files, "pkg/server.py", ("from session_auth", "from .session_auth"), ("from tool_desc", "from .tool_desc"))


def marked(files: Files) -> None:
    """As an editor on Windows leaves JSON, which the loader therefore reads as ``utf-8-sig``."""
    for path in (ONE, TWO):
        files[path] = "\ufeff" + files[path]
    replaced(files, "tool_description_loader.py", ("encoding='utf-8'", "encoding='utf-8-sig'"))


def windows(files: Files) -> None:
    for path in files:
        files[path] = files[path].replace("\n", "\r\n")


ACCESSOR = """\
_AUTH = SessionAuthorization()


def auth() -> SessionAuthorization:
    return _AUTH


"""


def behind_a_function(files: Files) -> None:
    """The record of sessions in a module of its own, behind a function."""
    replaced(
        files,
        SERVER,
        ("from session_auth import SessionAuthorization\n", "from auth import auth\n"),
        ("session_auth = SessionAuthorization()\n", ""),
        ("session_auth.", "auth()."),
    )
    files["auth.py"] = f"from session_auth import SessionAuthorization\n\n{ACCESSOR}"


COUNTING = '    return {"success": True, "count": len(arguments.get("items", []))}'
CLASS_STATE = """\
class Granted:
    sessions: dict[int, set[str]] = {}

    @classmethod
    def add(cls, session, name: str) -> None:
        cls.sessions.setdefault(id(session), set()).add(name)

    @classmethod
    def has(cls, session, name: str) -> bool:
        return name in cls.sessions.get(id(session), set())


app = Server("my-server")
"""


def kept_in_a_class(files: Files) -> None:
    replaced(
        files,
        SERVER,
        (f"{MADE}\n", CLASS_STATE),
        ("session_auth.authorize_tool(", "Granted.add("),
        ("session_auth.is_authorized(", "Granted.has("),
        ("session_auth = SessionAuthorization()\n", ""),
        ("from session_auth import SessionAuthorization\n", ""),
    )


def and_told(change: Callable[[Files], None], path: str, *pairs: tuple[str, str]) -> Callable[[Files], None]:
    def both(files: Files) -> None:
        change(files)
        replaced(files, path, *pairs)

    return both


def logged_elsewhere(files: Files) -> None:
    files["metrics.py"] = "FETCHES: list[str] = []\n\n\ndef total() -> int:\n    return len(FETCHES)\n"
    replaced(
        files,
        SERVER,
        ("import asyncio\n", "import asyncio\n\nfrom metrics import FETCHES, total\n"),
        ("    # Load descriptions\n", "    FETCHES.append(uri)\n"),
        (COUNTING, '    return {"fetches": total()}'),
    )


SAID = "Brief description of what this tool does - sufficient for selection"
LOOP = f"""\
    tools = []
    for name, text in (("tool_one", "{SAID}"), ("tool_two", "{SAID}")):
        tools.append(Tool(name=name, description=text, inputSchema={{"type": "object", "additionalProperties": True}}))
    return tools
"""
LOADS = """\
    tools = []
    for name in tool_loader.list_available():
        text = tool_loader.load(name)["description"].split(".")[0]
        tools.append(Tool(name=name, description=text, inputSchema={"type": "object", "additionalProperties": True}))
    return tools
"""
GLOB = "taken over only where source shows which tools are listed: glob of a path depends on the machine"


def listed(body: str, *pairs: tuple[str, str]) -> Callable[[Files], None]:
    """Another body of ``list_tools``."""

    def change(files: Files) -> None:
        made = between(files[SERVER], "    return [\n        Tool(", "@app.call_tool()")
        replaced(files, SERVER, (made, f"{body}\n\n"), *pairs)

    return change


ADOPTED: Mapping[str, Variant] = {
    "as the guide says": Variant(server()),
    "other names": Variant(renamed),
    "in one file": Variant(in_one_file),
    "richer descriptions": Variant(richer),
    "other addresses denied": Variant(
        server(
            (
                "    # Parse query parameters\n",
                DENIED + "    # Parse query parameters\n",
            )
        )
    ),
    "a helper for the refusal": Variant(helper),
    "a record behind a function": Variant(behind_a_function),
    "a record in a class": Variant(kept_in_a_class),
    "in a package": Variant(in_package, start=("-m", "pkg.server")),
    "lines that end as on Windows": Variant(windows),
    "files with a byte order mark": Variant(marked),
    "a list made in a loop": Variant(listed(LOOP)),
}


def elsewhere(files: Files) -> None:
    for path in (ONE, TWO):
        files[path.replace("tool_descriptions", "docs/tools")] = files.pop(path)
    replaced(files, SERVER, ('Path(__file__).parent / "tool_descriptions"', 'Path(__file__).parent / "docs" / "tools"'))


def with_output_schema(files: Files) -> None:
    files[ONE] = json.dumps({**json.loads(files[ONE]), "outputSchema": {"type": "object"}})


def in_class(files: Files) -> None:
    text = files[SERVER]
    body = between(text, "@app.list_resources()", "async def main")
    inner = indent(body.replace("session_auth.", "self.auth.").replace("tool_loader.", "self.loader."), "        ")
    made = between(text, "# Initialize modules", "@app.list_resources()")
    head = (
        "class Notes:\n    def __init__(self) -> None:\n        self.auth = SessionAuthorization()\n"
        '        self.loader = ToolDescriptionLoader(Path(__file__).parent / "tool_descriptions")\n\n'
    )
    files[SERVER] = text.replace(made, "").replace(body, f"{head}{inner}\n\nnotes = Notes()\n\n\n")


STARTED = "    task = asyncio.create_task(sweep())\n"
"""How the task that cleans up is started."""
BESIDE = """\
    async def serve() -> None:
        async with stdio_server() as (read, write):
            await app.run(read, write, app.create_initialization_options())

    await asyncio.gather(serve(), sweep())
    return
"""
SWEEPS = "session_auth, which discloses tools by hand, is used in sweep() too"


def swept(*lines: str) -> Callable[[Files], None]:
    return server(("\nasync def main() -> None:\n", CLEANUP.replace(STARTED, "".join(lines))))


def noted(opened: str) -> Callable[[Files], None]:
    return server((MADE, f'MODE = "a"\n{MADE}'), ("    # Load descriptions\n", f"    {opened}.write(uri)\n"))


MAY_WRITE = "the code that reads the resource has other effects: it may write a file"
SCRIPT = "def sessions() -> None:\n    print(session_auth._sessions)\n\n\n"
LOADED = 'tool_loader.load("tool_two")["description"]'

REFUSED: Mapping[str, Variant] = {
    "handlers in another module": Variant(split, "its list_resources handler is not in server.py"),
    "another resource listed": Variant(
        resources_beside, "in list_resources(), more is done than to return a list of the one resource"
    ),
    "a task that cleans up": Variant(server(("\nasync def main() -> None:\n", CLEANUP)), SWEEPS),
    "a list of what the loader finds": Variant(listed(LOADS), GLOB),
    "another folder": Variant(elsewhere, 'no file beside the server holds what the resource gives for "tool_one"'),
    "another output": Variant(
        with_output_schema, f'{ONE} has outputSchema, and the code does not list "tool_one" with'
    ),
    "a tool that is free": Variant(
        server(
            (
                CHECK,
                'if name != "tool_two" and not session_auth.is_authorized(session, name):',
            )
        ),
        'call_tool() does not answer "tool_two" with TOOL_DESCRIPTION_REQUIRED before its description is read',
    ),
    "a fetch that counts": Variant(
        server(
            ("import asyncio\n", "import asyncio\nimport subprocess\n"),
            ("    # Load descriptions\n", '    subprocess.run(["logger", uri])\n'),
        ),
        "the code that reads the resource has other effects: subprocess is used",
    ),
    "a check that writes": Variant(
        server(
            (
                REFUSAL,
                f"        Path('log').write_text(name)\n{REFUSAL}",
            )
        ),
        "the code that checks calls has other effects: Path('log').write_text is used",
    ),
    "a fetch that opens a file in a mode with a name": Variant(noted('open("log", MODE)'), MAY_WRITE),
    "a task that is awaited with the server": Variant(swept(BESIDE), SWEEPS),
    "a tool that tells who may call": Variant(
        server(
            (
                '    return {"success": True, "count": len(arguments.get("items", []))}',
                '    return {"sessions": len(session_auth._sessions)}',
            )
        ),
        "session_auth, which discloses tools by hand, is used in handle_tool_two() too",
    ),
    "a list made of the files": Variant(
        server(
            (
                TWO_LISTED,
                TWO_LISTED.replace('"Brief description of what this tool does - sufficient for selection"', LOADED),
            )
        ),
        "tool_loader, which discloses tools by hand, is used in list_tools() too",
    ),
    "no check at all": Variant(
        lambda files: files.update(
            {SERVER: files[SERVER].replace(between(files[SERVER], "    # Check auth", "    # Tool is auth"), "")}
        ),
        'call_tool() does not answer "tool_one" with TOOL_DESCRIPTION_REQUIRED before its description is read',
    ),
    "descriptions by role": Variant(
        server(
            ("import asyncio\n", "import asyncio\nimport os\n"),
            (
                ANSWER,
                f'    if os.environ.get("ROLE") != "admin":\n        descriptions = {{}}\n{ANSWER}',
            ),
        ),
        'what read_resource() gives for "tool_one" is not settled by source: ',
    ),
    "handlers in a method": Variant(in_class, "its list_resources handler is no function at the top level of its file"),
    "a record behind a function that a tool reads": Variant(
        and_told(
            behind_a_function,
            SERVER,
            ("from auth import auth\n", "from auth import _AUTH, auth\n"),
            (COUNTING, '    return {"sessions": len(_AUTH._sessions)}'),
        ),
        "auth.py, which discloses tools by hand, is used in handle_tool_two() too",
    ),
    "a record that a console script may read": Variant(
        server(("async def main()", f"{SCRIPT}async def main()")),
        "session_auth, which discloses tools by hand, is used in sessions() too",
    ),
    "a list of fetches that a tool reads": Variant(
        logged_elsewhere, "metrics.py, which discloses tools by hand, is used in handle_tool_two() too"
    ),
    "a count in a class": Variant(
        server(
            (MADE, f"class Stats:\n    fetches = 0\n\n\n{MADE}"),
            ("    # Load desc", "    Stats.fetches += 1\n    # Load desc"),
        ),
        "the code that reads the resource has other effects: Stats.fetches is set",
    ),
    "two statements on a line": Variant(
        server(("session_auth = SessionAuthorization()\n", "session_auth = SessionAuthorization(); LIMIT = 3\n")),
        "what would have to go stands on a line with other code",
    ),
    "an object that a test asks": Variant(
        lambda files: files.update({"tests/test_it.py": "from server import session_auth\n"}),
        "session_auth, which discloses tools by hand, is used in tests/test_it.py too",
    ),
}

# ruff: noqa: E501 - most sources stand in one line
"""Programs that reach behind an SDK's back, and some that only look as if they did (``HARMLESS``)."""

from __future__ import annotations

from tests.soundness.sources import FAST, MANAGED, OFFICIAL, PROVIDED, Case, lowlevel, server

MCP1 = ("mcp1-fastmcp",)
FM2 = ("fastmcp2",)
FM3 = ("fastmcp3",)
LOW = ("mcp1-lowlevel",)
TWO_OF_FAST = ("fastmcp2", "fastmcp3")
TWO = ("mcp1-fastmcp", "fastmcp3")


# --- what a server keeps its tools in ---------------------------------------------------------------------------------

_SEVERAL = """
import asyncio, os
from mcp.types import ToolAnnotations
SHARED = ToolAnnotations(title="Shared")
@mcp.tool(annotations={"readOnlyHint": True})
def gamma(): ...
@mcp.tool(annotations=SHARED)
def delta(): ...
@mcp.tool(annotations=SHARED)
def epsilon(): ...
"""
_OWN = """
if hasattr(mcp, "get_tools"):
    items = asyncio.run(mcp.get_tools()).items()
else:
    items = ((t.name, t) for t in asyncio.run(mcp.list_tools()))
"""
_QUIET = """
from fastmcp.server.middleware import Middleware
from mcp.types import ToolAnnotations
class Titles(Middleware):
    async def on_list_tools(self, context, call_next):
        CHANGE
class Again(Middleware):
    async def on_list_tools(self, context, call_next):
        return list(await call_next(context))
"""


def _titled(change: str, more: str = "") -> dict[str, str]:
    """A middleware that changes annotations, and another one around it."""
    both = "mcp.add_middleware(Again())\nmcp.add_middleware(Titles())"
    return server(before=_QUIET.replace("CHANGE", change), between=_SEVERAL + more, after=both)


_ONLY = "for name in [n for n, t in items if not (t.annotations and t.annotations.readOnlyHint)]:\n    mcp.remove_tool(name)"
_CONFIGURING = {
    "set by update": 'ArgModelBase.model_config.update(extra="allow")',
    "set on one path": 'if os.environ.get("STRICT") is None:\n    ArgModelBase.model_config["extra"] = "forbid"',
}
_BASE = "import os\nfrom pydantic import ConfigDict\nfrom HOME.utilities.func_metadata import ArgModelBase\n"


def _fresh(code: str) -> Case:
    late = '@mcp.tool()\ndef gamma(z: "list[int] | None" = None) -> str:\n    return "c"'
    between = f"@mcp.tool()\ndef early(x: int) -> str:\n    return 'e'\n{code}\n{late}"
    return Case(OFFICIAL, server(before=_BASE, between=between), fresh=True)


MODELS = {f"the base of arguments is {how}": _fresh(code) for how, code in _CONFIGURING.items()}
CONTAINERS = {
    "tools that are not marked are removed behind a middleware": Case(("fastmcp2",), server(
        before="from fastmcp.server.middleware import Middleware\nclass Quiet(Middleware):\n"
        "    async def on_call_tool(self, context, call_next):\n        return await call_next(context)",
        between=_SEVERAL, after="mcp.add_middleware(Quiet())" + _OWN + _ONLY,
    ), settled=("gamma",)),
    "annotations are set on one path": Case(TWO, server(
        before="import asyncio, os", between=_SEVERAL,
        after="if os.environ.get('DEBUG'):\n    for tool in asyncio.run(mcp.list_tools()):\n        if tool.annotations is not None:\n"
        "            tool.annotations.title = 'Debugged'",
    ), settled=("alpha", "beta")),
    "the annotations of a tool of the manager are a model": Case(OFFICIAL, server(
        between=_SEVERAL,
        after="for name in ('alpha', 'gamma', 'delta'):\n    found = mcp._tool_manager.get_tool(name).annotations\n"
        "    if isinstance(found, dict):\n        mcp.remove_tool('alpha')\n    elif found is not None:\n        found.title = name",
    ), settled=("alpha", "beta")),
    "a tool is removed where the SDK has no handler to wrap": Case(("mcp1-fastmcp", *TWO_OF_FAST), server(
        before="import mcp.types as types",
        after="own = mcp._mcp_server.request_handlers.get(types.ListToolsRequest)\nif own and own is not None and callable(own):\n"
        "    async def fewer(request):\n        result = await own(request)\n"
        "        result.root.tools = [t for t in result.root.tools if t.name != 'beta']\n        return result\n"
        "    mcp._mcp_server.request_handlers[types.ListToolsRequest] = fewer\nelse:\n    mcp.remove_tool('alpha')",
    )),
    "a handler is none on one path": Case(MCP1, server(
        before="import os\nimport mcp.types as types",
        after="HANDLERS = mcp._mcp_server.request_handlers\nown = HANDLERS[types.ListToolsRequest]\n"
        "HANDLERS[types.ListToolsRequest] = own if os.environ.get('ONE') else None",
    )),
    "a handler of the program is wrapped on one path": Case(MCP1, server(
        before="import os\nimport mcp.types as types",
        after="@mcp._mcp_server.list_tools()\nasync def mine():\n    return [t for t in await mcp.list_tools() if t.name != 'beta']\n"
        "own = mcp._mcp_server.request_handlers[types.ListToolsRequest]\nif os.environ.get('LOG'):\n"
        "    async def logged(request):\n        result = await own(request)\n        print(len(result.root.tools))\n        return result\n"
        "    mcp._mcp_server.request_handlers[types.ListToolsRequest] = logged",
    ), settled=("alpha",)),
    "a middleware gives titles to annotations of tools that have one": Case(
        FAST,
        _titled(
            "tools = await call_next(context)\n        return [t.model_copy(update={'annotations': (t.annotations or ToolAnnotations())"
            ".model_copy(update={'title': t.title})}) if t.title else t for t in tools]",
            "@mcp.tool(title='Zeta', annotations=SHARED)\ndef zeta():\n    pass\n",
        ),
        settled=("zeta",),
    ),
    "a middleware changes the annotations of one tool": Case(
        FAST,
        _titled(
            "tools = list(await call_next(context))\n        next(t for t in tools if t.name == 'delta').annotations.title = 'Short'\n"
            "        return tools"
        ),
        settled=("alpha", "beta", "gamma"),
    ),
    **{
        f"a tool is removed where {where}": Case(
            TWO_OF_FAST,
            server(after=f"try:\n    {line}\nexcept {error}:\n    mcp.remove_tool('alpha')\nelse:\n    mcp.remove_tool('beta')"),
        )
        for where, line, error in (
            ("a module cannot be imported", "import fastmcp.server.openapi.nothing", "ModuleNotFoundError"),
            ("a name of a later release cannot be imported", "from fastmcp.tools import ToolResult", "ImportError"),
        )
    },
    "a tool is removed where tools have no key": Case(
        OFFICIAL, server(after="if not hasattr(mcp._tool_manager.get_tool('alpha'), 'key'):\n    mcp.remove_tool('alpha')"), settled=("beta",)
    ),
    "the manager is a new one by __dict__": Case(
        OFFICIAL, server(after="from HOME.tools import ToolManager\nmcp.__dict__['_tool_manager'] = ToolManager()")
    ),
    "the server gets another class": Case(OFFICIAL, server(
        before="class Fewer(SERVER):\n    pass",
        after="mcp.__class__ = Fewer\nmcp._tool_manager.__dict__['_tools'].pop('beta')",
    )),
    "tool of one server is replaced by setattr": Case(
        MCP1,
        server(between="old = mcp.tool\ndef tool(*args, **options):\n    return lambda fn: fn if fn.__name__ == 'beta' else old(*args, **options)(fn)\nsetattr(mcp, 'tool', tool)"),
    ),
    "components of a provider are replaced": Case(
        PROVIDED,
        server(after="mcp._local_provider._components = {k: v for k, v in mcp._local_provider._components.items() if 'beta' not in k}"),
    ),
    "the providers are emptied": Case(PROVIDED, server(after="mcp.providers.clear()")),
    "the handlers by a mount point of exec": Case(MCP1, server(after="exec(\"mcp._tool_manager._tools.pop('beta')\")")),
    "the text of a listed tool is set, of a server that may have removed another": Case(
        ("fastmcp3", "fastmcp4"),
        server(
            before="import asyncio, os",
            after="if os.environ.get('LESS'):\n    mcp.remove_tool('alpha')\nfor tool in asyncio.run(mcp.list_tools()):\n    setattr(tool, 'description', 'Short.')",
        ),
    ),
    "a schema is changed through a copy of a listed tool": Case(("fastmcp3", "fastmcp4"), server(
        before="import asyncio, os",
        after="if os.environ.get('LESS'):\n    mcp.remove_tool('alpha')\nfor tool in asyncio.run(mcp.list_tools()):\n    tool.model_copy().parameters['title'] = 'Short.'",
    )),
    "the schema of results is changed in place": Case(
        OFFICIAL,
        server(after="for tool in mcp._tool_manager.list_tools():\n    tool.fn_metadata.output_schema.pop('title')"),
    ),
    "what converts results is taken away": Case(
        OFFICIAL,
        server(after="class Own:\n    output_schema = None\nmcp._tool_manager.get_tool('beta').fn_metadata = Own()"),
        settled=("alpha",),
    ),
    "the schema of results is set after the server has listed": Case(OFFICIAL, server(
        before="import asyncio",
        after="asyncio.run(mcp.list_tools())\nmcp._tool_manager.get_tool('beta').fn_metadata.output_schema = None",
    ), settled=("alpha",)),
}  # fmt: skip

# --- classes and functions of an SDK ----------------------------------------------------------------------------------

_SHORT = """
async def short(self, *args):
    return []
"""
PATCHES = {
    "the class is patched by a function": Case(TWO, server(
        before=_SHORT + "def patch(cls):\n    cls.list_tools = short\npatch(SERVER)"
    )),
    "mock.patch around the registration": Case(
        MCP1,
        server(after="from unittest.mock import patch\nwith patch('mcp.server.fastmcp.tools.tool_manager.ToolManager.add_tool', lambda *a, **o: None):\n    @mcp.tool()\n    def gamma(x: int) -> str:\n        return 'c'"),
    ),
    "the model of a tool on the wire is patched": Case(LOW, lowlevel("old = types.Tool.__init__\ndef made(self, **fields):\n    old(self, **{**fields, 'description': 'Short.'})\ntypes.Tool.__init__ = made")),
}  # fmt: skip

# --- one module under two names ---------------------------------------------------------------------------------------

_MADE = "from HOME import SERVER\nmcp = SERVER('m')\n@mcp.tool()\ndef own(x: int) -> str:\n    'Own.'\n    return 'a'\n"
_RUN = "\nif __name__ == '__main__':\n    mcp.run()\n"
_TOOL = "\n@mcp.tool()\ndef alpha(x: int) -> str:\n    'Alpha.'\n    return 'a'\n"
TWICE = {
    "imported again by the function that registers": Case(
        MCP1,
        {
            "server.py": _MADE + "import tools\ntools.register()\n" + _RUN,
            "tools.py": "def register():\n    from server import mcp\n    @mcp.tool()\n    def alpha(x: int) -> str:\n        return 'a'\n",
        },
        settled=("own",),
    ),
    "the server is taken from __main__": Case(
        MCP1,
        {"server.py": _MADE + "import tools\n" + _RUN, "tools.py": "from __main__ import mcp\n" + _TOOL},
        settled=("own",),
    ),
    "the server is taken from sys.modules": Case(
        MCP1,
        {
            "server.py": _MADE + "import tools\n" + _RUN,
            "tools.py": "import sys\nmcp = sys.modules['__main__'].mcp\n" + _TOOL,
        },
        settled=("own",),
    ),
}  # fmt: skip

# --- lifespans and settings --------------------------------------------------------------------------------------------


def _living(body: str, before: str = "") -> dict[str, str]:
    return server(
        before=f"from contextlib import asynccontextmanager\n{before}\n@asynccontextmanager\nasync def lifespan(app):\n    {body}\n    yield {{}}\n",
        options=", lifespan=lifespan",
    )


LIFESPANS = {
    "it adds a tool": Case(("mcp1-fastmcp", "fastmcp2"), _living("app.add_tool(gamma) if False else app.tool()(gamma)", before="def gamma(z: int) -> str:\n    return 'c'")),
    "a class": Case(MCP1, server(
        before="class Lifespan:\n    def __init__(self, app):\n        self.app = app\n    async def __aenter__(self):\n        self.app.remove_tool('beta')\n        return {}\n    async def __aexit__(self, *error):\n        pass\n",
        options=", lifespan=Lifespan",
    )),
}  # fmt: skip

_META = "FASTMCP_INCLUDE_FASTMCP_META"
SETTINGS = {
    "by .env": Case(FM2, {".env": f"{_META}=false\n", **server()}, fresh=True),
    "by load_dotenv": Case(FM2, {"my.env": f"{_META}=false\n", "server.py": "from dotenv import load_dotenv\nload_dotenv('my.env')\n" + server()["server.py"]}, fresh=True),
    "tags that are left out": Case(FM2, server(before="import fastmcp\nfastmcp.settings.exclude_tags = {'hidden'}", after="@mcp.tool(tags={'hidden'})\ndef gamma(z: int) -> str:\n    return 'c'")),
    "the mode of decorators": Case(FM3, {"server.py": "import os\nos.environ['FASTMCP_DECORATOR_MODE'] = 'object'\n" + server(after="beta.disable() if hasattr(beta, 'disable') else None")["server.py"]}, fresh=True),
}  # fmt: skip

# --- how it is started ----------------------------------------------------------------------

_BY_JSON = '{"source": {"path": "server.py", "entrypoint": "mcp"}}'
RUN_JSON = ("fastmcp", "run", "fastmcp.json", "--skip-env", "--no-banner")
STARTS = {
    "by fastmcp.json, in main": Case(FM3, {"fastmcp.json": _BY_JSON, "server.py": server()["server.py"].replace("if __name__", "def main():\n    @mcp.tool()\n    def gamma(z: int) -> str:\n        return 'c'\n    mcp.run()\n\nif __name__").replace("':\n    mcp.run()", "':\n    main()").replace('":\n    mcp.run()', '":\n    main()')}, start=RUN_JSON),
    "by fastmcp.json, a removal": Case(FM3, {"fastmcp.json": _BY_JSON, "server.py": server()["server.py"].replace("    mcp.run()", "    mcp.local_provider.remove_tool('beta')\n    mcp.run()")}, start=RUN_JSON),
    "by fastmcp.json, an import": Case(
        FM3,
        {
            "fastmcp.json": _BY_JSON,
            "made.py": "from fastmcp import FastMCP\nmcp = FastMCP('m')\n",
            "tools.py": "from made import mcp\n@mcp.tool()\ndef gamma(z: int) -> str:\n    return 'c'\n",
            "server.py": "from made import mcp\nif __name__ == '__main__':\n    import tools\n    mcp.run()\n",
        },
        start=RUN_JSON,
    ),
}  # fmt: skip
# --- what only looks so -----------------------------------------------------------------------------------------------

BOTH = ("alpha", "beta")
HARMLESS = {
    "who may connect is replaced": Case(
        MCP1,
        server(before="from mcp.server.auth import routes", after="routes.validate_issuer_url = lambda url: None"),
        settled=("alpha", "beta"),
    ),
    "settings that change no listing": Case(MCP1, server(after="mcp.settings.port = 8000\nmcp.settings.log_level = 'DEBUG'"), settled=BOTH),
    "settings of fastmcp that change no listing": Case(FM2, server(before="import fastmcp\nfastmcp.settings.log_level = 'DEBUG'\nfastmcp.settings.stateless_http = True"), settled=BOTH),
    "an environment that changes no listing": Case(FM2, {"server.py": "import os\nos.environ['FASTMCP_LOG_LEVEL'] = 'ERROR'\nos.environ.setdefault('FASTMCP_SHOW_CLI_BANNER', 'false')\n" + server()["server.py"]}, fresh=True, settled=BOTH),
    "tests patch": Case(MCP1, {"tests/test_it.py": "from unittest.mock import patch\nfrom mcp.server.fastmcp import FastMCP\nFastMCP.list_tools = None\n", **server()}, settled=BOTH),
    "calls are counted by the manager": Case(MANAGED, server(after="manager = mcp._tool_manager\noriginal = manager.call_tool\nasync def counted(*args, **kwargs):\n    return await original(*args, **kwargs)\nmanager.call_tool = counted")),
}  # fmt: skip

SIBLINGS = {
    "a lifespan in a wrapper": Case(MCP1, server(
        before="import contextlib\nasync def living(app):\n    app.remove_tool('beta')\n    yield {}\n",
        options=", lifespan=contextlib.asynccontextmanager(living)",
    )),
    "a lifespan by keywords": Case(MCP1, server(
        before="import contextlib\n@contextlib.asynccontextmanager\nasync def living(app):\n    app.remove_tool('beta')\n    yield {}\nOPTIONS = {'lifespan': living}",
        options=", **OPTIONS",
    )),
    "a patch by a decorator of the program": Case(MCP1, server(
        before="def patches(cls, name):\n    def put(function):\n        setattr(cls, name, function)\n        return function\n    return put\n@patches(SERVER, 'list_tools')\nasync def none(self):\n    return []",
    )),
}  # fmt: skip

_GONE = "mcp.remove_tool('beta')"
_TOOL = "mcp._tool_manager.get_tool('beta')"
_GAMMA = "def gamma(z: int) -> str:\n    'Gamma.'\n    return ''\n"
HOOKS = {
    "a removal where a pattern matches": Case(MCP1, server(after="match [mcp]:\n    case [it]:\n        it.remove_tool('beta')")),
    "a task of a group removes": Case(MCP1, server(after=f"import anyio\nasync def gone():\n    {_GONE}\nasync def main():\n    async with anyio.create_task_group() as group:\n        group.start_soon(gone)\nanyio.run(main)")),
    "an executor removes": Case(MCP1, server(after="from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as pool:\n    pool.submit(mcp.remove_tool, 'beta')")),
    "a filter of a log removes": Case(MCP1, server(after=f"import logging\nclass Filter(logging.Filter):\n    def filter(self, record):\n        {_GONE}\n        return True\nlogging.getLogger().addFilter(Filter())\nlogging.getLogger().warning('x')")),
    "a validator removes": Case(MCP1, server(before="from pydantic import BaseModel, field_validator", after=f"class Note(BaseModel):\n    text: str\n    @field_validator('text')\n    def check(cls, value):\n        {_GONE}\n        return value\nNote(text='a')")),
    "a tool's fields by its own method": Case(MCP1, server(after=f"{_TOOL}.__setattr__('description', 'X')")),
    "a hook of a parser adds": Case(MCP1, server(before=_GAMMA, after="import json\njson.loads('{}', object_hook=lambda found: mcp.add_tool(gamma))")),
    "a tool removes when it is called": Case(MCP1, server(after=f"@mcp.tool()\ndef forget() -> str:\n    'Forget.'\n    {_GONE}\n    return ''"), settled=("alpha", "beta")),
}  # fmt: skip
TABLES: dict[str, dict[str, Case]] = {
    "hooks": HOOKS,
    "containers": CONTAINERS,
    "models of arguments": MODELS,
    "patches": PATCHES,
    "twice": TWICE,
    "lifespans": LIFESPANS,
    "settings": SETTINGS,
    "starts": STARTS,
    "siblings": SIBLINGS,
    "harmless": HARMLESS,
}

"""The frameworks and clients, each with the environment that it runs in."""

from __future__ import annotations

from dataclasses import dataclass

from tests.support.environments import FASTMCP2, FASTMCP4, MCP1, MCP2

KEPT, PER_CALL, PER_COMMAND, WITHOUT = "kept", "per call", "per command", "none"
BRIDGE, RESOURCE, REFUSAL = "bridge", "resource", "refusal"


@dataclass(frozen=True)
class Framework:
    """One way to use one framework.

    ``session`` is what it was traced to do: keep one, open one for each call without listing in it, start a command
    that lists and calls in a session of its own, or ask a server that has none.  ``fetch`` is how descriptions are
    fetched: by the bridge where a model does it, by the resource where the caller can read one, or not at all where the
    host lets neither through, so that refusals bring them.  ``era`` is the version of the protocol that it insists on.
    ``on`` are the servers that it is tried on, if not all.  ``excused`` are the checks that no server could pass with
    it, ``because`` of what it does itself; ``unable`` names servers whose list it cannot take as it is before the
    migration.
    """

    name: str
    title: str
    driver: str
    pins: tuple[str, ...]
    mode: str = ""
    session: str = KEPT
    fetch: str = BRIDGE
    era: str = ""
    excused: tuple[str, ...] = ()
    because: str = ""
    unable: tuple[str, ...] = ()
    on: tuple[str, ...] = ()

    def is_for(self, server: str, *, both_eras: bool, odd: bool) -> bool:
        """Whether it is tried on a server of that name: on odd ones only if it says so."""
        if self.era and not both_eras:
            return False
        return server in self.on if self.on else not odd

    @property
    def version(self) -> str:
        """That of the first pin."""
        return self.pins[0].rpartition("==")[2]


_SOME = ("mcp1_lowlevel", "fastmcp3", "mcp2_mcpserver")
_PYDANTIC = "pydantic==2.14.3"
_OPENAI = "openai==3.54.0"
_MCP1, _MCP2 = "mcp==1.30.0", "mcp==2.3.0"
_PYDANTIC_AI = ("pydantic-ai-slim[mcp,openai]==2.68.0", _MCP2, _OPENAI, _PYDANTIC)
_SMOLAGENTS = ("smolagents[mcp,openai]==1.26.0", "mcpadapt==0.1.19", _MCP1, _OPENAI, _PYDANTIC)
_LLAMA = (
    "llama-index-tools-mcp==0.6.0",
    "llama-index-core==0.14.25",
    "llama-index-llms-openai-like==0.8.1",
    _MCP2,
    _PYDANTIC,
)
_AGENTS = ("openai-agents==0.24.0", _MCP2, _OPENAI, _PYDANTIC)
_LANGCHAIN = ("langchain==1.4.7", "langchain-openai==1.7.3", _OPENAI, _PYDANTIC)
_ADAPTERS = ("langchain-mcp-adapters==0.3.2", *_LANGCHAIN, _MCP1)
_AUTOGEN = ("autogen-ext[mcp,openai]==0.7.5", "autogen-agentchat==0.7.5", _MCP1, _OPENAI, _PYDANTIC)
_CREWAI = ("crewai==1.15.30", "crewai-tools[mcp]==1.15.30", "mcpadapt==0.1.19", _MCP1)
_MICROSOFT = (
    "agent-framework-core==1.23.0",
    "agent-framework-openai==1.17.0",
    "tenacity==9.1.2",
    _MCP2,
    _OPENAI,
    _PYDANTIC,
)
_HIDES = "it tells the model of every error only that the function failed, unless it is told to include the details"
_INSPECTOR = (
    "it starts the server anew for each command, and lists in each before it calls: a refusal is all that it can see "
    "(set `PROGRESSIVE_DISCLOSURE=off` for it)"
)

FRAMEWORKS = (
    Framework("mcp1", "mcp `ClientSession`", "mcp1.py", MCP1, fetch=RESOURCE),
    Framework("mcp2", "mcp `Client`, handshake", "mcp2.py", MCP2, mode="legacy", fetch=RESOURCE),
    Framework(
        "mcp2-2026", "mcp `Client`, 2026-07-28", "mcp2.py", MCP2, mode="2026-07-28", fetch=RESOURCE, era="2026-07-28"
    ),
    Framework(
        "typescript",
        "TypeScript SDK `Client`",
        "typescript.mjs",
        ("@modelcontextprotocol/sdk==1.32.2",),
        fetch=RESOURCE,
    ),
    Framework("fastmcp2", "fastmcp `Client`", "fastmcp_client.py", FASTMCP2, fetch=RESOURCE),
    Framework("fastmcp4", "fastmcp `Client`", "fastmcp_client.py", FASTMCP4, fetch=RESOURCE),
    Framework(
        "fastmcp4-several",
        "fastmcp `Client`, several servers",
        "fastmcp_several.py",
        FASTMCP4,
        fetch=RESOURCE,
        on=_SOME,
    ),
    Framework(
        "mcp1-workers",
        "mcp `ClientSession`, two workers of uvicorn",
        "mcp1_workers.py",
        MCP1,
        session=WITHOUT,
        on=("unnamed",),
    ),
    Framework("openai-agents", "openai-agents", "openai_agents.py", _AGENTS),
    Framework(
        "openai-agents-allowed",
        "openai-agents, static allow-list",
        "openai_agents.py",
        _AGENTS,
        mode="allowed",
        fetch=REFUSAL,
        on=_SOME,
    ),
    Framework(
        "openai-agents-two",
        "openai-agents, two unnamed servers",
        "openai_agents.py",
        _AGENTS,
        mode="two",
        on=("unnamed",),
    ),
    Framework("openai-agents-strict", "openai-agents, strict schemas", "openai_agents.py", _AGENTS, mode="strict"),
    Framework(
        "pydantic-ai",
        "pydantic-ai `MCPToolset`",
        "pydantic_ai_agent.py",
        _PYDANTIC_AI,
    ),
    Framework(
        "pydantic-ai-filtered",
        "pydantic-ai `MCPToolset.filtered()`",
        "pydantic_ai_agent.py",
        _PYDANTIC_AI,
        mode="filtered",
        fetch=REFUSAL,
        on=_SOME,
    ),
    Framework(
        "google-adk",
        "google-adk `McpToolset`",
        "google_adk_agent.py",
        ("google-adk[mcp]==2.13.0", _MCP2, _PYDANTIC),
    ),
    Framework(
        "strands",
        "strands-agents `MCPClient`",
        "strands_agent.py",
        ("strands-agents[openai]==1.62.0", "mcp==2.1.1", "openai==2.54.0", _PYDANTIC),
    ),
    Framework(
        "agno", "agno `MCPTools`", "agno_agent.py", ("agno==3.1.10", "fastmcp==4.1.2", _MCP2, _OPENAI, _PYDANTIC)
    ),
    Framework(
        "agent-framework",
        "agent-framework `MCPStdioTool`",
        "agent_framework_agent.py",
        _MICROSOFT,
        excused=("first call",),
        because=_HIDES,
        unable=("fastmcp2",),
    ),
    Framework(
        "agent-framework-detailed",
        "agent-framework, `include_detailed_errors`",
        "agent_framework_agent.py",
        _MICROSOFT,
        mode="detailed",
        unable=("fastmcp2",),
    ),
    Framework(
        "smolagents",
        "smolagents `MCPClient`",
        "smolagents_agent.py",
        _SMOLAGENTS,
    ),
    Framework(
        "smolagents-pages", "smolagents `MCPClient`, two pages", "smolagents_agent.py", _SMOLAGENTS, on=("paged",)
    ),
    Framework(
        "langchain-get-tools",
        "langchain-mcp-adapters `get_tools`",
        "langchain_adapters.py",
        _ADAPTERS,
        mode="get_tools",
        session=PER_CALL,
    ),
    Framework(
        "langchain-session",
        "langchain-mcp-adapters `session`",
        "langchain_adapters.py",
        _ADAPTERS,
        mode="session",
    ),
    Framework(
        "langchain-mcp",
        "langchain `MCPAdapter`",
        "langchain_mcp.py",
        ("langchain[mcp]==1.4.7", "langchain-openai==1.7.3", "fastmcp==4.1.2", _MCP2, _OPENAI, _PYDANTIC),
    ),
    Framework(
        "llama-index",
        "llama-index-tools-mcp `McpToolSpec`",
        "llama_index_agent.py",
        _LLAMA,
        session=PER_CALL,
    ),
    Framework(
        "llama-index-resources",
        "llama-index-tools-mcp `include_resources`",
        "llama_index_agent.py",
        _LLAMA,
        mode="resources",
        session=PER_CALL,
        unable=("mcp1_lowlevel",),
        on=_SOME,
    ),
    Framework(
        "autogen-tools",
        "autogen-ext `mcp_server_tools`",
        "autogen_agent.py",
        _AUTOGEN,
        mode="tools",
        session=PER_CALL,
        unable=("excel-mcp-server",),
    ),
    Framework("autogen-workbench", "autogen-ext `McpWorkbench`", "autogen_agent.py", _AUTOGEN, mode="workbench"),
    Framework(
        "crewai-native",
        "crewai `MCPServerStdio`",
        "crewai_agent.py",
        _CREWAI,
        mode="native",
        session=PER_CALL,
    ),
    Framework("crewai-tools", "crewai-tools `MCPServerAdapter`", "crewai_agent.py", _CREWAI, mode="adapter"),
    Framework(
        "mcp-use",
        "mcp-use `MCPAgent`",
        "mcp_use_agent.py",
        ("mcp-use==1.7.1", *_LANGCHAIN, _MCP1),
    ),
    Framework(
        "inspector",
        "inspector `--cli`",
        "inspector.mjs",
        ("@modelcontextprotocol/inspector==1.0.3",),
        session=PER_COMMAND,
        fetch=RESOURCE,
        excused=("required only", "nulls"),
        because=_INSPECTOR,
    ),
)

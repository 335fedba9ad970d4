"""Virtual environments with real SDKs, one per list of pins, built once and kept in ``.cache/environments``.

mcp 1.x and 2.x cannot share an environment, so a test names the one it needs and starts servers in it as
subprocesses.  ``uv`` builds them; it is among the test requirements.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache" / "environments"

MCP1 = ("mcp==1.30.0", "pydantic==2.14.3", "uvicorn", "starlette")
MCP2 = ("mcp==2.3.0", "pydantic==2.14.3", "uvicorn", "starlette")
FASTMCP2 = ("fastmcp==2.14.7", "mcp==1.30.0", "pydantic==2.14.3")
FASTMCP3 = ("fastmcp==3.4.10", "mcp==1.30.0", "pydantic==2.14.3")
FASTMCP4 = ("fastmcp==4.2.3", "mcp==2.3.0", "pydantic==2.14.3")
FASTMCP4_1 = ("fastmcp==4.1.2", "mcp==2.3.0", "pydantic==2.14.3")
PRE_COMMIT = ("pre-commit==4.2.0",)
SQLITE = (*MCP1, "mcp-server-sqlite==2025.4.25")

USED = (
    *("anyio._backends._asyncio", "anyio.abc", "black", "burner_redis", "docket", "docket._redis_credentials"),
    *("docket._redis_memory", "docket._redis_sentinel", "docket.tasks", "fastmcp", "fastmcp.apps.app"),
    *("fastmcp.client", "fastmcp.client.transports", "fastmcp.server.context", "fastmcp.server.middleware.dereference"),
    *("fastmcp.server.providers.prefab_synthesis", "fastmcp.server.server", "fastmcp.server.transforms.catalog"),
    *("flake8.main.application", "griffe", "isort.main", "jsonref", "mcp", "mcp.client.stdio"),
    *("mcp.client.streamable_http", "mcp.server.fastmcp", "mcp.server.lowlevel", "mcp.server.mcpserver"),
    *("mcp.server.sse", "mcp.server.stdio", "mcp.server.streamable_http_manager", "pre_commit.main", "pydantic"),
    *("pylint.lint", "pytest", "rich.padding", "rich.table", "skills_ref.cli", "starlette.applications"),
    *("starlette.routing", "uvicorn", "uvicorn.lifespan.on", "uvicorn.loops.asyncio", "uvicorn.loops.auto"),
    *("uvicorn.protocols.websockets.auto", "virtualenv.run"),
)
"""What servers, tools and tests import, and what that imports in turn."""


def environment(pins: tuple[str, ...], *, python: str | None = None) -> Path:
    """The interpreter of an environment with ``pins`` installed, built on first use; safe between processes."""
    version = python or f"{sys.version_info.major}.{sys.version_info.minor}"
    key = hashlib.sha256("\n".join((version, *pins)).encode()).hexdigest()[:12]
    with alone(CACHE / key) as target:
        interpreter = target / "bin" / "python"
        complete = target / ".complete"
        if not complete.exists():
            shutil.rmtree(target, ignore_errors=True)
            _uv("venv", "--quiet", "--python", version if python else sys.executable, str(target))
            _uv("pip", "install", "--quiet", "--python", str(interpreter), *pins)
            complete.touch()
        if complete.read_text(encoding="utf-8") != "\n".join(USED):
            _compile(interpreter)
            complete.write_text("\n".join(USED), encoding="utf-8")
    return interpreter


@contextmanager
def mypy_cache(name: str) -> Iterator[str]:
    """Where mypy keeps what it found in SDKs and in the standard library, which is most of its work."""
    with alone(ROOT / ".cache" / "mypy" / name) as folder:
        yield str(folder)


@contextmanager
def alone(folder: Path) -> Iterator[Path]:
    """The folder, while no other process of the tests works in it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def _uv(*arguments: str) -> None:
    uv = Path(sys.executable).with_name("uv")
    run([str(uv) if uv.exists() else "uv", *arguments], dict(os.environ))


def _compile(interpreter: Path) -> None:
    """Have Python keep the bytecode of what servers import: compiling all that is installed takes ten times as long."""
    program = f"""
import contextlib, importlib
for name in {USED!r}:
    with contextlib.suppress(ImportError):
        importlib.import_module(name)
"""
    writing = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    run([str(interpreter), "-W", "ignore", "-c", program], writing)


def run(command: list[str], variables: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, env=variables)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr}")

"""The clock of a mill, as a server that is given no name; with ``--http PORT`` two workers answer, without sessions."""

from __future__ import annotations

import os
import sys

from mcp.server.fastmcp import FastMCP

mcp = FastMCP(stateless_http=True)


@mcp.tool()
def strike(hour: int) -> str:
    """Say how often the clock strikes at an hour. It strikes twice as often on market days, which it is not told."""
    return "ding " * (hour % 12 or 12)


@mcp.tool()
def wind(turns: int, weight: str = "left") -> str:
    """Wind the clock by some turns. More than forty turns lift the weight into the beam, and are not made."""
    return f"the {weight} weight is up by {min(turns, 40)} turns"


@mcp.tool()
def which_worker() -> str:
    """Say which process of the server answers. It is for the one who looks after the clock, and nobody else."""
    return str(os.getpid())


app = mcp.streamable_http_app()

if __name__ == "__main__":
    if "--http" in sys.argv:
        import uvicorn

        port = int(sys.argv[sys.argv.index("--http") + 1])
        uvicorn.run("server:app", host="127.0.0.1", port=port, workers=2, log_level="error")
    else:
        mcp.run()

"""A weather house, as another server that is given no name."""

from __future__ import annotations

from mcp.server.fastmcp import FastMCP

mcp = FastMCP()


@mcp.tool()
def who_is_out(humidity: int) -> str:
    """Say which figure stands outside. The gut string needs an hour to follow the air, so the answer is an old one."""
    return "the woman" if humidity < 60 else "the man"


if __name__ == "__main__":
    mcp.run()

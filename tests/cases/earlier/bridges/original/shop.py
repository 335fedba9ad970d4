from mcp.server.fastmcp import FastMCP

mcp = FastMCP("mcp-server")


@mcp.tool()
def sell(loaf: str) -> str:
    """Sell one loaf. The oven must be warm; it takes forty minutes, and the answer says when it is done."""
    return loaf


if __name__ == "__main__":
    mcp.run()

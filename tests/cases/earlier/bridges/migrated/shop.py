from mcp.server.fastmcp import FastMCP

from progressive_disclosure import enable

mcp = FastMCP("mcp-server")
enable(mcp, stdio="enforce", http="advise", descriptions="mcp_server")


@mcp.tool()
def sell(loaf: str) -> str:
    """Sell one loaf. The oven must be warm; it takes forty minutes, and the answer says when it is done."""
    return loaf


if __name__ == "__main__":
    mcp.run()

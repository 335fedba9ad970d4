from mcp.server.fastmcp import FastMCP

from progressive_disclosure import enable

mcp = FastMCP()
enable(mcp, stdio="enforce", http="advise", descriptions="plain")


@mcp.tool()
def toast(loaf: str) -> str:
    """Toast one loaf. The oven must be warm; it takes forty minutes, and the answer says when it is done."""
    return loaf


if __name__ == "__main__":
    mcp.run()

from mcp.server.fastmcp import FastMCP

mcp = FastMCP()


@mcp.tool()
def toast(loaf: str) -> str:
    """Toast one loaf. The oven must be warm; it takes forty minutes, and the answer says when it is done."""
    return loaf


if __name__ == "__main__":
    mcp.run()

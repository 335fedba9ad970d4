from mcp.server.fastmcp import FastMCP

mcp = FastMCP("Village Bakery and Coffee House")


@mcp.tool()
def bake(loaf: str) -> str:
    """Bake one loaf. The oven must be warm; it takes forty minutes, and the answer says when it is done."""
    return loaf


if __name__ == "__main__":
    mcp.run()

from mcp.server.fastmcp import FastMCP

from progressive_disclosure import enable

mcp = FastMCP("Village Bakery and Coffee House")
enable(
    mcp, stdio="enforce", http="advise", descriptions="village_bakery_and_coffee_house"
)


@mcp.tool()
def bake(loaf: str) -> str:
    """Bake one loaf. The oven must be warm; it takes forty minutes, and the answer says when it is done."""
    return loaf


if __name__ == "__main__":
    mcp.run()

"""A server whose code runs on fastmcp 2, 3 and 4 alike."""

from __future__ import annotations

import argparse

from fastmcp import FastMCP
from fastmcp.exceptions import ToolError

mcp = FastMCP("kite-shop", instructions="Kites are numbered.")


@mcp.tool(annotations={"readOnlyHint": True})
def wind_range(kite: int) -> str:
    """Tell in which wind a kite flies. Outside of it the lines break, which is not covered.

    The numbers are those of the maker, measured on a beach; inland take one less.
    """
    if kite > 9:
        raise ToolError(f"no kite has the number {kite}")
    return f"{kite} to {kite + 3} Beaufort"


@mcp.resource("kites://hours")
def hours() -> str:
    """When the shop is open."""
    return "9 to 5"


def main() -> None:
    parser = argparse.ArgumentParser(description="A shop for kites.")
    parser.add_argument("--http", type=int, metavar="PORT")
    parser.add_argument("--stateless", action="store_true")
    options = parser.parse_args()
    if options.http is None:
        mcp.run(show_banner=False)
    else:
        mcp.run(
            transport="http",
            port=options.http,
            stateless_http=options.stateless,
            log_level="error",
            show_banner=False,
        )


if __name__ == "__main__":
    main()
